import type { Vector3 } from "../../env/vector3.ts";
import { boneIndex, PALM_BONE } from "./bones.ts";
import type { Finger } from "./controls.ts";
import type { JointCentres } from "./hand_model.ts";

/** Joint centres, each moved by `move`, which also learns the number of the bone that carries it: the one before it. */
export function mapJoints(
  { wrist, elbow, thumb, fingers }: JointCentres,
  move: (centre: Vector3, bone: number) => Vector3,
): JointCentres {
  const [base, middle, end] = ["thumb base", "thumb middle", "thumb tip"].map(boneIndex);
  const finger = (name: Finger): JointCentres["fingers"][Finger] => {
    const [metacarpal, mcp, pip, dip, tip] = fingers[name];
    const [base, middle, end] = ["base", "middle", "tip"].map((part) => boneIndex(`${name} ${part}`));
    return [
      move(metacarpal, PALM_BONE),
      move(mcp, PALM_BONE),
      move(pip, base),
      move(dip, middle),
      move(tip, end),
    ];
  };
  return {
    wrist: move(wrist, 0),
    elbow: move(elbow, 0),
    thumb: [move(thumb[0], PALM_BONE), move(thumb[1], base), move(thumb[2], middle), move(thumb[3], end)],
    fingers: {
      index: finger("index"),
      middle: finger("middle"),
      ring: finger("ring"),
      little: finger("little"),
    },
  };
}
