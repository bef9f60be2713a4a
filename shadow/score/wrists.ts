/** The wrist-position step of RULA (McAtamney and Corlett, Applied Ergonomics 24, 1993, group A step 3). */
import { controlIndex } from "../hand/controls.ts";
import { type HandPose, type Pose, SIDES } from "../pose.ts";
import type { ScoreProfile } from "./score_profile.ts";

type WristRule = ScoreProfile["wrists"];

/** 1 for a neutral wrist to 4 for one that is bent far and sideways. */
export function wristStep({ angles }: HandPose, { neutralDeg, slightDeg, bentDeg }: WristRule): number {
  const [flex, bend] = [FLEX, BEND].map((control) => Math.abs(angles[control]) * 180 / Math.PI - ROUNDING);
  const step = flex <= neutralDeg ? 1 : flex <= slightDeg ? 2 : 3;
  return step + Number(bend > bentDeg);
}

/** w of the score: how close the worse wrist is to neutral, 1 to 0, whether or not its hand casts a shadow. */
export function wristShare(pose: Pose, rule: WristRule): number {
  return (4 - Math.max(...SIDES.map((side) => wristStep(pose[side], rule)))) / 3;
}

const FLEX = controlIndex("wrist.flex");
const BEND = controlIndex("wrist.bend");

/** Degrees: 15° in radians and back may be a little more than 15°. */
const ROUNDING = 1e-9;
