/** The `mean` fixed point: one Gaussian of the object's average colour, placed by its silhouettes alone. */
import type { Image } from "../env/image.ts";
import { type Camera, cameraEye } from "./camera.ts";
import { nearestPoint } from "./nearest_point.ts";
import type { Vector3 } from "../env/vector3.ts";
import type { Gaussian } from "./scene.ts";
import type { View } from "./task.ts";

/** A pixel is object when its darkest channel is below this: the silhouette rule of the IoU (0.05 from white) in 8 bits. */
const OBJECT_BELOW = 243;

/**
 * Centre: the point nearest, in the sense of least squares, to the rays through the silhouettes' centroids. Scale:
 * the standard deviations of the silhouettes' pixels, in world units; those along the picture's x give the horizontal
 * scale, those along y a blend of horizontal and vertical by the camera's elevation.
 * Colour: mean over the silhouettes' pixels of all photos.
 */
export function meanGaussian(views: readonly View[]): Gaussian {
  const seen = views.flatMap((view) => {
    const silhouette = measure(view.photo);
    return silhouette === null ? [] : [{ camera: view.camera, silhouette }];
  });
  const mean = nearestPoint(
    seen.map(({ camera, silhouette }) => ({
      eye: cameraEye(camera),
      direction: rayDirection(camera, silhouette.centre),
    })),
  );
  const [horizontal, vertical] = spread(seen, mean);
  return {
    id: 1,
    mean,
    scale: [horizontal, horizontal, vertical],
    quaternion: [1, 0, 0, 0],
    color: meanColor(seen),
    opacity: 1,
    group: null,
  };
}

interface Silhouette {
  /** Centroid in pixels, pixel centres at +0.5. */
  centre: readonly [number, number];
  /** Variance along x and y, square pixels. */
  variance: readonly [number, number];
  pixels: number;
  /** Sum of the pixels' colours, 0 to 255. */
  colorSum: Vector3;
}

interface Seen {
  camera: Camera;
  silhouette: Silhouette;
}

/** Null when the photo shows nothing but paper. */
function measure({ width, height, data }: Image): Silhouette | null {
  let [pixels, sumX, sumY, sumXX, sumYY, red, green, blue] = [0, 0, 0, 0, 0, 0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [r, g, b] = data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3);
      if (Math.min(r, g, b) >= OBJECT_BELOW) continue;
      pixels++;
      sumX += x + 0.5;
      sumY += y + 0.5;
      sumXX += (x + 0.5) ** 2;
      sumYY += (y + 0.5) ** 2;
      red += r;
      green += g;
      blue += b;
    }
  }
  if (pixels === 0) return null;
  const [x, y] = [sumX / pixels, sumY / pixels];
  return {
    centre: [x, y],
    variance: [sumXX / pixels - x * x, sumYY / pixels - y * y],
    pixels,
    colorSum: [red, green, blue],
  };
}

/** Unit direction, in the world, of the ray through a point of the picture: Rᵀ K⁻¹ (u, v, 1). */
function rayDirection({ rotation, fx, fy, cx, cy }: Camera, [u, v]: readonly [number, number]): Vector3 {
  const inCamera = [(u - cx) / fx, (v - cy) / fy, 1];
  const length = Math.hypot(...inCamera);
  const along = (axis: 0 | 1 | 2) =>
    (rotation[0][axis] * inCamera[0] + rotation[1][axis] * inCamera[1] + rotation[2][axis]) / length;
  return [along(0), along(1), along(2)];
}

/**
 * Horizontal and vertical standard deviation in world units: H² is the mean of the views' σx², V² the least-squares
 * solution of σy² = H² sin² e + V² cos² e over the views.
 */
function spread(seen: readonly Seen[], [x, y, z]: Vector3): [number, number] {
  let [horizontal, vertical, weight] = [0, 0, 0];
  for (const { camera: { rotation, translation, fx, fy }, silhouette } of seen) {
    const [, down, forward] = rotation;
    const depth = forward[0] * x + forward[1] * y + forward[2] * z + translation[2];
    const across = silhouette.variance[0] * (depth / fx) ** 2;
    const upward = silhouette.variance[1] * (depth / fy) ** 2;
    // The Z part of the picture's downward axis is the cosine of the elevation.
    const cosine = down[2] ** 2;
    horizontal += across / seen.length;
    vertical += cosine * (upward - (1 - cosine) * across);
    weight += cosine ** 2;
  }
  return [deviation(horizontal), deviation(weight === 0 ? horizontal : vertical / weight)];
}

/** The square root, kept between a speck and the object's greatest size. */
function deviation(variance: number): number {
  return Math.min(1, Math.max(0.01, Math.sqrt(Math.max(0, variance))));
}

function meanColor(seen: readonly Seen[]): Vector3 {
  const pixels = seen.reduce((sum, { silhouette }) => sum + silhouette.pixels, 0);
  if (pixels === 0) return [0.5, 0.5, 0.5];
  const mean = (channel: 0 | 1 | 2) =>
    seen.reduce((sum, { silhouette }) => sum + silhouette.colorSum[channel], 0) / pixels / 255;
  return [mean(0), mean(1), mean(2)];
}
