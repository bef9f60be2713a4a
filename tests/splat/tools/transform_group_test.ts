import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { fromAxisAngle, normalize } from "../../../splat/quaternion.ts";
import type { Gaussian, Quaternion, Vector3 } from "../../../splat/scene.ts";
import { transform } from "../../../splat/tools/transform_group.ts";

type Matrix = number[][];

const draws = stream(7, "transform-group-test");
const vector = (): Vector3 => [draws.normal(), draws.normal(), draws.normal()];

/** Rotation matrix by the textbook formula, independent of `rotate`. */
function matrixOf([w, x, y, z]: Quaternion): Matrix {
  return [
    [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
    [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
    [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
  ];
}

/** Rodrigues: R = I + sin a K + (1 − cos a) K². */
function rodrigues(axis: Vector3, degrees: number): Matrix {
  const [x, y, z] = axis.map((part) => part / Math.hypot(...axis));
  const K = [[0, -z, y], [z, 0, -x], [-y, x, 0]];
  const K2 = product(K, K);
  const a = degrees * Math.PI / 180;
  return K.map((row, i) =>
    row.map((value, j) => (i === j ? 1 : 0) + Math.sin(a) * value + (1 - Math.cos(a)) * K2[i][j])
  );
}

const product = (a: Matrix, b: Matrix): Matrix =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));
const transpose = (a: Matrix): Matrix => a[0].map((_, j) => a.map((row) => row[j]));

/** Σ = R diag(s²) Rᵀ. */
function covariance({ scale, quaternion }: Gaussian): Matrix {
  const R = matrixOf(quaternion);
  return product(
    product(R, [0, 1, 2].map((i) => [0, 1, 2].map((j) => i === j ? scale[i] ** 2 : 0))),
    transpose(R),
  );
}

function gaussian(): Gaussian {
  return {
    id: 1,
    mean: vector(),
    scale: [draws.range(0.1, 1), draws.range(0.1, 1), draws.range(0.1, 1)],
    quaternion: normalize([draws.normal(), draws.normal(), draws.normal(), draws.normal()]),
    color: [0.1, 0.2, 0.3],
    opacity: 0.5,
    group: "a",
  };
}

Deno.test("transform() maps centres by p + s R (μ − p) + t and covariances by s² R Σ Rᵀ", () => {
  for (let round = 0; round < 50; round++) {
    const [before, axis, degrees, pivot, translate] = [
      gaussian(),
      vector(),
      draws.range(-400, 400),
      vector(),
      vector(),
    ];
    const scale = draws.range(0.2, 3);
    const after = transform(before, { scale, rotation: fromAxisAngle(axis, degrees), pivot, translate });
    const R = rodrigues(axis, degrees);
    const offset = product(R, before.mean.map((part, i) => [part - pivot[i]]));
    const mean = pivot.map((part, i) => part + scale * offset[i][0] + translate[i]);
    after.mean.forEach((part, i) => assert.ok(Math.abs(part - mean[i]) < 1e-12));
    const expected = product(product(R, covariance(before)), transpose(R));
    covariance(after).flat().forEach((value, i) =>
      assert.ok(Math.abs(value - scale ** 2 * expected.flat()[i]) < 1e-12)
    );
    assert.ok(Math.abs(Math.hypot(...after.quaternion) - 1) < 1e-14);
    assert.deepEqual([after.id, after.color, after.opacity, after.group], [1, [0.1, 0.2, 0.3], 0.5, "a"]);
  }
});
