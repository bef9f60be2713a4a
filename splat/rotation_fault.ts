/** Whether three rows are a rotation, for matrices that come from files. */
import type { Vector3 } from "../env/vector3.ts";
import { cross, dot } from "../env/vector3.ts";

/** Largest deviation of R Rᵀ from the identity: matrices stored with few decimals stay readable. */
const ORTHONORMAL_TOLERANCE = 1e-3;

/** Why a matrix [3, 3] is no rotation, or null when it is one. */
export function rotationFault([a, b, c]: readonly [Vector3, Vector3, Vector3]): string | null {
  const errors = [dot(a, a) - 1, dot(b, b) - 1, dot(c, c) - 1, dot(a, b), dot(b, c), dot(c, a)];
  const worst = Math.max(...errors.map(Math.abs));
  if (!(worst <= ORTHONORMAL_TOLERANCE)) {
    return `not a rotation: R Rᵀ is off the identity by ${worst.toPrecision(2)}`;
  }
  return dot(cross(a, b), c) < 0 ? "a mirror image, its determinant is −1" : null;
}
