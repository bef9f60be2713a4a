/** Eigenvalues and eigenvectors of small symmetric matrices. */

export interface Eigen {
  readonly values: readonly number[];
  /** Unit length, at right angles to each other; `vectors[i]` belongs to `values[i]`. */
  readonly vectors: readonly (readonly number[])[];
}

/** By Jacobi's rotations, in no order. */
export function symmetricEigen(symmetric: readonly (readonly number[])[]): Eigen {
  const n = symmetric.length;
  const a = symmetric.map((row) => [...row]);
  const columns = a.map((_, i) => a.map((_, j) => i === j ? 1 : 0));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) turnPlane(a, columns, p, q);
    }
  }
  return {
    values: a.map((row, i) => row[i]),
    vectors: a.map((_, i) => columns.map((row) => row[i])),
  };
}

/** Far more than the five or so that a 4 × 4 matrix needs. */
const SWEEPS = 12;

/** Turns the plane of axes p and q so that a[p][q] is 0. */
function turnPlane(a: number[][], columns: number[][], p: number, q: number): void {
  if (a[p][q] === 0) return;
  const angle = 0.5 * Math.atan2(2 * a[p][q], a[q][q] - a[p][p]);
  const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
  for (const row of [...a, ...columns]) {
    [row[p], row[q]] = [cosine * row[p] - sine * row[q], sine * row[p] + cosine * row[q]];
  }
  for (let i = 0; i < a.length; i++) {
    [a[p][i], a[q][i]] = [cosine * a[p][i] - sine * a[q][i], sine * a[p][i] + cosine * a[q][i]];
  }
}
