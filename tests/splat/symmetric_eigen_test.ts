import assert from "node:assert/strict";
import { stream } from "../../env/random.ts";
import { fromAxisAngle, rotate } from "../../env/quaternion.ts";
import { rotationBetween } from "../../splat/rotation_between.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { symmetricEigen } from "../../splat/symmetric_eigen.ts";

Deno.test("symmetricEigen() gives A v = λ v with orthonormal v, and the trace", () => {
  const draw = stream(5, "symmetric");
  for (const n of [1, 2, 3, 4, 5]) {
    const half = Array.from({ length: n }, () => Array.from({ length: n }, () => draw.normal()));
    const a = half.map((row, i) => row.map((value, j) => value + half[j][i]));
    const { values, vectors } = symmetricEigen(a);
    const dot = (x: readonly number[], y: readonly number[]) => x.reduce((sum, v, i) => sum + v * y[i], 0);
    vectors.forEach((vector, i) => {
      a.forEach((row, axis) => assert.ok(Math.abs(dot(row, vector) - values[i] * vector[axis]) < 1e-12));
      vectors.forEach((other, j) => assert.ok(Math.abs(dot(vector, other) - (i === j ? 1 : 0)) < 1e-12));
    });
    const trace = a.reduce((sum, row, i) => sum + row[i], 0);
    assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - trace) < 1e-12);
  }
});

Deno.test("symmetricEigen() leaves a diagonal matrix, zeros and repeated values alone", () => {
  assert.deepEqual(symmetricEigen([[2, 0, 0], [0, 2, 0], [0, 0, -1]]).values, [2, 2, -1]);
  assert.deepEqual(symmetricEigen([[0, 0], [0, 0]]).values, [0, 0]);
});

Deno.test("rotationBetween() finds the quaternion that turned the axes, up to its sign", () => {
  const axes: Vector3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (const degrees of [0, 30, 180, 250]) {
    const q = fromAxisAngle([0.3, -1, 2], degrees);
    const found = rotationBetween(axes, axes.map((axis) => rotate(q, axis)));
    const alike = Math.abs(found.reduce((sum, part, i) => sum + part * q[i], 0));
    assert.ok(Math.abs(alike - 1) < 1e-12, `${degrees}`);
  }
});
