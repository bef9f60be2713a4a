/** New colours from what a render shows beside its photo. */
import type { Image } from "../../env/image.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { View } from "../task.ts";
import { frontPixels } from "./front_pixels.ts";
import type { Ellipsoid } from "./hull_gaussians.ts";

/** Share of the difference that is made up for at once. */
const STEP = 0.8;
/** Radii behind the front-most one that still count as seen. */
const DEPTH_SLACK = 2;

/**
 * Each Gaussian's colour, moved by the mean difference between photo and render around its mean, over the views that
 * see it in front; one that no view sees keeps its colour.
 *
 * @param renders of all of them, one a view
 */
export function recolored(
  gaussians: readonly Ellipsoid[],
  views: readonly View[],
  renders: readonly Image[],
): Vector3[] {
  const blobs = gaussians.map(({ mean, scale }) => ({ mean, radius: middle(scale) }));
  const sums = gaussians.map(() => [0, 0, 0]);
  const seen = gaussians.map(() => 0);
  views.forEach(({ photo, camera }, v) => {
    frontPixels(camera, blobs, DEPTH_SLACK).forEach((pixel, g) => {
      if (pixel < 0) return;
      for (let c = 0; c < 3; c++) {
        sums[g][c] += differenceAround(photo, renders[v], pixel, c);
      }
      seen[g]++;
    });
  });
  return gaussians.map(({ color }, g) => {
    if (seen[g] === 0) return color;
    const moved = (c: 0 | 1 | 2) => Math.min(1, Math.max(0, color[c] + STEP * sums[g][c] / seen[g]));
    return [moved(0), moved(1), moved(2)];
  });
}

/** Mean of photo − render over a pixel and its neighbours, in [−1, 1]. */
function differenceAround(photo: Image, render: Image, pixel: number, channel: number): number {
  const { width, height } = photo;
  const [u, v] = [pixel % width, Math.floor(pixel / width)];
  let [sum, count] = [0, 0];
  for (let y = Math.max(0, v - 1); y <= Math.min(height - 1, v + 1); y++) {
    for (let x = Math.max(0, u - 1); x <= Math.min(width - 1, u + 1); x++) {
      const at = 3 * (y * width + x) + channel;
      sum += photo.data[at] - render.data[at];
      count++;
    }
  }
  return sum / count / 255;
}

/** A flat Gaussian covers what its longer axes span. */
function middle(scale: Vector3): number {
  return [...scale].sort((a, b) => a - b)[1];
}
