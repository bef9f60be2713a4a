import assert from "node:assert/strict";
import { cameraOrbit } from "../../splat/camera.ts";
import { standardRig } from "../../splat/rig.ts";

const { reference, heldOut } = standardRig();
const cameras = [...reference, ...heldOut];

Deno.test("standardRig() has 8 + 8 right-handed orthonormal cameras of 256 × 256", () => {
  assert.deepEqual([reference.length, heldOut.length], [8, 8]);
  for (const { rotation: [a, b, c], width, height } of cameras) {
    assert.deepEqual([width, height], [256, 256]);
    const dot = (u: readonly number[], v: readonly number[]) =>
      u.reduce((sum, value, i) => sum + value * v[i], 0);
    for (
      const [u, v, expected] of [[a, a, 1], [b, b, 1], [c, c, 1], [a, b, 0], [b, c, 0], [c, a, 0]] as const
    ) {
      assert.ok(Math.abs(dot(u, v) - expected) < 1e-14);
    }
    const cross = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    assert.ok(Math.abs(dot(cross, c) - 1) < 1e-14);
  }
});

Deno.test("standardRig() holds the whole cube [−0.9, 0.9]³ in every picture", () => {
  for (const { rotation, translation, fx, fy, cx, cy } of cameras) {
    for (let corner = 0; corner < 8; corner++) {
      const point = [1, 2, 4].map((bit) => corner & bit ? 0.9 : -0.9);
      const [x, y, z] = rotation.map((row, i) =>
        row.reduce((sum, v, j) => sum + v * point[j], translation[i])
      );
      const [u, v] = [fx * x / z + cx, fy * y / z + cy];
      assert.ok(z > 0 && Math.min(u, v) > 1 && Math.max(u, v) < 255, `corner ${point} at ${u}, ${v}`);
    }
  }
});

Deno.test("standardRig() spreads its cameras and keeps off the poles", () => {
  const orbits = cameras.map(cameraOrbit);
  const azimuths = orbits.map(({ azimuthDeg }) => Math.round(azimuthDeg * 10) / 10 % 360);
  assert.equal(new Set(azimuths).size, 16);
  assert.ok(orbits.every(({ elevationDeg }) => elevationDeg > -30 && elevationDeg < 75));
  for (const ring of [orbits.slice(0, 8), orbits.slice(8)]) {
    const elevations = ring.map(({ elevationDeg }) => elevationDeg);
    assert.ok(Math.min(...elevations) < 0 && Math.max(...elevations) > 40);
  }
});
