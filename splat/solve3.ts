/** Linear systems of three equations. */
import type { Vector3 } from "../env/vector3.ts";

/** x of M x = b by Cramer's rule; not finite where M is singular. */
export function solve3(matrix: readonly (readonly number[])[], right: readonly number[]): Vector3 {
  const whole = determinant(matrix);
  const part = (column: number) =>
    determinant(matrix.map((row, i) => row.map((value, j) => j === column ? right[i] : value))) / whole;
  return [part(0), part(1), part(2)];
}

function determinant([a, b, c]: readonly (readonly number[])[]): number {
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
    a[2] * (b[0] * c[1] - b[1] * c[0]);
}
