/** Whether three rows are a rotation, for matrices that come from files. */
import type { Vector3 } from "./scene.ts";

/** Largest deviation of R Rᵀ from the identity: matrices stored with few decimals stay readable. */
const ORTHONORMAL_TOLERANCE = 1e-3;

/** Why a matrix [3, 3] is no rotation, or null when it is one. */
export function rotationFault([a, b, c]: readonly [Vector3, Vector3, Vector3]): string | null {
  const dot = (u: Vector3, v: Vector3) => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
  const errors = [dot(a, a) - 1, dot(b, b) - 1, dot(c, c) - 1, dot(a, b), dot(b, c), dot(c, a)];
  const worst = Math.max(...errors.map(Math.abs));
  if (!(worst <= ORTHONORMAL_TOLERANCE)) {
    return `not a rotation: R Rᵀ is off the identity by ${worst.toPrecision(2)}`;
  }
  const turned: Vector3 = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
  return dot(turned, c) < 0 ? "a mirror image, its determinant is −1" : null;
}
