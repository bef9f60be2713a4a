/** Eigenvalues and eigenvectors of symmetric matrices of some tens of rows. */

export interface SymmetricEigen {
  /** In no order. [n] */
  readonly values: Float64Array;
  /** Unit length, at right angles to each other; row i belongs to value i. [n, n] */
  readonly vectors: Float64Array;
}

/**
 * By Jacobi's rotations, row by row, until what is off the diagonal is rounding (Golub and Van Loan, Matrix
 * Computations, 8.5). The same input gives the same bits.
 *
 * @param symmetric row-major [n, n], left as it is
 */
export function symmetricEigen(symmetric: Float64Array, n: number): SymmetricEigen {
  const a = symmetric.slice();
  const vectors = new Float64Array(n * n);
  for (let i = 0; i < n; i++) vectors[i * n + i] = 1;
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    let turned = false;
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) turned = turnPlane(a, vectors, n, p, q) || turned;
    }
    if (!turned) break;
  }
  return { values: Float64Array.from({ length: n }, (_, i) => a[i * n + i]), vectors };
}

/** Convergence is quadratic: 60 rows need about eight. */
const MOST_SWEEPS = 40;

/** Turns the plane of axes p and q so that a[p][q] is 0; false where it is too small to matter. */
function turnPlane(a: Float64Array, vectors: Float64Array, n: number, p: number, q: number): boolean {
  const [pp, qq, pq] = [a[p * n + p], a[q * n + q], a[p * n + q]];
  // Beside geometric means, not the norm: small eigenvalues keep their digits.
  if (pq === 0 || Math.abs(pq) <= Number.EPSILON / 8 * Math.sqrt(Math.abs(pp * qq))) return false;
  const ratio = (qq - pp) / (2 * pq);
  const tangent = (ratio < 0 ? -1 : 1) / (Math.abs(ratio) + Math.hypot(ratio, 1));
  const cosine = 1 / Math.hypot(tangent, 1);
  const sine = tangent * cosine;
  for (let i = 0; i < n; i++) {
    if (i === p || i === q) continue;
    const [ip, iq] = [a[i * n + p], a[i * n + q]];
    a[i * n + p] = a[p * n + i] = cosine * ip - sine * iq;
    a[i * n + q] = a[q * n + i] = sine * ip + cosine * iq;
  }
  a[p * n + p] = pp - tangent * pq;
  a[q * n + q] = qq + tangent * pq;
  a[p * n + q] = a[q * n + p] = 0;
  for (let i = p * n, j = q * n; i < (p + 1) * n; i++, j++) {
    const [vp, vq] = [vectors[i], vectors[j]];
    vectors[i] = cosine * vp - sine * vq;
    vectors[j] = sine * vp + cosine * vq;
  }
  return true;
}
