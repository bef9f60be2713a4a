/** How to get the hands from the start to a pose, by legal calls alone. */
import { rotate } from "../../env/quaternion.ts";
import { type Stream, stream } from "../../env/random.ts";
import { add, scaled, subtract, unit, type Vector3 } from "../../env/vector3.ts";
import type { PoseChecker } from "../collision/pose_checker.ts";
import { ALIASES } from "../hand/controls.ts";
import { type Pose, type Side, SIDES, START_POSE } from "../pose.ts";
import { applyCall, callBetween, type HandCall } from "./hand_call.ts";
import { Walk } from "./walk.ts";

export interface PlannedPath {
  /** Each is legal after those before it. */
  readonly calls: readonly HandCall[];
  /** What the calls lead to, bit for bit; the wanted pose up to rounding, about 1e-15, and quaternions' signs. */
  readonly reached: Pose;
}

/** More calls leave too few of an episode's hundred. */
const MOST_CALLS = 60;
/** What comes after a hand is out depends little on how it came out. */
const MOST_WAYS = 3;

/**
 * Plans backward, from the tight end: one hand leaves the pose, opens and turns upright where it is free, then the
 * other does, then both go to the start. Ways to leave are tried in turn: straight lines, opening fingers first, then
 * random detours, always the same for the same pose. The calls forward are checked one by one.
 *
 * @returns null where no way was found, as to a pose that is not legal
 */
export function planPath(checker: PoseChecker, target: Pose): PlannedPath | null {
  if (checker.pose(target) !== null) return null;
  const draws = stream(0, "plan path");
  for (const first of SIDES) {
    for (const free of waysOut(new Walk(checker, target), first, draws).take(MOST_WAYS)) {
      const other = first === "right" ? "left" : "right";
      for (const both of waysOut(free, other, draws).take(MOST_WAYS)) {
        if (!SIDES.every((side) => both.move(side, START_POSE[side].position))) continue;
        const path = forward(checker, both.poses.toReversed());
        if (path !== null) return path;
      }
    }
  }
  return null;
}

/** Where a hand is out of the other's way: at the start's depth, so far out that neither reaches the other. */
const PARKED_X = [0.45, 0.8];

/** Walks after which the hand is parked with straight fingers, upright; lazily, the likely ones first. */
function* waysOut(from: Walk, side: Side, draws: Stream): Generator<Walk> {
  const outward = side === "right" ? 1 : -1;
  for (const leave of exits(from.pose, side, draws)) {
    const left = from.fork();
    if (!leave(left)) continue;
    for (const x of PARKED_X) {
      const parked = left.fork();
      const place: Vector3 = [outward * x, START_POSE[side].position[1], START_POSE[side].position[2]];
      if (!parked.move(side, place)) continue;
      const straight = straightened(parked, side, draws);
      if (straight?.turn(side, START_POSE[side].orientation)) {
        yield straight;
        break;
      }
    }
  }
}

type Exit = (walk: Walk) => boolean;

/** Metres that a hand leaves by before it turns aside. */
const EXIT_LENGTHS = [0.15, 0.3, 0.45];
const RANDOM_EXITS = 40;

function* exits(pose: Pose, side: Side, draws: Stream): Generator<Exit> {
  yield () => true;
  const lines = directions(pose, side);
  for (const length of EXIT_LENGTHS) {
    for (const line of lines) yield (walk) => moveBy(walk, side, scaled(line, length));
  }
  // Fingers that hold on to something let go first.
  for (const opening of [side, side === "right" ? "left" : "right"] as const) {
    for (const line of lines) {
      yield (walk) => {
        const closed = walk.pose[opening].angles;
        return walk.bend(opening, closed.map(() => 0)) && moveBy(walk, side, scaled(line, 0.3));
      };
    }
  }
  for (let i = 0; i < RANDOM_EXITS; i++) {
    const legs = Array.from({ length: 3 }, () => scaled(randomDirection(draws), draws.range(0.05, 0.2)));
    yield (walk) => legs.every((leg) => moveBy(walk, side, leg));
  }
}

function moveBy(walk: Walk, side: Side, by: Vector3): boolean {
  return walk.move(side, add(walk.pose[side].position, by));
}

/** Ways in which a hand may slip away, the likely ones first. */
function directions(pose: Pose, side: Side): Vector3[] {
  const outward = side === "right" ? 1 : -1;
  const { position, orientation } = pose[side];
  const apart = subtract(position, pose[side === "right" ? "left" : "right"].position);
  const along = rotate(orientation, [0, 1, 0]);
  const palm = rotate(orientation, [0, 0, 1]);
  return [
    [outward, 0, 0],
    ...(Math.hypot(...apart) > 0 ? [unit(apart)] : []),
    scaled(along, -1),
    [0, 0, 1],
    [0, 0, -1],
    [0, -1, 0],
    [0, 1, 0],
    palm,
    scaled(palm, -1),
    unit([outward, 0, 1]),
    unit([outward, 0, -1]),
    [-outward, 0, 0],
    along,
  ];
}

function randomDirection(draws: Stream): Vector3 {
  return unit([draws.normal(), draws.normal(), draws.normal()]);
}

const RANDOM_ORDERS = 12;

/** The walk with all joints of a hand at rest, or null: all at once, else finger by finger in some order. */
function straightened(walk: Walk, side: Side, draws: Stream): Walk | null {
  const digits = ["thumb", "index", "middle", "ring", "little"];
  const orders = [
    [["wrist", "forearm", ...digits]],
    [["thumb"], ["wrist", "forearm", ...digits]],
    [digits.slice(1), ["wrist", "forearm", ...digits]],
  ];
  for (let i = 0; i < RANDOM_ORDERS; i++) {
    const shuffled = digits.map((digit) => ({ digit, key: draws.next() })).sort((a, b) => a.key - b.key);
    orders.push([...shuffled.map(({ digit }) => [digit]), ["wrist", "forearm"]]);
  }
  for (const order of orders) {
    const tried = walk.fork();
    const rested = order.every((parts) => {
      const { angles } = tried.pose[side];
      return tried.bend(side, angles.map((angle, i) => parts.includes(ALIASES[i].split(".")[0]) ? 0 : angle));
    });
    if (rested) return tried;
  }
  return null;
}

/** The calls along poses that were checked backward, checked forward. */
function forward(checker: PoseChecker, poses: readonly Pose[]): PlannedPath | null {
  if (poses.length - 1 > MOST_CALLS) return null;
  const calls: HandCall[] = [];
  let pose = START_POSE;
  for (const [i, next] of poses.slice(1).entries()) {
    const call = callBetween(poses[i], next);
    const reached = applyCall(pose, call);
    if (checker.move(pose, reached) !== null) return null;
    calls.push(call);
    pose = reached;
  }
  return { calls, reached: pose };
}
