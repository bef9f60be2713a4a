/** Poses of two hands for tests. */
import { normalize } from "../../env/quaternion.ts";
import type { Stream } from "../../env/random.ts";
import { ALIASES, CONTROLS, FINGERS, spreadLimitDeg } from "../../shadow/hand/controls.ts";
import { type HandPose, type Pose, type Side, START_POSE } from "../../shadow/pose.ts";

/** Angles in radians of the named controls in degrees; the others are 0. [23] */
export function anglesOf(degrees: Readonly<Record<string, number>>): number[] {
  const angles = CONTROLS.map(() => 0);
  for (const [name, angle] of Object.entries(degrees)) {
    const index = ALIASES.indexOf(name);
    if (index < 0) throw new Error(`no control is named ${name}`);
    angles[index] = angle * Math.PI / 180;
  }
  return angles;
}

/** The start pose with one hand's angles, and other fields of it, changed. */
export function posed(
  side: Side,
  degrees: Readonly<Record<string, number>>,
  change: Partial<HandPose> = {},
): Pose {
  return { ...START_POSE, [side]: { ...START_POSE[side], angles: anglesOf(degrees), ...change } };
}

/** Within every range and the spread rule: uniform around rest, up to a share `bend` of each range. */
export function randomAngles(draw: Stream, bend: number): number[] {
  const degrees = Object.fromEntries(
    CONTROLS.map(({ name, min, max }) => [name, bend * draw.range(min, max)]),
  );
  for (const finger of FINGERS) {
    const most = spreadLimitDeg(finger, degrees[`${finger}.mcp`]);
    degrees[`${finger}.spread`] = Math.min(degrees[`${finger}.spread`], most);
  }
  return anglesOf(degrees);
}

/** Two bent hands, turned any way, with their wrists within `apart` metres of each other along each axis. */
export function randomPose(draw: Stream, apart: number): Pose {
  const hand = (x: number): HandPose => ({
    angles: randomAngles(draw, draw.range(0.6, 1)),
    position: [x, draw.range(-0.5, 0.5) * apart, 1 + draw.range(-0.5, 0.5) * apart],
    orientation: normalize([draw.normal(), draw.normal(), draw.normal(), draw.normal()]),
  });
  return { right: hand(draw.range(0, 0.5) * apart), left: hand(draw.range(-0.5, 0) * apart) };
}
