/** The rotation between two sets of points. */
import type { Vector3 } from "../scene.ts";

/**
 * Angle, 0° to 180°, of the rotation R that minimises Σ |b − R a|² over pairs of points around their means.
 *
 * The quaternion of R is the eigenvector of the largest eigenvalue of a 4 × 4 matrix of their products (Horn 1987,
 * "Closed-form solution of absolute orientation using unit quaternions").
 */
export function turnBetween(from: readonly Vector3[], to: readonly Vector3[]): number {
  const s = (i: 0 | 1 | 2, j: 0 | 1 | 2) => from.reduce((sum, a, n) => sum + a[i] * to[n][j], 0);
  const [xx, xy, xz, yx, yy, yz, zx, zy, zz] = [
    [s(0, 0), s(0, 1), s(0, 2)],
    [s(1, 0), s(1, 1), s(1, 2)],
    [s(2, 0), s(2, 1), s(2, 2)],
  ].flat();
  const [w, ...vector] = largestEigenvector([
    [xx + yy + zz, yz - zy, zx - xz, xy - yx],
    [yz - zy, xx - yy - zz, xy + yx, zx + xz],
    [zx - xz, xy + yx, yy - xx - zz, yz + zy],
    [xy - yx, zx + xz, yz + zy, zz - xx - yy],
  ]);
  return 2 * Math.atan2(Math.hypot(...vector), Math.abs(w)) * 180 / Math.PI;
}

/** Of a symmetric matrix, by Jacobi's rotations. */
function largestEigenvector(symmetric: number[][]): number[] {
  const n = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  const vectors = a.map((_, i) => a.map((_, j) => i === j ? 1 : 0));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) rotate(a, vectors, p, q);
    }
  }
  const values = a.map((row, i) => row[i]);
  const best = values.indexOf(Math.max(...values));
  return vectors.map((row) => row[best]);
}

/** Far more than the five or so that a 4 × 4 matrix needs. */
const SWEEPS = 12;

/** Turns the plane of axes p and q so that a[p][q] is 0. */
function rotate(a: number[][], vectors: number[][], p: number, q: number): void {
  if (a[p][q] === 0) return;
  const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  for (const row of [...a, ...vectors]) {
    [row[p], row[q]] = [cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]];
  }
  for (let i = 0; i < a.length; i++) {
    [a[p][i], a[q][i]] = [cosine * a[p][i] - sine * a[q][i], sine * a[p][i] + cosine * a[q][i]];
  }
}
