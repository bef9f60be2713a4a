import { z } from "zod";
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian, Scene } from "../scene.ts";
import { count, hexColor, vector } from "../../env/numbers.ts";
import { defineTool } from "./tool.ts";

export const describeGroups = defineTool({
  name: "describe_groups",
  description:
    "Describe each group label in a line: number of Gaussians, mean of their centres, extent of their centres (lowest " +
    "and highest x, y, z; sizes of Gaussians not counted), and mean colour.",
  args: z.strictObject({}),
  run(_args, { scene }) {
    if (scene.length === 0) return { text: "The scene is empty." };
    const groups = byGroup(scene);
    const lines = [...groups].map(([group, members]) =>
      describe(group === null ? "(no group)" : group, members)
    );
    return { text: [`${count(groups.size, "group")}:`, ...lines].join("\n") };
  },
});

/** Members by label in order of first appearance. */
function byGroup(scene: Scene): Map<string | null, Gaussian[]> {
  const groups = new Map<string | null, Gaussian[]>();
  for (const gaussian of scene) {
    const members = groups.get(gaussian.group);
    if (members) members.push(gaussian);
    else groups.set(gaussian.group, [gaussian]);
  }
  return groups;
}

function describe(name: string, members: readonly Gaussian[]): string {
  const means = members.map(({ mean }) => mean);
  const centre = along((axis) => average(means.map((mean) => mean[axis])));
  const low = along((axis) => Math.min(...means.map((mean) => mean[axis])));
  const high = along((axis) => Math.max(...means.map((mean) => mean[axis])));
  const color = along((channel) => average(members.map((member) => member.color[channel])));
  return `${name}: ${count(members.length, "Gaussian")}, centre ${vector(centre)}, ` +
    `extent ${vector(low)} to ${vector(high)}, mean colour ${hexColor(color)}`;
}

function along(value: (axis: 0 | 1 | 2) => number): Vector3 {
  return [value(0), value(1), value(2)];
}

function average(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
