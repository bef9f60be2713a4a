/** Which way the hand at rest points, from its joint centres. */
import { cross, dot, scaled, subtract, unit, type Vector3 } from "../../env/vector3.ts";
import { FINGERS } from "./controls.ts";
import type { JointCentres } from "./hand_model.ts";

/** Unit vectors at right angles to each other, in the frame of the joints. */
export interface PalmFrame {
  /** From the wrist to the root of the middle finger. */
  readonly up: Vector3;
  /** Toward the thumb's side of the hand. */
  readonly radial: Vector3;
  /** Out of the palm: the side to which thumb and fingers lean. */
  readonly palmar: Vector3;
}

export function palmFrame({ wrist, thumb, fingers }: JointCentres): PalmFrame {
  const up = unit(subtract(fingers.middle[1], wrist));
  const across = subtract(fingers.index[1], fingers.little[1]);
  const radial = unit(subtract(across, scaled(up, dot(across, up))));
  const normal = cross(up, radial);
  const lean = dot(subtract(thumb[3], wrist), normal) +
    FINGERS.reduce((sum, finger) => {
      const [, mcp, , , tip] = fingers[finger];
      return sum + dot(subtract(tip, mcp), normal);
    }, 0);
  return { up, radial, palmar: lean < 0 ? scaled(normal, -1) : normal };
}
