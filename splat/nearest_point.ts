/** The point nearest to some rays. */
import type { Vector3 } from "../env/vector3.ts";
import { solve3 } from "./solve3.ts";

export interface Ray {
  /** Any point of the ray. */
  readonly eye: Vector3;
  /** Unit length. */
  readonly direction: Vector3;
}

/** Least squares, Σ (I − d dᵀ) p = Σ (I − d dᵀ) e over rays with eye e and direction d; 0 for no rays. */
export function nearestPoint(rays: readonly Ray[]): Vector3 {
  // The small multiple of the identity keeps one ray, or parallel ones, solvable: nearest to the origin.
  const matrix = [[1e-6, 0, 0], [0, 1e-6, 0], [0, 0, 1e-6]];
  const right = [0, 0, 0];
  for (const { eye, direction } of rays) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const part = (i === j ? 1 : 0) - direction[i] * direction[j];
        matrix[i][j] += part;
        right[i] += part * eye[j];
      }
    }
  }
  return solve3(matrix, right);
}
