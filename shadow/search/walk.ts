/** Walking from pose to pose by legal calls: what all planning is made of. */
import { fromAxisAngle, multiply, normalize, type Quaternion } from "../../env/quaternion.ts";
import { subtract, type Vector3 } from "../../env/vector3.ts";
import { turnBetween } from "./hand_call.ts";
import type { PoseChecker } from "../collision/pose_checker.ts";
import type { HandPose, Pose, Side } from "../pose.ts";
import { CALL_LIMIT } from "../rules.ts";

/** Poses a call apart from each other: one hand bends, moves or turns. */
export class Walk {
  readonly #poses: Pose[];

  constructor(readonly checker: PoseChecker, start: Pose) {
    this.#poses = [start];
  }

  get pose(): Pose {
    return this.#poses[this.#poses.length - 1];
  }

  /** Start and the pose after every call. */
  get poses(): readonly Pose[] {
    return this.#poses;
  }

  /** Another walk that has come the same way, to try how it goes on. */
  fork(): Walk {
    const walk = new Walk(this.checker, this.#poses[0]);
    walk.#poses.push(...this.#poses.slice(1));
    return walk;
  }

  /** Bends a hand's joints to the given angles (radians), in as many calls as it takes; false where one is refused. */
  bend(side: Side, angles: readonly number[]): boolean {
    const from = this.pose[side].angles;
    const largest = Math.max(...angles.map((angle, i) => Math.abs(angle - from[i])));
    const calls = callsFor(largest * 180 / Math.PI, CALL_LIMIT.jointDeg);
    return this.#go(side, calls, (k) => ({
      angles: k === calls ? angles : angles.map((angle, i) => from[i] + (angle - from[i]) * k / calls),
    }));
  }

  /** Moves a wrist along a straight line. */
  move(side: Side, to: Vector3): boolean {
    const from = this.pose[side].position;
    const way = subtract(to, from);
    const calls = callsFor(Math.hypot(...way), CALL_LIMIT.moveMetres);
    const at = (i: 0 | 1 | 2, k: number) => from[i] + way[i] * k / calls;
    return this.#go(side, calls, (k) => ({
      position: k === calls ? to : [at(0, k), at(1, k), at(2, k)],
    }));
  }

  /** Turns a hand about its wrist, the shorter way. */
  turn(side: Side, to: Quaternion): boolean {
    const from = this.pose[side].orientation;
    const { axis, degrees } = turnBetween(from, to);
    const calls = callsFor(degrees, CALL_LIMIT.turnDeg);
    return this.#go(side, calls, (k) => ({
      orientation: k === calls ? to : normalize(multiply(fromAxisAngle(axis, degrees * k / calls), from)),
    }));
  }

  #go(side: Side, calls: number, hand: (call: number) => Partial<HandPose>): boolean {
    for (let k = 1; k <= calls; k++) {
      const next: Pose = { ...this.pose, [side]: { ...this.pose[side], ...hand(k) } };
      if (this.checker.move(this.pose, next) !== null) return false;
      this.#poses.push(next);
    }
    return true;
  }
}

/** Fewest equal calls within a limit; rounding makes no call of its own. */
function callsFor(amount: number, limit: number): number {
  return amount < 1e-12 ? 0 : Math.ceil(amount / limit - 1e-9);
}
