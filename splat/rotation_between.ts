/** The rotation between two sets of points. */
import { normalize } from "../env/quaternion.ts";
import type { Quaternion } from "../env/quaternion.ts";
import type { Vector3 } from "../env/vector3.ts";
import { symmetricEigen } from "../env/symmetric_eigen.ts";

/**
 * The rotation R that minimises Σ |b − R a|² over pairs of points around their means.
 *
 * Its quaternion is the eigenvector of the largest eigenvalue of a 4 × 4 matrix of products (Horn 1987, "Closed-form
 * solution of absolute orientation using unit quaternions").
 */
export function rotationBetween(from: readonly Vector3[], to: readonly Vector3[]): Quaternion {
  const s = (i: 0 | 1 | 2, j: 0 | 1 | 2) => from.reduce((sum, a, n) => sum + a[i] * to[n][j], 0);
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = [
    [s(0, 0), s(0, 1), s(0, 2)],
    [s(1, 0), s(1, 1), s(1, 2)],
    [s(2, 0), s(2, 1), s(2, 2)],
  ].flat();
  const { values, vectors } = symmetricEigen(
    Float64Array.of(
      ...[xx + yy + zz, yz - zy, zx - xz, xy - yx],
      ...[yz - zy, xx - yy - zz, xy + yx, zx + xz],
      ...[zx - xz, xy + yx, yy - xx - zz, yz + zy],
      ...[xy - yx, zx + xz, yz + zy, zz - xx - yy],
    ),
    4,
  );
  const largest = 4 * values.indexOf(Math.max(...values));
  const [w, x, y, z] = vectors.subarray(largest, largest + 4);
  return normalize([w, x, y, z]);
}

/** The angle of `rotationBetween`, 0° to 180°. */
export function turnBetween(from: readonly Vector3[], to: readonly Vector3[]): number {
  const [w, ...vector] = rotationBetween(from, to);
  return 2 * Math.atan2(Math.hypot(...vector), Math.abs(w)) * 180 / Math.PI;
}
