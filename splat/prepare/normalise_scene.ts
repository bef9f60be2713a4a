/** Gaussian scenes of any axes and size, stood up and fitted into the cube. */
import { BenchError } from "../../env/errors.ts";
import type { Bounds } from "../objects/bounds.ts";
import { fromAxisAngle, multiply, normalize, rotate } from "../../env/quaternion.ts";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Gaussian, Scene } from "../scene.ts";
import { CUBE } from "./normalise.ts";

export const UP_AXES = ["z", "y", "-y"] as const;
/** The axis that points up. */
export type AxisUp = typeof UP_AXES[number];

/**
 * Turns the axis up to +Z, about X, and fits the box around the visible Gaussians into [−0.9, 0.9]³.
 *
 * @throws BenchError when no Gaussian is visible, or those that are have no extent
 */
export function normaliseScene(scene: Scene, up: AxisUp): Scene {
  const turn = fromAxisAngle([1, 0, 0], DEGREES_ABOUT_X[up]);
  const upright = up === "z" ? scene : scene.map((gaussian) => ({
    ...gaussian,
    mean: rotate(turn, gaussian.mean),
    quaternion: multiply(turn, normalize(gaussian.quaternion)),
  }));
  const { low, high } = sceneBounds(upright);
  const half = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]) / 2;
  const k = CUBE / half;
  if (!(half > 0 && k > 0 && k < Infinity)) {
    throw new BenchError({
      what: "Cannot fit the scene into the cube",
      why: `its visible Gaussians reach over a length of ${2 * half}, which cannot be scaled`,
    });
  }
  const moved = (axis: 0 | 1 | 2, value: number) => k * (value - (low[axis] + high[axis]) / 2);
  return upright.map((gaussian) => ({
    ...gaussian,
    mean: [moved(0, gaussian.mean[0]), moved(1, gaussian.mean[1]), moved(2, gaussian.mean[2])],
    scale: [k * gaussian.scale[0], k * gaussian.scale[1], k * gaussian.scale[2]],
  }));
}

/** The box around two standard deviations of every visible Gaussian. @throws BenchError when there is none */
export function sceneBounds(scene: Scene): Bounds {
  const low: [number, number, number] = [Infinity, Infinity, Infinity];
  const high: [number, number, number] = [-Infinity, -Infinity, -Infinity];
  for (const gaussian of scene) {
    if (gaussian.opacity < VISIBLE_OPACITY) continue;
    const reach = deviations(gaussian);
    for (const axis of [0, 1, 2] as const) {
      low[axis] = Math.min(low[axis], gaussian.mean[axis] - SIGMAS * reach[axis]);
      high[axis] = Math.max(high[axis], gaussian.mean[axis] + SIGMAS * reach[axis]);
    }
  }
  if (low[0] > high[0]) {
    throw new BenchError({
      what: "Cannot fit the scene into the cube",
      why: `none of its ${scene.length} Gaussians has an opacity of ${VISIBLE_OPACITY} or more`,
    });
  }
  return { low, high };
}

/** Fainter Gaussians are haze that must not shrink the object. */
const VISIBLE_OPACITY = 0.1;
const SIGMAS = 2;
const DEGREES_ABOUT_X: Readonly<Record<AxisUp, number>> = { z: 0, y: 90, "-y": -90 };

/** Standard deviations along the world's axes: the roots of the diagonal of R diag(s²) Rᵀ. */
function deviations({ scale, quaternion }: Gaussian): Vector3 {
  const unit: Quaternion = normalize(quaternion);
  const axes = ([[1, 0, 0], [0, 1, 0], [0, 0, 1]] as const).map((axis) => rotate(unit, axis));
  const along = (axis: 0 | 1 | 2) => Math.hypot(...axes.map((direction, i) => scale[i] * direction[axis]));
  return [along(0), along(1), along(2)];
}
