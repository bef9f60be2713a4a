import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { fromAxisAngle, normalize } from "../../../env/quaternion.ts";
import type { Quaternion } from "../../../env/quaternion.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Gaussian } from "../../../splat/scene.ts";
import { gaussianRowSchema } from "../../../tasks/splat_rows.ts";
import { transform } from "../../../splat/tools/transform_group.ts";
import { stubPlay } from "../../support/splat_stub.ts";

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

/** Centres of three Gaussians after one call: ids 1 and 2 are labelled "leg" at (1, 0, 0) and (3, 0, 0), id 3 at the origin. */
async function moved(
  change: Record<string, unknown>,
): Promise<{ pos: number[][]; scale: number[]; text: string }> {
  const { episode } = stubPlay();
  const at = (x: number, group: string | null) => ({ pos: [x, 0, 0], scale: 0.1, group });
  await episode.call("add_gaussians", { gaussians: [at(1, "leg"), at(3, "leg"), at(0, null)] });
  const { accepted, text } = await episode.call("transform_group", change);
  assert.ok(accepted, text);
  const rows = gaussianRowSchema.array().parse(episode.state());
  const rounded = (value: number) => Math.round(value * 1e9) / 1e9 + 0;
  return {
    pos: rows.map(({ pos }) => pos.map(rounded)),
    scale: rows.map(({ scale }) => rounded(scale[0])),
    text,
  };
}

const HALF = Math.SQRT1_2;
/** By hand. The default pivot is (2, 0, 0), the mean of the piece's centres; a quarter about z takes +X to +Y. */
const CALLS: [string, Record<string, unknown>, number[][]][] = [
  ["translate alone", { group: "leg", translate: [0, 0.5, -1] }, [[1, 0.5, -1], [3, 0.5, -1], [0, 0, 0]]],
  ["a quarter about z", { group: "leg", rotate: { axis: "z", degrees: 90 } }, [[2, -1, 0], [2, 1, 0], [
    0,
    0,
    0,
  ]]],
  ["a direction as axis", { ids: [2, 1], rotate: { axis: [0, 0, -5], degrees: 90 } }, [
    [2, 1, 0],
    [2, -1, 0],
    [0, 0, 0],
  ]],
  ["a quaternion", { group: "leg", quat: [HALF, 0, 0, HALF] }, [[2, -1, 0], [2, 1, 0], [0, 0, 0]]],
  ["a pivot", { ids: [1, 3], rotate: { axis: "y", degrees: 90 }, pivot: [0, 0, 0] }, [
    [0, 0, -1],
    [3, 0, 0],
    [0, 0, 0],
  ]],
  ["scale and turn before the move", {
    group: "leg",
    scale: 2,
    rotate: { axis: "z", degrees: 180 },
    translate: [1, 0, 0],
  }, [[5, 0, 0], [1, 0, 0], [0, 0, 0]]],
];

for (const [what, change, expected] of CALLS) {
  Deno.test(`transform_group moves a piece as told: ${what}`, async () => {
    assert.deepEqual((await moved(change)).pos, expected);
  });
}

Deno.test("transform_group scales the Gaussians of the piece and tells pivot and new centre", async () => {
  const { scale, text } = await moved({ group: "leg", scale: 3, translate: [0, 0, 1] });
  assert.deepEqual(scale, [0.3, 0.3, 0.1]);
  assert.match(
    text,
    /^Moved 2 Gaussians about the pivot \[2, 0, 0\]; the piece is now centred at \[2, 0, 1\]\./,
  );
});
