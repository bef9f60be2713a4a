/** From a file's axes to those of `HandModel`: wrist at the origin, fingers along +y, palm to −z. */
import { cross, dot, scaled, subtract, type Vector3 } from "../../env/vector3.ts";
import type { Finger } from "./controls.ts";
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

/** Joint centres, each moved by `move`. */
export function mapJoints(joints: JointCentres, move: (point: Vector3) => Vector3): JointCentres {
  const { wrist, elbow, thumb, fingers } = joints;
  const finger = (name: Finger): JointCentres["fingers"]["index"] => {
    const [metacarpal, mcp, pip, dip, tip] = fingers[name];
    return [move(metacarpal), move(mcp), move(pip), move(dip), move(tip)];
  };
  return {
    wrist: move(wrist),
    elbow: move(elbow),
    thumb: [move(thumb[0]), move(thumb[1]), move(thumb[2]), move(thumb[3])],
    fingers: {
      index: finger("index"),
      middle: finger("middle"),
      ring: finger("ring"),
      little: finger("little"),
    },
  };
}
