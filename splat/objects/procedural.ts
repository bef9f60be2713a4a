/** The six procedural objects by name. */
import { mushroom } from "./mushroom.ts";
import { robot } from "./robot.ts";
import { rocket } from "./rocket.ts";
import { snowman } from "./snowman.ts";
import type { Solid } from "./solid.ts";
import { table } from "./table.ts";
import { tree } from "./tree.ts";

export const PROCEDURAL_OBJECTS = ["snowman", "mushroom", "table", "rocket", "tree", "robot"] as const;
export type ProceduralObject = typeof PROCEDURAL_OBJECTS[number];

const BUILDERS: Readonly<Record<ProceduralObject, () => Solid[]>> = {
  snowman,
  mushroom,
  table,
  rocket,
  tree,
  robot,
};

/** The object's solids, inside [−0.9, 0.9]³, +Z up, front towards −Y; the same on every call. */
export function proceduralSolids(object: ProceduralObject): Solid[] {
  return BUILDERS[object]();
}
