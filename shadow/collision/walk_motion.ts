/** The samples at which a motion is checked. */
import { type HandPose, type Pose, type Side, SIDES } from "../pose.ts";
import { interpolatePose } from "./interpolate_pose.ts";
import type { PosedSkin } from "./posed_skin.ts";

/** No vertex travels further between two samples, metres. */
export const STEP_METRES = 0.0025;

/** A step aims at this share of what is allowed, so that few must be tried again. */
const STEP_AIM = 0.98;

/**
 * Takes the skins from one pose to another along `interpolatePose`, and yields how far along they are, in (0, 1], after
 * each step. A step is as long as the last one would have had to be for its longest travel to fit; one that turns out
 * too long is tried again, shorter.
 *
 * @param from in range, as `to` is: a quaternion of another length would jump
 */
export function* walkMotion(
  skins: Readonly<Record<Side, PosedSkin>>,
  from: Pose,
  to: Pose,
): Generator<number, void, undefined> {
  for (const side of SIDES) skins[side].place(from[side]);
  const moving = SIDES.filter((side) => !sameHand(from[side], to[side]));
  if (moving.length === 0) return;
  const travelTo = (pose: Pose) => Math.max(...moving.map((side) => skins[side].propose(pose[side])));

  let step = STEP_AIM * STEP_METRES / travelTo(to);
  for (let t = 0; t < 1;) {
    const next = Math.min(1, t + step);
    const travel = travelTo(interpolatePose(from, to, next));
    step = (next - t) * STEP_AIM * STEP_METRES / travel;
    if (travel > STEP_METRES) continue;
    for (const side of moving) skins[side].advance();
    t = next;
    yield t;
  }
}

/** Whether two lists of one length hold the same numbers. */
export function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.every((x, i) => x === b[i]);
}

function sameHand(a: HandPose, b: HandPose): boolean {
  return a === b || sameNumbers(a.angles, b.angles) && sameNumbers(a.position, b.position) &&
      sameNumbers(a.orientation, b.orientation);
}
