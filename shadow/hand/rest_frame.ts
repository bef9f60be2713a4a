/** From a file's axes to those of `HandModel`: wrist at the origin, fingers along +y, palm to −z. */
import { cross, dot, scaled, subtract, type Vector3 } from "../../env/vector3.ts";
import type { JointCentres } from "./hand_model.ts";
import { palmFrame } from "./palm_frame.ts";

/** Takes points of a file to the rest frame of a right hand. */
export function toRestFrame(joints: JointCentres): (point: Vector3) => Vector3 {
  const { up, radial } = palmFrame(joints);
  const x = scaled(radial, -1);
  const z = cross(x, up);
  return (point) => {
    const from = subtract(point, joints.wrist);
    return [dot(from, x), dot(from, up), dot(from, z)];
  };
}
