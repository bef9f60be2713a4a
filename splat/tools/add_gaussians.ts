import { z } from "zod";
import { createGaussian, newGaussian } from "./gaussian_fields.ts";
import { count } from "../../env/numbers.ts";
import { refuse } from "../../env/refusal.ts";
import { idRanges } from "./selection.ts";
import { defineTool } from "./tool.ts";

export const addGaussians = defineTool({
  name: "add_gaussians",
  description:
    "Add Gaussians to the scene. Each needs pos and scale; the ids of the new Gaussians are in the answer. " +
    "If one entry is invalid, nothing is added and the call is used.",
  args: z.strictObject({
    gaussians: z.array(newGaussian).min(1).max(300).describe("The Gaussians to add, at least one."),
  }),
  run({ gaussians }, { scene, nextId, task }) {
    const total = scene.length + gaussians.length;
    const limit = task.limits.gaussians;
    if (total > limit) {
      return refuse(
        "too_many_gaussians",
        `gaussians: ${scene.length} in the scene and ${gaussians.length} new make ${total}; the limit is ${limit}`,
      );
    }
    const added = gaussians.map((input, index) => createGaussian(nextId + index, input));
    const ids = idRanges(added.map(({ id }) => id));
    return {
      scene: [...scene, ...added],
      text: `Added ${count(added.length, "Gaussian")}: id ${ids}. The scene has ${total}.`,
    };
  },
});
