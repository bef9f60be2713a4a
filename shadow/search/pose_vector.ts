/** A pose as 58 numbers, each with a range of 1: what a blind search varies. */
import { fromAxisAngle } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { controlIndex, CONTROLS, FINGERS, spreadLimitDeg } from "../hand/controls.ts";
import { type HandPose, type Pose, SIDES, START_POSE } from "../pose.ts";

/** Numbers of a hand: 23 angles over their ranges, a place, and a turn as axis times angle. */
const HAND_NUMBERS = CONTROLS.length + 6;

/** Where wrists are searched for, metres: centre and width along x, y, z. Inside the stage, and off the screen too. */
export const SEARCH_BOX = { centre: [0, 0, 1], width: [1.2, 1.2, 1.2] } as const;

/** How an episode starts: rest angles, hands raised. [58] */
export const START_VECTOR: readonly number[] = SIDES.flatMap((side) => [
  ...CONTROLS.map(({ min, max }) => -min / (max - min)),
  ...START_POSE[side].position.map((at, i) => 0.5 + (at - SEARCH_BOX.centre[i]) / SEARCH_BOX.width[i]),
  ...[0.5, 0.5, 0.5],
]);

/**
 * The pose of any 58 numbers: what lies beyond a range is mirrored into it, and a spread that is too wide for the
 * finger's bend is cut to the rule.
 */
export function poseOfVector(vector: readonly number[]): Pose {
  const mirrored = vector.map(mirror);
  return {
    right: handOf(mirrored.slice(0, HAND_NUMBERS)),
    left: handOf(mirrored.slice(HAND_NUMBERS)),
  };
}

/** Folds the line onto [0, 1], as two mirrors do. */
export function mirror(value: number): number {
  const inPeriod = value - 2 * Math.floor(value / 2);
  return inPeriod > 1 ? 2 - inPeriod : inPeriod;
}

function handOf(numbers: readonly number[]): HandPose {
  const degrees = CONTROLS.map(({ min, max }, i) => min + (max - min) * numbers[i]);
  for (const finger of FINGERS) {
    const [spread, mcp] = [`${finger}.spread`, `${finger}.mcp`].map(controlIndex);
    degrees[spread] = Math.min(degrees[spread], spreadLimitDeg(finger, degrees[mcp]));
  }
  const [x, y, z, a, b, c] = numbers.slice(CONTROLS.length);
  const { centre, width } = SEARCH_BOX;
  const turn: Vector3 = [signed(a), signed(b), signed(c)];
  const turns = Math.hypot(...turn);
  return {
    angles: degrees.map((angle) => angle * Math.PI / 180),
    position: [
      centre[0] + width[0] * (x - 0.5),
      centre[1] + width[1] * (y - 0.5),
      centre[2] + width[2] * (z - 0.5),
    ],
    // A number's whole range is a turn, half of it each way.
    orientation: turns === 0 ? [1, 0, 0, 0] : fromAxisAngle(turn, 180 * turns),
  };
}

/** [0, 1] to [−1, 1]. */
const signed = (value: number) => 2 * value - 1;
