import assert from "node:assert/strict";
import { type Camera, orbitCamera } from "../../../splat/camera.ts";
import { apply, type Matrix3, transpose, turn } from "../../../splat/objects/rotation.ts";
import { findNormalisation, moveCamera, turnToZ, upOf } from "../../../splat/prepare/normalise.ts";
import { Silhouette } from "../../../splat/prepare/silhouette.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import { LENS, LYING, PLAIN_LENS, type SampleView, sampleViews, STANDING } from "./sample_capture.ts";

Deno.test("turnToZ() is a rotation that takes the vector to +Z and leaves what is perpendicular to both", () => {
  for (const up of [[0, 0, 1], [0, 0, -1], [0, 1, 0], [0.6, 0, -0.8], [0.48, -0.64, 0.6]] as const) {
    const a = turnToZ(up);
    near(apply(a, up), [0, 0, 1]);
    a.forEach((row, i) => near(apply(a, row), [0, 1, 2].map((j) => i === j ? 1 : 0)));
    if (up[2] > -1) near(apply(a, [up[1], -up[0], 0]), [up[1], -up[0], 0]);
  }
});

Deno.test("moveCamera() sees a moved point where the old camera saw the old one", () => {
  const [{ camera }] = sampleViews(LYING, LENS, undefined, 1);
  const move = { scale: 0.37, turn: turn([1, -2, 0.5], 77), center: [2, -5, 9] } as const;
  const moved = moveCamera(camera, move);
  for (const p of [[3, -7, 11], [3.1, -7.2, 10.9]] as const) {
    const at = apply(move.turn, [p[0] - 2, p[1] + 5, p[2] - 9]);
    near(pixel(moved, [0.37 * at[0], 0.37 * at[1], 0.37 * at[2]]), pixel(camera, p), 1e-9);
  }
});

Deno.test("findNormalisation() undoes a known motion of the world, up to the size of the hull", () => {
  const views = sampleViews(STANDING, PLAIN_LENS);
  const { scale, turn: a, center } = findNormalisation(hullViews(views), [0, 0, 1], null);
  assert.deepEqual(a, [[1, 0, 0], [0, 1, 0], [0, 0, 1]]);
  // The table reaches 0.9 in x, and stands from −0.62 to 0.62 or so: its middle is near the cube's.
  assert.ok(scale < STANDING.k && scale > 0.85 * STANDING.k, `scale ${scale}, the object's is ${STANDING.k}`);
  near(center, STANDING.center, 0.12 / STANDING.k);
});

Deno.test("upOf() finds the vertical of level cameras, though one side was photographed from higher up", () => {
  const cameras = sampleViews(LYING, LENS).map(({ camera }) => camera);
  const level = cameras.filter((_, i) => i % 3 > 0);
  // Aᵀ takes the cube's +Z to the capture's up.
  near(upOf(level), apply(transpose(LYING.turn), [0, 0, 1]), 1e-3);
  const tilted = level.map((camera, i) => ({ ...camera, rotation: rolled(camera.rotation, i % 2 ? 6 : -6) }));
  near(upOf(tilted), apply(transpose(LYING.turn), [0, 0, 1]), 0.05);
});

Deno.test("upOf() takes the mean of the upward axes where all cameras stand one above the other", () => {
  const above = [-20, 0, 50].map((elevationDeg) =>
    orbitCamera({ azimuthDeg: 90, elevationDeg, distance: 4, fovDeg: 40 }, 31, 23)
  );
  near(upOf(above), [0, -Math.sin(Math.PI / 18), Math.cos(Math.PI / 18)], 0.02);
});

Deno.test("findNormalisation() keeps to a box that is given", () => {
  const views = sampleViews(STANDING, PLAIN_LENS);
  const half = 0.3;
  const [x, y, z] = STANDING.center;
  const box = { low: [x - half, y - half, z - half], high: [x + half, y + half, z + half] } as const;
  const { scale } = findNormalisation(hullViews(views), [0, 0, 1], box);
  assert.ok(scale >= 0.9 / half - 1e-9 && scale < 1.1 * 0.9 / half, `scale ${scale}`);
});

function hullViews(views: readonly SampleView[]) {
  return views.map(({ camera, photo }, i) => ({
    name: `view ${i}`,
    camera,
    silhouette: new Silhouette(photo),
  }));
}

/** Turned about the camera's own axis. */
function rolled([x, y, z]: Matrix3, degrees: number): Matrix3 {
  const [c, s] = [Math.cos(degrees * Math.PI / 180), Math.sin(degrees * Math.PI / 180)];
  const mix = (
    a: number,
    b: number,
  ): Vector3 => [a * x[0] + b * y[0], a * x[1] + b * y[1], a * x[2] + b * y[2]];
  return [mix(c, s), mix(-s, c), z];
}

function pixel({ rotation, translation, fx, fy, cx, cy }: Camera, p: Vector3): number[] {
  const [x, y, z] = apply(rotation, p).map((value, i) => value + translation[i]);
  return [fx * x / z + cx, fy * y / z + cy];
}

function near(actual: readonly number[], expected: readonly number[], tolerance = 1e-12): void {
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= tolerance, `${actual}, expected ${expected} ± ${tolerance}`)
  );
}
