/** How a part was moved from its true pose, and the way back. */
import { fromAxisAngle } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { PartMove } from "../task.ts";
import type { Similarity } from "../tools/transform_group.ts";

/** x' = p + Rz(degrees) (x − p) + t. */
export function moveOf({ pivot, translate, degrees }: PartMove): Similarity {
  return { scale: 1, rotation: fromAxisAngle(UP, degrees), pivot, translate };
}

/** The inverse, x = q + Rz(−degrees) (x' − q) − t about q = p + t. */
export function wayBack({ group, pivot, translate, degrees }: PartMove): PartMove {
  const [x, y, z] = translate;
  return {
    group,
    pivot: [pivot[0] + x, pivot[1] + y, pivot[2] + z],
    translate: [-x, -y, -z],
    degrees: -degrees,
  };
}

const UP: Vector3 = [0, 0, 1];
