import { z } from "zod";
import { count } from "../../env/numbers.ts";
import { isRefusal } from "../../env/refusal.ts";
import { findIds, idList, idRanges } from "./selection.ts";
import { defineTool } from "./tool.ts";

export const deleteGaussians = defineTool({
  name: "delete_gaussians",
  description:
    "Remove Gaussians from the scene by id. Their ids are never used again. If one id is not in the scene, nothing is " +
    "removed and the call is used.",
  args: z.strictObject({ ids: idList.describe("Ids to remove, each once.") }),
  run({ ids }, { scene }) {
    const found = findIds(scene, ids, (index) => `ids[${index}]`);
    if (isRefusal(found)) return found;
    const next = scene.filter(({ id }) => !found.has(id));
    return {
      scene: next,
      text: `Deleted ${count(ids.length, "Gaussian")}: id ${idRanges(ids)}. The scene has ${next.length}.`,
    };
  },
});
