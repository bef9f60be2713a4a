/** Which photos of a capture become a task's views. */
import { type Camera, cameraEye } from "../camera.ts";
import { nearestPoint } from "../nearest_point.ts";
import type { Vector3 } from "../../env/vector3.ts";

/**
 * Cameras in farthest-point order on the sphere around the point they look at: the first, then always the one whose
 * nearest camera so far is furthest away, in angle; ties go to the earlier one. Any beginning of the order is spread
 * out, and each camera is far from all before it.
 *
 * @param count how many are wanted; all when there are fewer
 * @returns places in `cameras`
 */
export function farthestOrder(cameras: readonly Camera[], count: number): number[] {
  const eyes = cameras.map(cameraEye);
  const center = nearestPoint(cameras.map(({ rotation }, i) => ({ eye: eyes[i], direction: rotation[2] })));
  const directions = eyes.map((eye) => direction(center, eye));
  /** Largest cosine to a chosen camera. */
  const closeness = directions.map(() => -Infinity);
  const order: number[] = [];
  while (order.length < Math.min(count, cameras.length)) {
    let next = -1;
    closeness.forEach((value, i) => {
      if (!order.includes(i) && (next < 0 || value < closeness[next])) next = i;
    });
    order.push(next);
    directions.forEach((other, i) => closeness[i] = Math.max(closeness[i], dot(other, directions[next])));
  }
  return order;
}

/**
 * Places of the cameras that stand and look like none before them. A photo that comes twice would be a reference view
 * and a held-out view of one task. The lens does not count: another crop shows the same.
 */
export function differentCameras(cameras: readonly Camera[]): number[] {
  const eyes = cameras.map(cameraEye);
  const size = Math.max(...eyes.map((eye) => distance(eye, eyes[0])));
  const turn = (i: number, j: number) =>
    Math.max(
      ...cameras[i].rotation.flatMap((row, r) =>
        row.map((value, c) => Math.abs(value - cameras[j].rotation[r][c]))
      ),
    );
  const taken: number[] = [];
  eyes.forEach((eye, i) => {
    const again = taken.some((j) => distance(eye, eyes[j]) <= SAME * size && turn(i, j) <= SAME);
    if (!again) taken.push(i);
  });
  return taken;
}

/** Of the cameras' spread, and of a rotation's entries. */
const SAME = 1e-6;

function distance(a: Vector3, b: Vector3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

function direction(from: Vector3, to: Vector3): Vector3 {
  const [x, y, z] = [to[0] - from[0], to[1] - from[1], to[2] - from[2]];
  const length = Math.hypot(x, y, z) || 1;
  return [x / length, y / length, z / length];
}

function dot(a: Vector3, b: Vector3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
