/** How far a built object stands from where the photos show it. */
import type { Image } from "../../env/image.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { solve3 } from "../solve3.ts";
import type { View } from "../task.ts";
import { dot } from "../../env/vector3.ts";

/**
 * The translation that brings the renders' centroids of darkness onto the photos', by least squares over the views:
 * Σ |f/z (r · t, d · t) − (Δu, Δv)|², with r and d a picture's axes in the world and z the depth of the origin.
 *
 * @param renders one a view; a view without an object in photo or render does not count
 */
export function offsetFrom(renders: readonly Image[], views: readonly View[]): Vector3 {
  const matrix = [[1e-9, 0, 0], [0, 1e-9, 0], [0, 0, 1e-9]];
  const right = [0, 0, 0];
  views.forEach(({ photo, camera: { rotation, translation, fx, fy } }, v) => {
    const [wanted, is] = [centroid(photo), centroid(renders[v])];
    if (wanted === null || is === null) return;
    const depth = translation[2];
    [[rotation[0], fx, wanted[0] - is[0]] as const, [rotation[1], fy, wanted[1] - is[1]] as const].forEach(
      ([axis, focal, shift]) => {
        const scale = focal / depth;
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) matrix[i][j] += scale * scale * axis[i] * axis[j];
          right[i] += scale * axis[i] * shift;
        }
      },
    );
  });
  const found = solve3(matrix, right);
  return Number.isFinite(dot(found, found)) ? found : [0, 0, 0];
}

/** Of a picture's darkness, in pixels; null for white paper. */
function centroid({ width, height, data }: Image): [number, number] | null {
  let [weight, x, y] = [0, 0, 0];
  for (let pixel = 0; pixel < width * height; pixel++) {
    const dark = 765 - data[3 * pixel] - data[3 * pixel + 1] - data[3 * pixel + 2];
    weight += dark;
    x += dark * (pixel % width);
    y += dark * Math.floor(pixel / width);
  }
  return weight === 0 ? null : [x / weight, y / weight];
}
