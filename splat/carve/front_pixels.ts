/** Which points a camera sees in front of all others. */
import type { Camera } from "../camera.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { dot } from "../../env/vector3.ts";
import { pixelAt } from "./voxel_hull.ts";

/** A point that hides what is behind it. */
export interface Blob {
  readonly mean: Vector3;
  /** Half the edge of the square that it covers, world units. */
  readonly radius: number;
}

/**
 * Pixel of each blob's mean, row-major; −1 where it is outside the picture, or more than `slack` times its radius
 * behind the nearest one there.
 */
export function frontPixels(camera: Camera, blobs: readonly Blob[], slack: number): Int32Array {
  const { rotation: [, , forward], translation, fx, width, height } = camera;
  const pixels = new Int32Array(blobs.length);
  const depths = new Float64Array(blobs.length);
  const nearest = new Float64Array(width * height).fill(Infinity);
  blobs.forEach(({ mean, radius }, b) => {
    pixels[b] = pixelAt(camera, ...mean);
    if (pixels[b] < 0) return;
    const [u, v] = [pixels[b] % width, Math.floor(pixels[b] / width)];
    const depth = dot(forward, mean) + translation[2];
    depths[b] = depth;
    const reach = Math.ceil(radius * fx / depth);
    for (let y = Math.max(0, v - reach); y <= Math.min(height - 1, v + reach); y++) {
      for (let x = Math.max(0, u - reach); x <= Math.min(width - 1, u + reach); x++) {
        nearest[y * width + x] = Math.min(nearest[y * width + x], depth);
      }
    }
  });
  return pixels.map((pixel, b) =>
    pixel >= 0 && depths[b] <= nearest[pixel] + slack * blobs[b].radius ? pixel : -1
  );
}
