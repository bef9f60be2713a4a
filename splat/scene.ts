/** A scene of 3D Gaussians, and the one mapping to and from its published JSON. */
import type { Quaternion } from "../env/quaternion.ts";
import type { Vector3 } from "../env/vector3.ts";
import type { GaussianRow } from "../tasks/splat_rows.ts";

/** One flat-coloured Gaussian. */
export interface Gaussian {
  /** Given by the environment, unique in its scene. */
  readonly id: number;
  /** Centre, world units. */
  readonly mean: Vector3;
  /** Standard deviations along the Gaussian's own axes, world units. */
  readonly scale: Vector3;
  /** Rotation from own axes to world. */
  readonly quaternion: Quaternion;
  /** sRGB in [0, 1]. */
  readonly color: Vector3;
  /** In [0, 1]. */
  readonly opacity: number;
  /** The model's label, or null. */
  readonly group: string | null;
}

export type Scene = readonly Gaussian[];

/** A scene as published JSON. */
export function sceneToRows(scene: Scene): GaussianRow[] {
  return scene.map(({ id, mean, scale, quaternion, color, opacity, group }) => ({
    id,
    pos: [...mean],
    scale: [...scale],
    quat: [...quaternion],
    color: [...color],
    opacity,
    group,
  }));
}

/** The scene of published rows. */
export function sceneFromRows(rows: readonly GaussianRow[]): Scene {
  return rows.map(({ id, pos, scale, quat, color, opacity, group }) => ({
    id,
    mean: pos,
    scale,
    quaternion: quat,
    color,
    opacity,
    group,
  }));
}
