/** The voxels that photos can see, with the colours that they see. */
import { cameraEye } from "../camera.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { View } from "../task.ts";
import { dot } from "../../env/vector3.ts";
import { frontPixels } from "./front_pixels.ts";
import { isOnSurface, voxelCenter, type Voxels } from "./voxel_hull.ts";

/** A voxel with at least one empty neighbour. */
export interface SurfaceVoxel {
  readonly center: Vector3;
  /** Outward, unit length; 0 where the neighbourhood has no preferred side. */
  readonly normal: Vector3;
  /** In [0, 1]. */
  readonly color: Vector3;
}

/** What lies this many half edges behind the front-most voxel is still seen. */
const DEPTH_SLACK = 5;
/** Voxels each way that a normal is made of. */
const REACH = 2;

/**
 * Surface voxels in order of their numbers. Colours are means over the views in which a voxel is front-most, those that
 * it faces counting most; what no view sees gets the mean of all that is seen.
 */
export function coloredSurface(voxels: Voxels, views: readonly View[]): SurfaceVoxel[] {
  const shapes: { center: Vector3; normal: Vector3 }[] = [];
  voxels.filled.forEach((filled, at) => {
    if (!filled || !isOnSurface(voxels, at)) return;
    shapes.push({ center: voxelCenter(voxels, at), normal: normalAt(voxels, at) });
  });
  const blobs = shapes.map(({ center }) => ({ mean: center, radius: voxels.edge / 2 }));
  const sums = shapes.map((): [number, number, number] => [0, 0, 0]);
  const weights = new Float64Array(shapes.length);
  for (const { photo, camera } of views) {
    const eye = cameraEye(camera);
    frontPixels(camera, blobs, DEPTH_SLACK).forEach((pixel, s) => {
      if (pixel < 0) return;
      const weight = facing(shapes[s], eye);
      for (let c = 0; c < 3; c++) sums[s][c] += weight * photo.data[3 * pixel + c] / 255;
      weights[s] += weight;
    });
  }
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const overall = (c: number) => total > 0 ? sums.reduce((sum, color) => sum + color[c], 0) / total : 0.5;
  const unseen: Vector3 = [overall(0), overall(1), overall(2)];
  return shapes.map((shape, s) => {
    const [r, g, b] = sums[s];
    const weight = weights[s];
    return { ...shape, color: weight > 0 ? [r / weight, g / weight, b / weight] : unseen };
  });
}

/** From what is filled nearby to what is not. */
function normalAt({ n, filled }: Voxels, at: number): Vector3 {
  const [i, j, k] = [at % n, Math.floor(at / n) % n, Math.floor(at / (n * n))];
  let [x, y, z] = [0, 0, 0];
  for (let dk = -REACH; dk <= REACH; dk++) {
    for (let dj = -REACH; dj <= REACH; dj++) {
      for (let di = -REACH; di <= REACH; di++) {
        const [a, b, c] = [i + di, j + dj, k + dk];
        const inside = a >= 0 && b >= 0 && c >= 0 && a < n && b < n && c < n;
        if (inside && filled[(c * n + b) * n + a]) continue;
        x += di;
        y += dj;
        z += dk;
      }
    }
  }
  const length = Math.hypot(x, y, z);
  return length === 0 ? [0, 0, 0] : [x / length, y / length, z / length];
}

/** Square of the cosine between normal and line of sight; a little for what is turned away, or has no normal. */
function facing({ center, normal }: { center: Vector3; normal: Vector3 }, eye: Vector3): number {
  const toEye: Vector3 = [eye[0] - center[0], eye[1] - center[1], eye[2] - center[2]];
  return Math.max(0, dot(normal, toEye) / Math.hypot(...toEye)) ** 2 + 0.01;
}
