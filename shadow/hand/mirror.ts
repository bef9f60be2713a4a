/** The other hand. */
import type { Vector3 } from "../../env/vector3.ts";
import type { HandModel } from "./hand_model.ts";
import { mapJoints } from "./map_joints.ts";

/** A right hand's exact mirror: x → −x, triangles turned so that they look outward again. */
export function mirrorHand(right: HandModel): HandModel {
  return {
    ...right,
    side: "left",
    positions: right.positions.map((coordinate, i) => i % 3 === 0 ? -coordinate : coordinate),
    triangles: right.triangles.map((_, i, triangles) =>
      triangles[i % 3 === 0 ? i : i % 3 === 1 ? i + 1 : i - 1]
    ),
    joints: mapJoints(right.joints, ([x, y, z]): Vector3 => [-x, y, z]),
  };
}
