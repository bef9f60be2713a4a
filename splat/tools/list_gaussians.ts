import { z } from "zod";
import type { Gaussian } from "../scene.ts";
import { count, decimal, hexColor, vector } from "../../env/numbers.ts";
import { defineTool } from "./tool.ts";

export const listGaussians = defineTool({
  name: "list_gaussians",
  description:
    "List every Gaussian of the scene, one a line: id, pos, scale, quat [w, x, y, z], color, opacity and group. " +
    "Values are rounded to 3 decimals.",
  args: z.strictObject({}),
  run(_args, { scene }) {
    if (scene.length === 0) return { text: "The scene is empty." };
    const heading = `${count(scene.length, "Gaussian")}: id | pos | scale | quat | color | opacity | group`;
    return { text: [heading, ...scene.map(row)].join("\n") };
  },
});

function row({ id, mean, scale, quaternion, color, opacity, group }: Gaussian): string {
  const parts = [id, vector(mean), vector(scale), vector(quaternion), hexColor(color), decimal(opacity)];
  return [...parts, group ?? "-"].join(" | ");
}
