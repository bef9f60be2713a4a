/** The outline of a visual hull as another camera sees it, by walking along rays; no grid, no code of the product. */
import type { Camera } from "../../../splat/camera.ts";
import type { RgbaImage } from "../../../env/png.ts";
import { apply, transpose } from "../../../splat/objects/rotation.ts";

export interface Cut {
  camera: Camera;
  photo: RgbaImage;
}

/**
 * Intersection over union of the photo's silhouette and the hull of the other views, seen by its camera.
 *
 * @param reach half edge of a cube around the origin that holds the object
 */
export function reprojectionIou(seen: Cut, others: readonly Cut[], reach: number, steps = 120): number {
  const { camera: { rotation, translation, fx, fy, cx, cy }, photo: { width, height, data } } = seen;
  const toWorld = transpose(rotation);
  const eye = apply(toWorld, translation).map((value) => -value);
  const distance = Math.hypot(...eye);
  const span = reach * Math.sqrt(3);
  let [both, either] = [0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const direction = apply(toWorld, [(x + 0.5 - cx) / fx, (y + 0.5 - cy) / fy, 1]);
      let hit = false;
      for (let step = 0; step < steps && !hit; step++) {
        const t = distance - span + 2 * span * (step + 0.5) / steps;
        const p = eye.map((value, axis) => value + t * direction[axis]);
        hit = p.every((value) => Math.abs(value) <= reach) && others.every((other) => shows(other, p));
      }
      const isObject = data[4 * (y * width + x) + 3] >= 128;
      if (hit && isObject) both++;
      if (hit || isObject) either++;
    }
  }
  return both / either;
}

function shows({ camera, photo: { width, height, data } }: Cut, [px, py, pz]: readonly number[]): boolean {
  const [x, y, z] = apply(camera.rotation, [px, py, pz]).map((value, i) => value + camera.translation[i]);
  const column = Math.floor(camera.fx * x / z + camera.cx);
  const row = Math.floor(camera.fy * y / z + camera.cy);
  return z > 0 && column >= 0 && column < width && row >= 0 && row < height &&
    data[4 * (row * width + column) + 3] >= 128;
}
