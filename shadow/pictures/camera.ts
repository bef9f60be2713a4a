/** Cameras of the pictures of the hands: parallel ones for most views, the lamp's own for the front. */
import { dot, type Vector3 } from "../../env/vector3.ts";

/** A row of a 3-D projective map: applied to (x, y, z, 1). */
export type Row = readonly [number, number, number, number];

/** Column and row of a point are `column · p / w · p` and `row · p / w · p` in pixels from the top left corner. */
export interface StageCamera {
  readonly width: number;
  readonly height: number;
  readonly column: Row;
  readonly row: Row;
  /** `nearness · p / w · p` is between 0 and 1 on the stage, larger nearer to the camera, and linear on the picture. */
  readonly nearness: Row;
  /** Larger than `LEAST_W` at every point that can be seen. */
  readonly w: Row;
  /** The camera's axes in the world. */
  readonly right: Vector3;
  readonly up: Vector3;
  readonly toward: Vector3;
  /** Pixels a metre: everywhere for a parallel camera, on the screen for the lamp's. */
  readonly scale: number;
  readonly parallel: boolean;
}

/** Points nearer to the lamp than this share of its distance from the screen are not drawn. */
export const LEAST_W = 0.02;

/** Where a point is on the picture, in pixels, or null for one that cannot be seen. */
export function projectPoint(camera: StageCamera, p: Vector3): readonly [x: number, y: number] | null {
  const w = applyRow(camera.w, p);
  if (!(w > LEAST_W)) return null;
  return [applyRow(camera.column, p) / w, applyRow(camera.row, p) / w];
}

/** row · (p, 1). */
export function applyRow([a, b, c, d]: Row, p: Vector3): number {
  return dot([a, b, c], p) + d;
}
