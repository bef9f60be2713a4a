import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { orbitCamera } from "../../../splat/camera.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { ball } from "../../../splat/objects/solid.ts";
import { findNormalisation, moveCamera } from "../../../splat/prepare/normalise.ts";
import { readNsvf } from "../../../splat/prepare/nsvf.ts";
import { Silhouette } from "../../../splat/prepare/silhouette.ts";
import { carveHull, type HullView, visualHull } from "../../../splat/prepare/visual_hull.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import { reprojectionIou } from "./hull_reprojection.ts";
import { LENS, LYING, sampleViews } from "./sample_capture.ts";
import { nsvfFiles, withFolder } from "./sample_layouts.ts";

Deno.test("visualHull() holds a ball and little more, wherever it lies", () => {
  const [center, radius] = [[0.5, -0.3, 0.2] as Vector3, 0.4];
  const { low, high } = visualHull(ballViews(center, radius), null).bounds;
  for (const axis of [0, 1, 2] as const) {
    // Two fine cells and a pixel of 0.03 are the most that it may be too large; nothing may be missing.
    const [under, over] = [center[axis] - radius - low[axis], high[axis] - center[axis] - radius];
    assert.ok(
      under > -1e-9 && under < 0.07 && over > -1e-9 && over < 0.07,
      `axis ${axis}: ${under}, ${over}`,
    );
  }
});

Deno.test("carveHull() keeps every cell that the ball reaches into", () => {
  const [center, radius] = [[0.1, 0.2, -0.1] as Vector3, 0.35];
  const box = { low: [-0.5, -0.4, -0.6], high: [0.7, 0.8, 0.45] } as const;
  const { counts: [nx, ny, nz], edge, occupied } = carveHull(ballViews(center, radius), box, 24);
  assert.deepEqual([nx, ny, nz], [24, 24, 21]);
  occupied.forEach((value, cell) => {
    const at = [cell % nx, Math.floor(cell / nx) % ny, Math.floor(cell / nx / ny)];
    const middle = at.map((place, axis) => box.low[axis] + (place + 0.5) * edge - center[axis]);
    if (Math.hypot(...middle) < radius) assert.equal(value, 1, `cell ${at}`);
  });
});

Deno.test("prepared cameras agree with the photos: the hull of the others fills each silhouette", async () => {
  const views = sampleViews(LYING, doubled(LENS), { width: 134, height: 102 });
  const capture = await withFolder(nsvfFiles(views), async (folder) => {
    const { views } = await readNsvf(folder);
    return await Promise.all(views.map(async ({ camera, photo }) => ({ camera, photo: await photo() })));
  });
  const hull = capture.map(({ camera, photo }, i) => ({
    name: `view ${i}`,
    camera,
    silhouette: new Silhouette(photo),
  }));
  const move = findNormalisation(hull, null, null);
  const moved = views.map(({ photo }, i) => ({ photo, camera: moveCamera(capture[i].camera, move) }));
  // Views between others; the lowest and the highest of all see gaps that no other does.
  for (const seen of [2, 7, 13]) {
    const others = moved.filter((_, i) => i !== seen);
    const iou = reprojectionIou(moved[seen], others, 0.9);
    assert.ok(iou > 0.9, `view ${seen}: ${iou}`);
    const wrong = { ...moved[seen], camera: moved[(seen + 9) % moved.length].camera };
    assert.ok(reprojectionIou(wrong, others, 0.9) < 0.7, `view ${seen} with the camera of another`);
  }
});

Deno.test("visualHull() says so when silhouettes and cameras are mixed up", () => {
  const views = ballViews([0.6, 0.4, 0], 0.15);
  const shifted = views.map((view, i) => ({ ...view, silhouette: views[(i + 7) % views.length].silhouette }));
  assert.throws(
    () => visualHull(shifted, null),
    (error) => error instanceof BenchError && /no place agrees with all silhouettes/.test(error.message),
  );
});

Deno.test("visualHull() says so when the object is seen from one side only", () => {
  const [view] = ballViews([0, 0, 0], 0.3);
  assert.throws(
    () => visualHull([view, view], null),
    (error) => error instanceof BenchError && /cameras stand on one side/.test(error.message),
  );
});

function doubled({ fx, fy, cx, cy }: typeof LENS): typeof LENS {
  return { fx: 2 * fx, fy: 2 * fy, cx: 2 * cx, cy: 2 * cy };
}

function ballViews(center: Vector3, radius: number): HullView[] {
  return Array.from({ length: 14 }, (_, i) => {
    const orbit = { azimuthDeg: i * 137.5, elevationDeg: -60 + 9.5 * i, distance: 4, fovDeg: 45 };
    const camera = orbitCamera(orbit, 121, 99);
    const { alpha } = renderSolids([ball(center, radius, "#336699")], camera);
    const data = new Uint8Array(4 * alpha.length);
    alpha.forEach((value, pixel) => data[4 * pixel + 3] = value > 0 ? 255 : 0);
    return { name: `view ${i}`, camera, silhouette: new Silhouette({ width: 121, height: 99, data }) };
  });
}
