/** Poses of every kind, legal or not: what the rules allow is no concern of shadows. */
import { normalize } from "../../env/quaternion.ts";
import { type Stream, stream } from "../../env/random.ts";
import { CONTROLS } from "../../shadow/hand/controls.ts";
import type { HandPose, Pose } from "../../shadow/pose.ts";

/** Hands anywhere about the screen, joints anywhere in range; every fourth pose near the lamp, through the screen, or off it. */
export function randomPoses(count: number, ...names: (string | number)[]): Pose[] {
  const draws = stream(0, "random poses", ...names);
  return Array.from({ length: count }, (_, i) => {
    const [low, high] = i % 4 === 3 ? EXTREMES[(i >> 2) % EXTREMES.length] : [0.6, 1.4];
    return { right: randomHand(draws, low, high), left: randomHand(draws, low, high) };
  });
}

/** Heights of the wrist: at the lamp, past it, through the screen, behind it. */
const EXTREMES = [[2.1, 2.4], [2.4, 2.7], [-0.1, 0.2], [-1, -0.5], [0, 3]] as const;

function randomHand(draws: Stream, low: number, high: number): HandPose {
  return {
    angles: CONTROLS.map(({ min, max }) => draws.range(min, max) * Math.PI / 180),
    position: [draws.range(-0.25, 0.25), draws.range(-0.2, 0.2), draws.range(low, high)],
    orientation: normalize([draws.normal(), draws.normal(), draws.normal(), draws.normal()]),
  };
}
