/** Where both hands are and how they are bent; and the one mapping to and from the published JSON. */
import type { Quaternion } from "../env/quaternion.ts";
import type { Vector3 } from "../env/vector3.ts";
import { BenchError } from "../env/errors.ts";
import { type PoseRow, poseRowSchema } from "../tasks/shadow_rows.ts";
import { CONTROLS } from "./hand/controls.ts";

export const SIDES = ["right", "left"] as const;
export type Side = typeof SIDES[number];

/** One hand. */
export interface HandPose {
  /** Radians relative to the rest pose, in the order of `ALIASES`. [23] */
  readonly angles: readonly number[];
  /** Where the wrist is, metres: x right, y up, z toward the lamp. */
  readonly position: Vector3;
  /** Turns the hand's rest frame (fingers +y, palm to −z, right thumb at −x) to the world. */
  readonly orientation: Quaternion;
}

/** Both hands. A change makes a new pose. */
export type Pose = Readonly<Record<Side, HandPose>>;

export const Pose = {
  /**
   * A pose from its published JSON `{q, positions, quaternions}`.
   *
   * @throws BenchError that names the field
   */
  parse(row: unknown): Pose {
    const parsed = poseRowSchema.safeParse(row);
    if (parsed.success) return poseFromRow(parsed.data);
    const [{ path, message }] = parsed.error.issues;
    throw new BenchError({
      what: "Cannot read a pose",
      why: `${path.length === 0 ? "the pose" : path.join(".")}: ${message}`,
      fix:
        "A pose is {q: 46 radians, positions: 2 × [x, y, z], quaternions: 2 × [w, x, y, z]}, right hand first",
    });
  },
};

export function poseFromRow({ q, positions, quaternions }: PoseRow): Pose {
  const hand = (i: 0 | 1): HandPose => ({
    angles: q.slice(i * CONTROLS.length, (i + 1) * CONTROLS.length),
    position: positions[i],
    orientation: quaternions[i],
  });
  return { right: hand(0), left: hand(1) };
}

export function poseToRow({ right, left }: Pose): PoseRow {
  return {
    q: [...right.angles, ...left.angles],
    positions: [[...right.position], [...left.position]],
    quaternions: [[...right.orientation], [...left.orientation]],
  };
}

/** Both hands raised, palms to the screen, as every episode starts. */
export const START_POSE: Pose = Object.freeze({ right: raised(0.13), left: raised(-0.13) });

/** Frozen, since every episode shares it. */
function raised(x: number): HandPose {
  return Object.freeze({
    angles: Object.freeze(CONTROLS.map(() => 0)),
    position: Object.freeze<Vector3>([x, -0.05, 1]),
    orientation: Object.freeze<Quaternion>([1, 0, 0, 0]),
  });
}
