import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { type Camera, cameraEye, orbitCamera } from "../../../splat/camera.ts";
import { apply } from "../../../splat/objects/rotation.ts";
import { differentCameras, farthestOrder } from "../../../splat/prepare/choose_views.ts";
import type { Vector3 } from "../../../env/vector3.ts";

function at(azimuthDeg: number, elevationDeg: number, target: Vector3 = [0, 0, 0]): Camera {
  const camera = orbitCamera({ azimuthDeg, elevationDeg, distance: 3, fovDeg: 40 }, 31, 23);
  const [x, y, z] = apply(camera.rotation, target);
  const [tx, ty, tz] = camera.translation;
  return { ...camera, translation: [tx - x, ty - y, tz - z] };
}

Deno.test("farthestOrder() walks a ring in halves and leaves near doubles to the end", () => {
  const azimuths = [0, 1, 47, 90, 92, 180, 224, 268];
  assert.deepEqual(farthestOrder(azimuths.map((azimuth) => at(azimuth, 0)), 8), [0, 5, 3, 7, 6, 2, 4, 1]);
});

Deno.test("farthestOrder() starts each view furthest from all before it, wherever the object is", () => {
  const draw = stream(5, "cameras");
  const target: Vector3 = [40, -10, 3];
  const cameras = Array.from({ length: 60 }, () => at(draw.range(0, 360), draw.range(-10, 80), target));
  const order = farthestOrder(cameras, 16);
  assert.equal(new Set(order).size, 16);
  for (let next = 1; next < order.length; next++) {
    const before = order.slice(0, next);
    const nearest = (i: number) => Math.min(...before.map((j) => angle(cameras[i], cameras[j], target)));
    const best = Math.max(...cameras.map((_, i) => nearest(i)));
    assert.ok(nearest(order[next]) > best - 1e-6, `view ${order[next]}`);
  }
});

Deno.test("farthestOrder() is one for the same cameras, gives all of few, and every camera once", () => {
  const cameras = [at(0, 0), at(0, 0), at(0, 0), at(120, 30)];
  assert.deepEqual(farthestOrder(cameras, 9), [0, 3, 1, 2]);
});

Deno.test("differentCameras() keeps the first of those that stand and look alike, whatever the world's size", () => {
  for (const k of [1, 1e-4, 1e4]) {
    const sized = (camera: Camera): Camera => {
      const [x, y, z] = camera.translation;
      return { ...camera, translation: [k * x, k * y, k * z] };
    };
    const cameras = [at(0, 0), at(90, 0), at(0, 1e-6), at(0, 0.01), at(90, 0), { ...at(0, 0), fx: 9 }].map(
      sized,
    );
    assert.deepEqual(differentCameras(cameras), [0, 1, 3]);
  }
  assert.deepEqual(differentCameras([]), []);
});

function angle(a: Camera, b: Camera, target: Vector3): number {
  const [u, v] = [a, b].map((camera) => cameraEye(camera).map((value, axis) => (value - target[axis]) / 3));
  return Math.acos(Math.min(1, u[0] * v[0] + u[1] * v[1] + u[2] * v[2]));
}
