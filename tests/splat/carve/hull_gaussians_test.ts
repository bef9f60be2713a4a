import assert from "node:assert/strict";
import { blankImage } from "../../../env/image.ts";
import { stream } from "../../../env/random.ts";
import { hullGaussians } from "../../../splat/carve/hull_gaussians.ts";
import { recolored } from "../../../splat/carve/recolor.ts";
import { coloredSurface, type SurfaceVoxel } from "../../../splat/carve/surface.ts";
import { voxelHull } from "../../../splat/carve/voxel_hull.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { ball } from "../../../splat/objects/solid.ts";
import { rotate } from "../../../env/quaternion.ts";
import { standardRig } from "../../../splat/rig.ts";
import type { Vector3 } from "../../../env/vector3.ts";

const EMPTY = { n: 3, edge: 0.06, filled: new Uint8Array(27) };

Deno.test("hullGaussians() gives one cluster its mean, colour and covariance, widened", () => {
  const draw = stream(2, "cloud");
  const surface = Array.from({ length: 200 }, (): SurfaceVoxel => {
    const [a, b, c] = [0.3 * draw.normal(), 0.1 * draw.normal(), 0.02 * draw.normal()];
    const color: Vector3 = [draw.next(), draw.next(), draw.next()];
    return { center: [a + b, a - b, c + 0.5 * a], normal: [0, 0, 1], color };
  });
  const [{ mean, scale, quaternion, color }, ...others] = hullGaussians(EMPTY, surface, 1, stream(0, "x"));
  assert.equal(others.length, 0);
  const average = (of: (voxel: SurfaceVoxel) => number) =>
    surface.reduce((sum, voxel) => sum + of(voxel), 0) / surface.length;
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] satisfies Vector3[]).map((axis) =>
    rotate(quaternion, axis)
  );
  for (const i of [0, 1, 2] as const) {
    assert.ok(Math.abs(mean[i] - average(({ center }) => center[i])) < 1e-12);
    assert.ok(Math.abs(color[i] - average((voxel) => voxel.color[i])) < 1e-12);
    for (const j of [0, 1, 2] as const) {
      const sample = average(({ center }) => (center[i] - mean[i]) * (center[j] - mean[j]));
      const own = i === j ? 0.06 ** 2 / 12 : 0;
      const found = axes.reduce((sum, axis, k) => sum + scale[k] ** 2 * axis[i] * axis[j], 0);
      assert.ok(Math.abs(found - 1.1 ** 2 * (sample + own)) < 1e-12, `${i} ${j}`);
    }
  }
});

Deno.test("hullGaussians() never makes more than asked for, and less of a hull with fewer voxels", () => {
  const cameras = standardRig().reference;
  const views = cameras.map((camera) => ({
    camera,
    photo: renderSolids([ball([0, 0, 0], 0.3, "#404040")], camera).image,
  }));
  const voxels = voxelHull(views, 24);
  const surface = coloredSurface(voxels, views);
  for (const most of [1, 7, 60, 100_000]) {
    const made = hullGaussians(voxels, surface, most, stream(0, "x"));
    assert.ok(made.length > 0 && made.length <= Math.min(most, voxels.filled.length));
    assert.ok(made.every(({ scale, mean }) => scale.every((s) => s > 0) && Math.hypot(...mean) < 0.5));
  }
  assert.deepEqual(hullGaussians(EMPTY, [], 300, stream(0, "x")), []);
});

Deno.test("recolored() moves what is seen towards the photos and leaves the rest", () => {
  const [camera] = standardRig().reference;
  const view = { camera, photo: blankImage(256, 256, [110, 120, 130]) };
  const render = blankImage(256, 256, [85, 120, 255]);
  const flat = (x: number, color: Vector3) => ({
    mean: [x, 0, 0] as const,
    scale: [0.2, 0.2, 0.02] as const,
    quaternion: [1, 0, 0, 0] as const,
    color,
  });
  // The first camera stands on the +X side: the second Gaussian is behind the first.
  const colors = recolored([flat(0.3, [0.5, 0.4, 0.3]), flat(-0.3, [0.5, 0.4, 0.3])], [view], [render]);
  [0.5 + 0.8 * 25 / 255, 0.4, 0].forEach((value, i) => assert.ok(Math.abs(colors[0][i] - value) < 1e-9));
  assert.deepEqual(colors[1], [0.5, 0.4, 0.3]);
});
