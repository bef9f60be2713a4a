/**
 * `builtin:climb`: improves by looking. From the opening picture it guesses where the hands should stand, brings them
 * there, and then tries changes one by one: what made the shadow better by its own measure stays, the rest is undone.
 */
import type { CallOutcome, Observation } from "../../env/observation.ts";
import type { Policy, PolicyCall } from "../../env/policy.ts";
import { scaled, subtract, type Vector3 } from "../../env/vector3.ts";
import { type Side, SIDES, START_POSE } from "../pose.ts";
import { CALL_LIMIT } from "../rules.ts";
import { prepareTarget, scoreShadow, type Target } from "../score/shadow_score.ts";
import { NOTHING_MOVED } from "../tools/change.ts";
import { placeHands, type Placement } from "./place_hands.ts";
import { readLook } from "./read_look.ts";

/** A run of the policy that is asked for call after call. */
type Play = Generator<PolicyCall, void, CallOutcome>;

export function climbPolicy(): Policy {
  // A function of the view all the same: what is kept is thrown away unless the history goes on from it.
  let kept: { play: Play; heard: CallOutcome[]; next: PolicyCall } | null = null;
  return ({ opening, history }) => {
    const goesOn = kept !== null && kept.heard.length <= history.length &&
      kept.heard.every((outcome, i) => outcome === history[i].outcome);
    if (kept === null || !goesOn) {
      const play = climb(opening);
      kept = { play, heard: [], next: play.next().value ?? SUBMIT };
    }
    for (const { outcome } of history.slice(kept.heard.length)) {
      kept.heard.push(outcome);
      kept.next = kept.play.next(outcome).value ?? SUBMIT;
    }
    return Promise.resolve([kept.next]);
  };
}

const SUBMIT: PolicyCall = { name: "submit", arguments: {} };
const LOOK: PolicyCall = { name: "look", arguments: { view: "front" } };
const UNDO: PolicyCall = { name: "undo", arguments: {} };

function* climb(opening: Observation): Play {
  yield {
    name: "plan",
    arguments: { subject: "a silhouette", arrangement: "hands where they cover it, then finger by finger" },
  };
  if (opening.image === null) return;
  const seen = readLook(opening.image);
  const places = placeHands(seen);
  for (const side of SIDES) {
    if (places[side] === null) yield* goTo(side, START_POSE[side].position, OUTSIDE[side]);
  }
  for (const side of SIDES) {
    const place = places[side];
    if (place !== null) yield* stand(side, place);
  }
  yield* improve(SIDES.filter((side) => places[side] !== null), prepareTarget(seen.target));
}

/** Where no shadow of a hand falls on the screen. */
const OUTSIDE: Readonly<Record<Side, Vector3>> = { right: [0.7, -0.4, 1], left: [-0.7, -0.4, 1] };

/** Height first, then the turn, then the place: so that hands at different heights pass each other. */
function* stand(side: Side, { position, degrees }: Placement): Play {
  const { position: from } = START_POSE[side];
  const above: Vector3 = [from[0], from[1], position[2]];
  yield* goTo(side, from, above);
  const turns = Math.ceil(Math.abs(degrees) / CALL_LIMIT.turnDeg);
  for (let i = 0; i < turns; i++) {
    yield { name: "turn_hand", arguments: { hand: side, axis: "z", degrees: rounded(degrees / turns) } };
  }
  yield* goTo(side, above, position);
}

/** Metres that rounding may add to a step. */
const ROUNDED_AWAY = 0.001;

/** A straight line in steps of a call; a step that is refused is left out. */
function* goTo(side: Side, from: Vector3, to: Vector3): Play {
  const way = subtract(to, from);
  const calls = Math.ceil(Math.hypot(...way) / (CALL_LIMIT.moveMetres - ROUNDED_AWAY));
  for (let i = 0; i < calls; i++) {
    yield { name: "move_hand", arguments: { hand: side, by: way.map((part) => rounded(part / calls)) } };
  }
}

/** Tries changes in turn; one that helped is made again, the others wait for the next round. */
function* improve(sides: readonly Side[], target: Target): Play {
  let outcome = yield LOOK;
  let best = scoreSeen(target, outcome);
  let trials = ROUNDS.flatMap((size) => sides.flatMap((side) => changesOf(side, size)));
  while (trials.length > 0) {
    const [trial, ...others] = trials;
    trials = others;
    if (!roomFor(outcome)) return;
    outcome = yield trial;
    // A bend that helped is the same when made again.
    if (!outcome.accepted || outcome.text.startsWith(NOTHING_MOVED)) continue;
    outcome = yield LOOK;
    const score = scoreSeen(target, outcome);
    if (score > best) {
      best = score;
      trials = [trial, ...others];
    } else {
      outcome = yield UNDO;
    }
  }
}

/** Sizes of the changes, round by round. */
const ROUNDS = [1, 0.5];

/** Changes of one hand, those that promise most first. */
function changesOf(side: Side, size: number): PolicyCall[] {
  const bend = (joints: Record<string, number>): PolicyCall => ({
    name: "set_fingers",
    arguments: { hand: side, joints },
  });
  const curled = (finger: string): Record<string, number> => ({
    [`${finger}.mcp`]: 40 * size,
    [`${finger}.pip`]: 40 * size,
    [`${finger}.dip`]: 20 * size,
  });
  const move = (by: Vector3): PolicyCall => ({
    name: "move_hand",
    arguments: { hand: side, by: scaled(by, size) },
  });
  const turn = (axis: string, degrees: number): PolicyCall => ({
    name: "turn_hand",
    arguments: { hand: side, axis, degrees: degrees * size },
  });
  return [
    turn("z", 10),
    turn("z", -10),
    move([0.015, 0, 0]),
    move([-0.015, 0, 0]),
    move([0, 0.015, 0]),
    move([0, -0.015, 0]),
    bend({ ...curled("index"), ...curled("middle"), ...curled("ring"), ...curled("little") }),
    bend({ "thumb.abd": -10 * size, "thumb.flex": 30 * size, "thumb.mcp": 20 * size }),
    bend(curled("little")),
    bend(curled("index")),
    bend({ ...curled("ring"), ...curled("little") }),
    bend({ ...curled("index"), ...curled("middle") }),
    turn("y", 35),
    turn("y", -35),
    move([0, 0, 0.08]),
    move([0, 0, -0.08]),
    bend({ "index.spread": 12 * size, "little.spread": 20 * size, "ring.spread": 10 * size }),
  ];
}

/** Whether a change, a look, an undo and the submit are left. */
function roomFor({ text }: CallOutcome): boolean {
  const [, calls, looks] = text.match(/Left: (\d+) calls?, (\d+) looks?/) ?? [];
  return Number(calls) >= 4 && Number(looks) >= 1;
}

/** The score as far as a picture tells it; what no picture came of counts nothing. */
function scoreSeen(target: Target, { image }: CallOutcome): number {
  return image === null ? 0 : scoreShadow(target, readLook(image).shadow, START_POSE).score;
}

/** As a model would write it. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}
