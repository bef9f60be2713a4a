/** One similarity for a whole capture: +Z up, the object inside [−0.9, 0.9]³, cameras moved along. */
import type { Camera } from "../camera.ts";
import type { Bounds } from "../objects/bounds.ts";
import { apply, type Matrix3, transpose, UNTURNED } from "../objects/rotation.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { solve3 } from "../solve3.ts";
import { checkAgreement } from "./hull_agreement.ts";
import { type HullView, visualHull } from "./visual_hull.ts";

/** Half edge of the cube that every object lies in. */
export const CUBE = 0.9;

/** p' = k A (p − c). */
export interface Similarity {
  readonly scale: number;
  readonly turn: Matrix3;
  readonly center: Vector3;
}

/**
 * The similarity that stands the object up and fits the box around its visual hull into the cube.
 *
 * @param up unit vector in the capture's world, or null to ask the cameras
 * @param within a box in the capture's world that holds the object, or null
 * @throws BenchError when silhouettes and cameras contradict each other
 */
export function findNormalisation(
  views: readonly HullView[],
  up: Vector3 | null,
  within: Bounds | null,
): Similarity {
  const turn = turnToZ(up ?? upOf(views.map(({ camera }) => camera)));
  const upright = { scale: 1, turn, center: [0, 0, 0] } as const;
  const turned = views.map((view) => ({ ...view, camera: moveCamera(view.camera, upright) }));
  const box = within === null ? null : turnBox(within, turn);
  const { grid, bounds: { low, high } } = visualHull(turned, box);
  checkAgreement(turned, grid, box);
  const middle: Vector3 = [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2];
  const half = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
  return { scale: CUBE / half, turn, center: apply(transpose(turn), middle) };
}

/** The camera that sees the moved world as the old one saw the old: R' = R Aᵀ, t' = k (t + R c). */
export function moveCamera(camera: Camera, { scale, turn, center }: Similarity): Camera {
  const { rotation, translation } = camera;
  const [x, y, z] = apply(rotation, center);
  return {
    ...camera,
    rotation: [apply(turn, rotation[0]), apply(turn, rotation[1]), apply(turn, rotation[2])],
    translation: [scale * (translation[0] + x), scale * (translation[1] + y), scale * (translation[2] + z)],
  };
}

/** The shortest turn of a unit vector to +Z: I + [v]× + [v]×² / (1 + c), v = u × z, c = u · z. */
export function turnToZ([x, y, z]: Vector3): Matrix3 {
  // Straight down has no shortest way; any half turn about a level axis does.
  if (z < -1 + 1e-12) return [[1, 0, 0], [0, -1, 0], [0, 0, -1]];
  if (x === 0 && y === 0) return UNTURNED;
  const k = 1 / (1 + z);
  return [[1 - k * x * x, -k * x * y, -x], [-k * x * y, 1 - k * y * y, -y], [x, y, z]];
}

/**
 * Up as the cameras were held: the mean m of their −y axes, corrected by one step of inverse iteration, (Σ x xᵀ / n +
 * ε I)⁻¹ m, towards the direction that all their x axes are perpendicular to. The mean alone leans over when some sides
 * were photographed from higher up than others; level cameras put this right exactly.
 */
export function upOf(cameras: readonly Camera[]): Vector3 {
  const mean = [0, 0, 0];
  const matrix = [[LEVEL, 0, 0], [0, LEVEL, 0], [0, 0, LEVEL]];
  for (const { rotation: [x, y] } of cameras) {
    for (const i of [0, 1, 2]) {
      mean[i] -= y[i];
      for (const j of [0, 1, 2]) matrix[i][j] += x[i] * x[j] / cameras.length;
    }
  }
  const up = solve3(matrix, mean);
  const length = Math.hypot(...up);
  return length > 0 ? [up[0] / length, up[1] / length, up[2] / length] : [0, 0, 1];
}

/** Mean square of the x axes' slope, about 0.1°, below which cameras count as level. */
const LEVEL = 4e-6;

/** The box with the turned world's axes around a turned box: |A| times its half edges around A times its middle. */
function turnBox({ low, high }: Bounds, turn: Matrix3): Bounds {
  const middle = apply(turn, [(low[0] + high[0]) / 2, (low[1] + high[1]) / 2, (low[2] + high[2]) / 2]);
  const half: Vector3 = [(high[0] - low[0]) / 2, (high[1] - low[1]) / 2, (high[2] - low[2]) / 2];
  const reach = (axis: 0 | 1 | 2) => turn[axis].reduce((sum, value, i) => sum + Math.abs(value) * half[i], 0);
  const [x, y, z] = [reach(0), reach(1), reach(2)];
  return {
    low: [middle[0] - x, middle[1] - y, middle[2] - z],
    high: [middle[0] + x, middle[1] + y, middle[2] + z],
  };
}
