/** Boxes whose faces differ in tone, so that edges can be told apart without light. */
import type { Vector3 } from "../../env/vector3.ts";
import { UNTURNED } from "./rotation.ts";
import { box, type Solid } from "./solid.ts";

/** How much a face stands out beyond its neighbours, world units: a fraction of a pixel. */
const RELIEF = 0.002;

/** A box in three tones: for the faces along own x, own y and own z. */
export function tonedBox(
  center: Vector3,
  [x, y, z]: Vector3,
  [alongX, alongY, alongZ]: readonly [string, string, string],
  rotation = UNTURNED,
): Solid[] {
  const [thinX, thinY, thinZ] = [x - 2 * RELIEF, y - 2 * RELIEF, z - 2 * RELIEF];
  return [
    box(center, [x, thinY, thinZ], alongX, rotation),
    box(center, [thinX, y, thinZ], alongY, rotation),
    box(center, [thinX, thinY, z], alongZ, rotation),
  ];
}
