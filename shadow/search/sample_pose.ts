/** Random poses that hands could be in: most of them pass the rules, and none is forced to. */
import { normalize, type Quaternion } from "../../env/quaternion.ts";
import type { Stream } from "../../env/random.ts";
import { subtract, type Vector3 } from "../../env/vector3.ts";
import { controlIndex, CONTROLS, FINGERS, spreadLimitDeg } from "../hand/controls.ts";
import { jointPositions } from "../hand/directions.ts";
import type { HandModel, Hands } from "../hand/hand_model.ts";
import type { HandPose, Pose, Side } from "../pose.ts";
import { magnification } from "../stage/stage.ts";

/** How many joints a hand has. */
export const JOINTS = CONTROLS.length;

/**
 * A pose of one hand or two before the screen, joints coupled as in living hands: a finger's end follows its middle
 * (DIP = 0.55 PIP ± 8°), spread shrinks with bend.
 *
 * @param shown the hands that cast a shadow; another is parked beside the screen
 * @param bent joints away from rest, of all shown hands together; at most `JOINTS` a hand
 */
export function samplePose(hands: Hands, shown: readonly Side[], bent: number, draws: Stream): Pose {
  const joints = shuffled(shown.flatMap((side) => CONTROLS.map((_, at) => ({ side, at }))), draws)
    .slice(0, bent);
  const meeting: readonly [number, number] = [draws.range(-0.12, 0.12), draws.range(-0.09, 0.09)];
  const hand = (side: Side): HandPose => {
    if (!shown.includes(side)) return parked(side);
    const own = new Set(joints.flatMap((joint) => joint.side === side ? [joint.at] : []));
    return place(hands[side], sampleAngles(own, draws), randomOrientation(draws), meeting, draws);
  };
  return { right: hand("right"), left: hand("left") };
}

/** A hand at rest beside the screen, which casts no shadow on it. */
export function parked(side: Side): HandPose {
  const position: Vector3 = [side === "right" ? 0.75 : -0.75, -0.5, 1];
  return { angles: CONTROLS.map(() => 0), position, orientation: [1, 0, 0, 0] };
}

/** Degrees between which a joint is drawn, narrower than its range: at its ends skins touch. */
const DRAWN: Readonly<Record<string, readonly [number, number]>> = {
  "wrist.flex": [-40, 45],
  "wrist.bend": [-20, 14],
  "forearm.roll": [-55, 60],
  "thumb.abd": [4, 38],
  "thumb.flex": [-20, 18],
  "thumb.mcp": [-6, 36],
  "thumb.ip": [-10, 50],
  "index.spread": [-4, 14],
  "middle.spread": [-5, 4],
  "ring.spread": [-5, 4],
  "little.spread": [-4, 18],
  mcp: [-18, 68],
  pip: [0, 80],
};
/** Nearer to rest than this is at rest. */
const LEAST_BEND = 4;

/** Angles of a hand in radians, whole degrees; those that are not among `bent` rest. */
function sampleAngles(bent: ReadonlySet<number>, draws: Stream): number[] {
  const drawn = (name: string, among = name) => {
    const [low, high] = DRAWN[among];
    return bent.has(controlIndex(name)) ? awayFromRest(low, high, draws) : 0;
  };
  const degrees = CONTROLS.map(({ name }) => name in DRAWN ? drawn(name) : 0);
  for (const finger of FINGERS) {
    const set = (joint: string, value: number) => degrees[controlIndex(`${finger}.${joint}`)] = value;
    const mcp = set("mcp", drawn(`${finger}.mcp`, "mcp"));
    const most = spreadLimitDeg(finger, mcp);
    set("spread", Math.min(degrees[controlIndex(`${finger}.spread`)], Math.floor(most)));
    const pip = set("pip", drawn(`${finger}.pip`, "pip"));
    if (bent.has(controlIndex(`${finger}.dip`))) {
      set("dip", Math.max(LEAST_BEND, Math.round(0.55 * pip + draws.range(-8, 8))));
    }
  }
  return degrees.map((value) => value * Math.PI / 180);
}

/** A whole number of degrees in [low, high], not within `LEAST_BEND` of 0. */
function awayFromRest(low: number, high: number, draws: Stream): number {
  const below = Math.max(0, -low - LEAST_BEND), above = high - LEAST_BEND;
  const at = draws.range(-below, above);
  return Math.round(at < 0 ? at - LEAST_BEND : at + LEAST_BEND);
}

/** Lets the root of the middle finger cast its shadow near a point of the screen, from a depth of 0.75 m to 1.2 m. */
function place(
  model: HandModel,
  angles: readonly number[],
  orientation: Quaternion,
  [x, y]: readonly [number, number],
  draws: Stream,
): HandPose {
  const z = draws.range(0.75, 1.2);
  const larger = magnification(z);
  const near = (at: number) => (at + draws.range(-0.06, 0.06)) / larger;
  const centre = jointPositions(model, { angles, position: [0, 0, 0], orientation }).fingers.middle[1];
  const [px, py, pz] = subtract([near(x), near(y), z], centre);
  return { angles, position: [metres(px), metres(py), metres(pz)], orientation };
}

const metres = (value: number) => Math.round(value * 1000) / 1000;

/** Uniform over all rotations (Marsaglia 1972). */
function randomOrientation(draws: Stream): Quaternion {
  return normalize([draws.normal(), draws.normal(), draws.normal(), draws.normal()]);
}

function shuffled<Value>(values: readonly Value[], draws: Stream): Value[] {
  const left = [...values];
  for (let i = left.length - 1; i > 0; i--) {
    const j = draws.integer(0, i + 1);
    [left[i], left[j]] = [left[j], left[i]];
  }
  return left;
}
