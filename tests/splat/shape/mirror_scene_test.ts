import assert from "node:assert/strict";
import { normalize, type Quaternion, rotate } from "../../../env/quaternion.ts";
import { stream } from "../../../env/random.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { Gaussian } from "../../../splat/scene.ts";
import { enlarged, mirrored } from "../../../splat/shape/mirror_scene.ts";

const draw = stream(5, "mirror", "scene");
const vector = (): Vector3 => [draw.next() - 0.5, draw.next() - 0.5, draw.next() - 0.5];
const gaussian = (id: number): Gaussian => {
  const [w, x, y] = vector();
  return {
    id,
    mean: vector(),
    scale: [0.1 + draw.next(), 0.1 + draw.next(), 0.1 + draw.next()],
    quaternion: normalize([w, x, y, draw.next()] as Quaternion),
    color: [1, 0, 0],
    opacity: 0.5,
    group: null,
  };
};
const scene = Array.from({ length: 20 }, (_, id) => gaussian(id));

/** Σ_ij = Σ_k s_k² r_ik r_jk, with the columns r_k of the rotation. */
function covariance({ scale, quaternion }: Gaussian): number[][] {
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as Vector3[]).map((axis) => rotate(quaternion, axis));
  return [0, 1, 2].map((i) =>
    [0, 1, 2].map((j) => axes.reduce((sum, axis, k) => sum + scale[k] ** 2 * axis[i] * axis[j], 0))
  );
}

function reflection(degrees: number): number[][] {
  const n = [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180), 0];
  return [0, 1, 2].map((i) => [0, 1, 2].map((j) => Number(i === j) - 2 * n[i] * n[j]));
}

const product = (a: number[][], b: number[][]) =>
  a.map((row) => b[0].map((_, j) => row.reduce((sum, value, k) => sum + value * b[k][j], 0)));

function near(a: readonly number[], b: readonly number[], what: string): void {
  a.forEach((value, i) => assert.ok(Math.abs(value - b[i]) < 1e-12, `${what}: ${a} and ${b}`));
}

Deno.test("mirrored() makes means A x and covariances A Σ Aᵀ, by rotations", () => {
  for (const degrees of [0, 22.5, 90, 157.5]) {
    const a = reflection(degrees);
    for (const [i, after] of mirrored(scene, degrees).entries()) {
      near(after.mean, a.map((row) => row.reduce((sum, x, k) => sum + x * scene[i].mean[k], 0)), "mean");
      const wanted = product(product(a, covariance(scene[i])), a);
      near(covariance(after).flat(), wanted.flat(), `covariance at ${degrees}°`);
      assert.ok(Math.abs(Math.hypot(...after.quaternion) - 1) < 1e-12);
      assert.deepEqual(after.scale, scene[i].scale);
    }
  }
});

Deno.test("mirrored() twice is the scene, and two planes differ by a turn about the vertical", () => {
  for (const [i, { mean }] of mirrored(mirrored(scene, 67.5), 67.5).entries()) {
    near(mean, scene[i].mean, "mean");
  }
  for (const [i, { mean: [x, y, z] }] of mirrored(mirrored(scene, 0), 45).entries()) {
    // Two mirrors 45° apart turn by 90°.
    const [px, py, pz] = scene[i].mean;
    near([x, y, z], [-py, px, pz], "turned");
  }
});

Deno.test("enlarged() multiplies positions and scales alike", () => {
  const [{ mean, scale, quaternion, opacity }] = enlarged([scene[0]], 1.5);
  near(mean, scene[0].mean.map((value) => 1.5 * value), "mean");
  near(scale, scene[0].scale.map((value) => 1.5 * value), "scale");
  assert.deepEqual([quaternion, opacity], [scene[0].quaternion, 0.5]);
});
