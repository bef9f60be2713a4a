/** The motion of a call: angles and positions in a straight line, orientations along the shortest turn. */
import { normalize, type Quaternion } from "../../env/quaternion.ts";
import type { HandPose, Pose } from "../pose.ts";

/** The pose at `t` in [0, 1] of the motion; exactly `from` at 0 and `to` at 1. */
export function interpolatePose(from: Pose, to: Pose, t: number): Pose {
  if (t === 0) return from;
  if (t === 1) return to;
  return { right: between(from.right, to.right, t), left: between(from.left, to.left, t) };
}

function between(from: HandPose, to: HandPose, t: number): HandPose {
  if (from === to) return from;
  const mix = (a: number, b: number) => a + (b - a) * t;
  const [x, y, z] = from.position;
  return {
    angles: from.angles.map((angle, i) => mix(angle, to.angles[i])),
    position: [mix(x, to.position[0]), mix(y, to.position[1]), mix(z, to.position[2])],
    orientation: slerp(from.orientation, to.orientation, t),
  };
}

/** Below this angle (radians) sines of a slerp are no longer exact, and the chord is the arc. */
const TINY_ANGLE = 1e-6;

/** Constant-speed turn from `a` to `b` the shorter way round (Shoemake 1985). */
function slerp(a: Quaternion, b: Quaternion, t: number): Quaternion {
  const dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
  const angle = Math.acos(Math.min(1, Math.abs(dot)));
  const [ka, kb] = angle < TINY_ANGLE
    ? [1 - t, t]
    : [Math.sin((1 - t) * angle) / Math.sin(angle), Math.sin(t * angle) / Math.sin(angle)];
  const sign = dot < 0 ? -kb : kb;
  return normalize([
    ka * a[0] + sign * b[0],
    ka * a[1] + sign * b[1],
    ka * a[2] + sign * b[2],
    ka * a[3] + sign * b[3],
  ]);
}
