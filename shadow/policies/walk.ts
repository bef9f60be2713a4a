/** `builtin:walk`: seeded calls of every tool, most of them legal moves, with looks. It exercises; it does not pose. */
import type { Policy, PolicyCall } from "../../env/policy.ts";
import { type Stream, stream } from "../../env/random.ts";
import { CONTROLS } from "../hand/controls.ts";
import { SIDES } from "../pose.ts";

/** The policy of one task and run; its n-th call depends on them and on n. */
export function walkPolicy(taskId: string, run: number): Policy {
  const calls = stream(0, "walk-policy", taskId, run, "calls").integer(18, 25);
  return ({ history }) => {
    const draws = stream(0, "walk-policy", taskId, run, history.length);
    const left = calls - history.length;
    const call = left <= 1
      ? { name: "submit", arguments: {} }
      : left === 2
      ? { name: "look", arguments: { view: "front" } }
      : history.length === 0
      ? { name: "plan", arguments: { subject: "something else", arrangement: "wherever the hands come to" } }
      : CALLS[draws.integer(0, CALLS.length)](draws);
    return Promise.resolve([call]);
  };
}

type Draw = (draws: Stream) => PolicyCall;

/** One line each, drawn with equal chance; those that move a hand come more than once. */
const CALLS: readonly Draw[] = [
  bend,
  bend,
  bend,
  move,
  move,
  turn,
  turn,
  () => ({ name: "look", arguments: { view: "front" } }),
  (draws) => ({ name: "look", arguments: { view: pick(draws, ["back", "side", "top", "angle"]) } }),
  (draws) => ({
    name: "look",
    arguments: { view: { azimuth: draws.integer(-180, 180), elevation: draws.integer(-60, 90) } },
  }),
  () => ({ name: "describe", arguments: {} }),
  () => ({ name: "undo", arguments: {} }),
  wrong,
];

/** A few joints, each somewhere in the middle of its range. */
function bend(draws: Stream): PolicyCall {
  const joints = Array.from({ length: draws.integer(1, 4) }, () => {
    const { name, min, max } = pick(draws, CONTROLS);
    return [name, Math.round(draws.range(Math.max(-20, min / 2), Math.min(30, max / 2)))];
  });
  return { name: "set_fingers", arguments: { hand: pick(draws, SIDES), joints: Object.fromEntries(joints) } };
}

function move(draws: Stream): PolicyCall {
  const by = [0, 1, 2].map(() => Math.round(1000 * draws.range(-0.06, 0.06)) / 1000);
  return { name: "move_hand", arguments: { hand: pick(draws, SIDES), by } };
}

function turn(draws: Stream): PolicyCall {
  const axis = pick(draws, ["x", "y", "z"]);
  return {
    name: "turn_hand",
    arguments: { hand: pick(draws, SIDES), axis, degrees: draws.integer(-25, 26) },
  };
}

/** Calls that are refused. */
function wrong(draws: Stream): PolicyCall {
  return pick<PolicyCall>(draws, [
    { name: "set_fingers", arguments: { hand: "right", joints: { "index.pip": 140 } } },
    { name: "set_fingers", arguments: { hand: "third", joints: { "index.pip": 10 } } },
    { name: "set_fingers", arguments: { hand: "left", joints: { "index.knuckle": 10 } } },
    { name: "move_hand", arguments: { hand: "left", by: [0.5, 0, 0] } },
    { name: "turn_hand", arguments: { hand: "right", axis: "z", degrees: 90 } },
    { name: "look", arguments: { view: "below" } },
    { name: "clap", arguments: {} },
  ]);
}

function pick<T>(draws: Stream, values: readonly T[]): T {
  return values[draws.integer(0, values.length)];
}
