import assert from "node:assert/strict";
import { blankImage } from "../../../env/image.ts";
import { fromAxisAngle } from "../../../env/quaternion.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import { orbitCamera } from "../../../splat/camera.ts";
import type { Gaussian, Scene } from "../../../splat/scene.ts";
import { areaRatio, bestScale, photoArea, renderArea, rmsRadius } from "../../../splat/shape/build_size.ts";
import { enlarged } from "../../../splat/shape/mirror_scene.ts";

const ball = (mean: Vector3, scale: Vector3 = [0.1, 0.1, 0.1], opacity = 1): Gaussian => ({
  id: 1,
  mean,
  scale,
  quaternion: [1, 0, 0, 0],
  color: [0, 0, 0],
  opacity,
  group: null,
});
const camera = (azimuthDeg: number) =>
  orbitCamera({ azimuthDeg, elevationDeg: 0, distance: 1e6, fovDeg: 1 }, 9, 7);
const AROUND = [0, 90, 180, 270].map(camera);

Deno.test("bestScale() undoes an enlargement, and is 1 where the size makes no difference", async () => {
  const object = [ball([0.3, 0, 0])];
  const score = (scenes: readonly Scene[]) =>
    Promise.resolve(scenes.map(([{ mean: [x] }]) => -Math.abs(Math.log(x / 0.3))));
  for (const factor of [1, 2 ** 0.4, 2 ** -0.7]) {
    assert.ok(Math.abs(await bestScale(enlarged(object, factor), score) * factor - 1) < 1e-12);
  }
  assert.equal(await bestScale([], (scenes) => Promise.resolve(scenes.map(() => 0))), 1);
});

Deno.test("photoArea() and renderArea() count silhouettes, areaRatio() leaves out views of nothing", () => {
  const photo = blankImage(5, 3, [255, 255, 255]);
  photo.data.set([255, 242, 255, 10, 10, 10, 250, 244, 243], 6);
  assert.equal(photoArea(photo), 2);
  assert.equal(renderArea(Float32Array.of(0, 0, 0, 0.49, 1, 1, 1, 0.5, 0, 0, 0, 0)), 2);
  assert.equal(areaRatio([3, 9, 10], [2, 0, 20]), 1);
  assert.equal(areaRatio([], []), 0);
});

Deno.test("rmsRadius() is that of the closed form", () => {
  const sigma = 0.1;
  const two = [ball([0.4, 0, 0]), ball([-0.4, 0, 0])];
  // Equal balls: distance to the centroid, and the trace of a ball.
  assert.ok(Math.abs(rmsRadius(two, AROUND) - Math.sqrt(0.16 + 3 * sigma ** 2)) < 1e-6);
  const [a, b] = [ball([0.4, 0, 0], undefined, 0.9), ball([-0.4, 0, 0], undefined, 0.1)];
  // 0.9 and 0.1 of the weight: variance 4 · 0.9 · 0.1 · 0.4².
  assert.ok(Math.abs(rmsRadius([a, b], AROUND) - Math.sqrt(0.36 * 0.16 + 3 * sigma ** 2)) < 1e-6);
  assert.equal(rmsRadius([], AROUND), 0);
  assert.ok(Math.abs(rmsRadius(enlarged(two, 1.7), AROUND) / rmsRadius(two, AROUND) - 1.7) < 1e-5);
});

Deno.test("rmsRadius() weighs a Gaussian by the area that it shows to the cameras", () => {
  // A plate at x = 1 that shows its face along x and a thin edge along y; a ball at x = −1.
  const plate = ball([1, 0, 0], [0.01, 0.2, 0.3]);
  const other = ball([-1, 0, 0], [0.1, 0.1, 0.1]);
  for (const [azimuth, area] of [[0, 0.2 * 0.3], [90, 0.01 * 0.3]]) {
    const [p, q] = [area / (area + 0.01), 0.01 / (area + 0.01)];
    const spread = 4 * p * q + p * (0.01 ** 2 + 0.2 ** 2 + 0.3 ** 2) + q * 0.03;
    assert.ok(Math.abs(rmsRadius([plate, other], [camera(azimuth)]) - Math.sqrt(spread)) < 1e-5);
    // Turned with the camera it shows the same.
    const turned = {
      ...plate,
      mean: [0, 1, 0] as Vector3,
      quaternion: fromAxisAngle([0, 0, 1], 90),
    };
    const opposite = { ...other, mean: [0, -1, 0] as Vector3 };
    assert.ok(Math.abs(rmsRadius([turned, opposite], [camera(azimuth + 90)]) - Math.sqrt(spread)) < 1e-5);
  }
});
