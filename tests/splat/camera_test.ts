import assert from "node:assert/strict";
import {
  type Camera,
  cameraEye,
  cameraFromRow,
  cameraOrbit,
  cameraToRow,
  type Orbit,
  orbitCamera,
} from "../../splat/camera.ts";
import type { Vector3 } from "../../env/vector3.ts";

const ORBITS: readonly Orbit[] = [
  { azimuthDeg: 0, elevationDeg: 0, distance: 4.6, fovDeg: 40 },
  { azimuthDeg: 90, elevationDeg: 30, distance: 3, fovDeg: 25 },
  { azimuthDeg: 247.5, elevationDeg: -15, distance: 2.5, fovDeg: 70 },
  { azimuthDeg: 315, elevationDeg: 60, distance: 5, fovDeg: 50 },
];

/** u = fx X/Z + cx, v = fy Y/Z + cy. */
function project({ rotation, translation, fx, fy, cx, cy }: Camera, point: Vector3): [number, number] {
  const [x, y, z] = rotation.map((row, i) =>
    row.reduce((sum, part, k) => sum + part * point[k], translation[i])
  );
  return [fx * x / z + cx, fy * y / z + cy];
}

function near(actual: readonly number[], expected: readonly number[]) {
  actual.forEach((part, i) =>
    assert.ok(Math.abs(part - expected[i]) < 1e-12, `${actual} is not ${expected}`)
  );
}

Deno.test("orbitCamera() stands at d (cos e cos a, cos e sin a, sin e) and cameraEye() finds it", () => {
  for (const orbit of ORBITS) {
    const [a, e] = [orbit.azimuthDeg * Math.PI / 180, orbit.elevationDeg * Math.PI / 180];
    const place = [Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e)];
    near(cameraEye(orbitCamera(orbit, 61, 37)), place.map((part) => orbit.distance * part));
  }
});

Deno.test("orbitCamera() sees the origin in the middle, +Z upwards, and the field of view at the border", () => {
  for (const orbit of ORBITS) {
    const camera = orbitCamera(orbit, 61, 37);
    near(project(camera, [0, 0, 0]), [30.5, 18.5]);
    const [u, v] = project(camera, [0, 0, 0.3]);
    assert.ok(Math.abs(u - 30.5) < 1e-12 && v < 18.5);
    const right = camera.rotation[0];
    const reach = orbit.distance * Math.tan(orbit.fovDeg * Math.PI / 360);
    near(project(camera, [reach * right[0], reach * right[1], reach * right[2]]), [61, 18.5]);
  }
});

Deno.test("orbitCamera() keeps its azimuth straight above: at azimuth 0 +Y is right and +X is down", () => {
  const { rotation } = orbitCamera({ azimuthDeg: 0, elevationDeg: 90, distance: 3, fovDeg: 40 }, 31, 17);
  [[0, 1, 0], [1, 0, 0], [0, 0, -1]].forEach((axis, i) => near(rotation[i], axis));
});

Deno.test("cameraOrbit() finds the orbit again, cameraFromRow() the camera", () => {
  for (const orbit of ORBITS) {
    const camera = orbitCamera(orbit, 61, 37);
    const { azimuthDeg, elevationDeg, distance, fovDeg } = cameraOrbit(camera);
    near(
      [azimuthDeg % 360, elevationDeg, distance, fovDeg].map((part) => part / 100),
      [
        orbit.azimuthDeg,
        orbit.elevationDeg,
        orbit.distance,
        orbit.fovDeg,
      ].map((part) => part / 100),
    );
    assert.deepEqual(cameraFromRow(cameraToRow(camera), 61, 37), camera);
  }
});
