import assert from "node:assert/strict";
import { blankImage } from "../../env/image.ts";
import { type Camera, cameraEye, orbitCamera } from "../../splat/camera.ts";
import { meanGaussian } from "../../splat/mean_gaussian.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { View } from "../../splat/task.ts";

const CENTRE: Vector3 = [0.2, -0.15, 0.1];
const COLOR = [40, 120, 200];

/** Photo of a flat-coloured ellipsoid with horizontal and vertical radius, by intersecting each pixel's ray. */
function photograph(camera: Camera, horizontal: number, vertical: number): View {
  const photo = blankImage(camera.width, camera.height);
  const radii = [horizontal, horizontal, vertical];
  const eye = cameraEye(camera).map((part, i) => (part - CENTRE[i]) / radii[i]);
  for (let y = 0; y < camera.height; y++) {
    for (let x = 0; x < camera.width; x++) {
      const ray = [(x + 0.5 - camera.cx) / camera.fx, (y + 0.5 - camera.cy) / camera.fy, 1];
      const d = radii.map((radius, i) =>
        camera.rotation.reduce((sum, row, k) => sum + row[i] * ray[k], 0) / radius
      );
      const [a, b, c] = [dot(d, d), dot(d, eye), dot(eye, eye) - 1];
      if (b * b >= a * c) photo.data.set(COLOR, (y * camera.width + x) * 3);
    }
  }
  return { photo, camera };
}

const dot = (a: readonly number[], b: readonly number[]) =>
  a.reduce((sum, value, i) => sum + value * b[i], 0);

function cameras(): Camera[] {
  return [15, 35, -15, 50, 10, 30, 0, 60].map((elevationDeg, i) =>
    orbitCamera({ azimuthDeg: 45 * i, elevationDeg, distance: 5, fovDeg: 40 }, 120, 94)
  );
}

Deno.test("meanGaussian() finds centre, half radii and colour of an ellipsoid", () => {
  // A disc of radius r has standard deviation r / 2 along each axis.
  for (const [horizontal, vertical] of [[0.4, 0.4], [0.5, 0.25], [0.2, 0.5]]) {
    const { mean, scale, color } = meanGaussian(
      cameras().map((camera) => photograph(camera, horizontal, vertical)),
    );
    // Perspective moves centroids by a little: a tenth of the smallest radius is allowed.
    mean.forEach((part, i) => assert.ok(Math.abs(part - CENTRE[i]) < 0.02, `centre ${mean}`));
    const expected = [horizontal / 2, horizontal / 2, vertical / 2];
    scale.forEach((part, i) =>
      assert.ok(Math.abs(part / expected[i] - 1) < 0.04, `scale ${scale}, not ${expected}`)
    );
    color.forEach((part, i) => assert.ok(Math.abs(part - COLOR[i] / 255) < 1e-12));
  }
});

Deno.test("meanGaussian() of blank photos is a gray speck at the origin", () => {
  const blank = cameras().map((camera) => ({ camera, photo: blankImage(camera.width, camera.height) }));
  assert.deepEqual(meanGaussian(blank), {
    id: 1,
    mean: [0, 0, 0],
    scale: [0.01, 0.01, 0.01],
    quaternion: [1, 0, 0, 0],
    color: [0.5, 0.5, 0.5],
    opacity: 1,
    group: null,
  });
});
