import assert from "node:assert/strict";
import { stream } from "../../env/random.ts";
import { symmetricEigen } from "../../env/symmetric_eigen.ts";

Deno.test("symmetricEigen() finds the eigenvalues 2 − 2 cos(kπ / (n + 1)) of the second-difference matrix", () => {
  const n = 58;
  const matrix = new Float64Array(n * n);
  for (let i = 0; i < n; i++) {
    matrix[i * n + i] = 2;
    if (i > 0) matrix[i * n + i - 1] = matrix[(i - 1) * n + i] = -1;
  }
  const { values, vectors } = symmetricEigen(matrix, n);
  [...values].sort((a, b) => a - b).forEach((value, k) => {
    assert.ok(Math.abs(value - (2 - 2 * Math.cos((k + 1) * Math.PI / (n + 1)))) < 1e-13);
  });
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      let product = 0;
      for (let k = 0; k < n; k++) product += vectors[i * n + k] * vectors[j * n + k];
      assert.ok(Math.abs(product - (i === j ? 1 : 0)) < 1e-13, "orthonormal");
    }
  }
});

Deno.test("symmetricEigen() keeps the digits of eigenvalues a trillion times smaller than others", () => {
  // D R D with D graded: relative accuracy follows from R's conditioning (Demmel and Veselić 1992).
  const scale = [1, 1e-3, 1e-6];
  const r = [[1, 0.5, 0.25], [0.5, 1, 0.5], [0.25, 0.5, 1]];
  const { values } = symmetricEigen(
    Float64Array.from(r.flatMap((row, i) => row.map((v, j) => v * scale[i] * scale[j]))),
    3,
  );
  // det R = 0.5625, and each eigenvalue is nearly a pivot times its scale squared.
  const product = values.reduce((a, b) => a * b, 1);
  assert.ok(Math.abs(product / (0.5625 * 1e-18) - 1) < 1e-12, `${product}`);
});

Deno.test("symmetricEigen() gives back random matrices", () => {
  const draws = stream(5, "matrices");
  for (const n of [1, 2, 7, 20]) {
    const m = new Float64Array(n * n);
    for (let i = 0; i < n; i++) for (let j = 0; j <= i; j++) m[i * n + j] = m[j * n + i] = draws.normal();
    const { values, vectors } = symmetricEigen(m, n);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        let back = 0;
        for (let k = 0; k < n; k++) back += values[k] * vectors[k * n + i] * vectors[k * n + j];
        assert.ok(Math.abs(back - m[i * n + j]) < 1e-12);
      }
    }
  }
});

Deno.test("symmetricEigen() leaves a diagonal matrix, zeros and repeated values alone", () => {
  assert.deepEqual([...symmetricEigen(Float64Array.of(2, 0, 0, 0, 2, 0, 0, 0, -1), 3).values], [2, 2, -1]);
  assert.deepEqual([...symmetricEigen(new Float64Array(4), 2).values], [0, 0]);
});
