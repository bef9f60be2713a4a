/** The visual hull in voxels: places that every silhouette allows. */
import type { Image } from "../../env/image.ts";
import type { Camera } from "../camera.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { View } from "../task.ts";

/** Cubes that fill [−0.9, 0.9]³; voxel (i, j, k) is number (k n + j) n + i. */
export interface Voxels {
  /** Voxels along each edge. */
  readonly n: number;
  /** Edge of a voxel, world units. */
  readonly edge: number;
  /** 1 where the object may be. [n, n, n] */
  readonly filled: Uint8Array;
}

/** Half the side of the cube that holds every object. */
const HALF_SIDE = 0.9;

/** Photos are white off the object. A pixel that is nearly so is mostly off it. */
const OBJECT_BELOW = 230;

/** A voxel stays if its centre lies on the object in every photo. */
export function voxelHull(views: readonly View[], n: number): Voxels {
  const edge = 2 * HALF_SIDE / n;
  const filled = new Uint8Array(n * n * n);
  const looks = views.map(({ camera, photo }) => ({ camera, mask: objectMask(photo) }));
  let at = 0;
  for (let k = 0; k < n; k++) {
    for (let j = 0; j < n; j++) {
      for (let i = 0; i < n; i++, at++) {
        const [x, y, z] = [along(edge, i), along(edge, j), along(edge, k)];
        let inside = 1;
        for (let v = 0; v < looks.length && inside; v++) {
          const { camera, mask } = looks[v];
          const pixel = pixelAt(camera, x, y, z);
          inside = pixel < 0 ? 0 : mask[pixel];
        }
        filled[at] = inside;
      }
    }
  }
  return { n, edge, filled };
}

/** Centre of a voxel, world units. */
export function voxelCenter({ n, edge }: Voxels, at: number): Vector3 {
  return [along(edge, at % n), along(edge, Math.floor(at / n) % n), along(edge, Math.floor(at / (n * n)))];
}

/** Whether a filled voxel has an empty one beside it, or the border of the grid. */
export function isOnSurface({ n, filled }: Voxels, at: number): boolean {
  const [i, j, k] = [at % n, Math.floor(at / n) % n, Math.floor(at / (n * n))];
  return i === 0 || j === 0 || k === 0 || i === n - 1 || j === n - 1 || k === n - 1 ||
    !filled[at - 1] || !filled[at + 1] || !filled[at - n] || !filled[at + n] ||
    !filled[at - n * n] || !filled[at + n * n];
}

/** Index of the pixel that shows a point; −1 outside the picture and behind the camera. */
export function pixelAt(camera: Camera, x: number, y: number, z: number): number {
  const { rotation: [r, d, f], translation: t, width, height } = camera;
  const depth = f[0] * x + f[1] * y + f[2] * z + t[2];
  if (!(depth > 0)) return -1;
  const u = Math.floor(camera.fx * (r[0] * x + r[1] * y + r[2] * z + t[0]) / depth + camera.cx);
  const v = Math.floor(camera.fy * (d[0] * x + d[1] * y + d[2] * z + t[1]) / depth + camera.cy);
  return u >= 0 && v >= 0 && u < width && v < height ? v * width + u : -1;
}

function along(edge: number, i: number): number {
  return (i + 0.5) * edge - HALF_SIDE;
}

function objectMask({ width, height, data }: Image): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, pixel) => {
    return Math.min(data[3 * pixel], data[3 * pixel + 1], data[3 * pixel + 2]) < OBJECT_BELOW ? 1 : 0;
  });
}
