/** Rules that need no skin: joint ranges, where wrists may be, and how far one call may move a hand. */
import { decimal } from "../env/numbers.ts";
import type { Quaternion } from "../env/quaternion.ts";
import { subtract } from "../env/vector3.ts";
import type { Fault, FaultKind } from "./fault.ts";
import { controlIndex, CONTROLS, FINGERS, spreadLimitDeg } from "./hand/controls.ts";
import { type HandPose, type Pose, type Side, SIDES } from "./pose.ts";
import { WRIST_BOX } from "./stage/stage.ts";

/** The most that one call may change, inclusive. */
export const CALL_LIMIT = { jointDeg: 45, moveMetres: 0.15, turnDeg: 45 } as const;

/** Slack of every limit, degrees or metres: limits are inclusive, and radians round. */
const SLACK = 1e-9;

/** How far a quaternion's length may be from 1. */
const UNIT_TOLERANCE = 1e-6;

/** The first joint, spread or wrist of a pose that is out of range, or null. */
export function rangeFault(pose: Pose): Fault | null {
  return firstFault(
    SIDES,
    (side) => angleFault(side, pose[side]) ?? spreadFault(side, pose[side]) ?? wristFault(side, pose[side]),
  );
}

/** The first change between two poses that is too large for one call, or null. */
export function callLimitFault(from: Pose, to: Pose): Fault | null {
  return firstFault(SIDES, (side) => callFault(side, from[side], to[side]));
}

/** The angle between two orientations in degrees: 2 acos |q · q′|, so that q and −q are the same. */
export function turnDeg(a: Quaternion, b: Quaternion): number {
  const cosine = Math.abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]);
  return degrees(2 * Math.acos(Math.min(1, cosine)));
}

/** The first fault that is found, side by side. */
export function firstFault(sides: readonly Side[], of: (side: Side) => Fault | null): Fault | null {
  for (const side of sides) {
    const found = of(side);
    if (found) return found;
  }
  return null;
}

/** A value beyond a limit, with as many decimals as it takes to look beyond it. */
export function shownPast(value: number, limit: number, digits = 1): string {
  const most = 9;
  while (digits < most && decimal(value, digits) === decimal(limit, digits)) digits++;
  return decimal(value, digits);
}

function angleFault(side: Side, { angles }: HandPose): Fault | null {
  for (const [i, { name, min, max }] of CONTROLS.entries()) {
    const angle = degrees(angles[i]);
    if (angle >= min - SLACK && angle <= max + SLACK) continue;
    const shown = shownPast(angle, angle < min ? min : max);
    return fault("joint_range", `${side} ${name} would be ${shown}° (range ${min}° to ${max}°)`);
  }
  return null;
}

/** A finger spreads the less the more its knuckle is bent. */
function spreadFault(side: Side, { angles }: HandPose): Fault | null {
  const angle = (name: string) => degrees(angles[controlIndex(name)]);
  for (const finger of FINGERS) {
    const name = `${finger}.spread`;
    const [spread, mcp] = [angle(name), angle(`${finger}.mcp`)];
    const limit = spreadLimitDeg(finger, mcp);
    if (spread <= limit + SLACK) continue;
    const most = decimal(limit, 1);
    return fault(
      "spread",
      `${side} ${name} would be ${shownPast(spread, limit)}° (at most ${most}° while ${finger}.mcp is ${
        decimal(mcp, 1)
      }°)`,
    );
  }
  return null;
}

function wristFault(side: Side, { position, orientation }: HandPose): Fault | null {
  const axes = ["x", "y", "z"] as const;
  for (const [i, axis] of axes.entries()) {
    const [min, max] = WRIST_BOX[axis];
    const at = position[i];
    if (at >= min - SLACK && at <= max + SLACK) continue;
    const shown = shownPast(at, at < min ? min : max, 2);
    return fault("stage", `${side} wrist would be at ${axis} = ${shown} m (range ${min} m to ${max} m)`);
  }
  if (Math.abs(Math.hypot(...orientation) - 1) <= UNIT_TOLERANCE) return null;
  return fault("stage", `${side} orientation would be no unit quaternion ([${orientation.join(", ")}])`);
}

function callFault(side: Side, from: HandPose, to: HandPose): Fault | null {
  const { jointDeg, moveMetres, turnDeg: mostTurnDeg } = CALL_LIMIT;
  for (const [i, { name }] of CONTROLS.entries()) {
    const change = degrees(Math.abs(to.angles[i] - from.angles[i]));
    if (change <= jointDeg + SLACK) continue;
    const shown = shownPast(change, jointDeg);
    return fault("call_limit", `${side} ${name} would change by ${shown}° (at most ${jointDeg}° a call)`);
  }
  const moved = Math.hypot(...subtract(to.position, from.position));
  if (!(moved <= moveMetres + SLACK)) {
    const shown = shownPast(100 * moved, 100 * moveMetres);
    return fault(
      "call_limit",
      `the ${side} hand would move ${shown} cm (at most ${100 * moveMetres} cm a call)`,
    );
  }
  const turned = turnDeg(from.orientation, to.orientation);
  if (turned <= mostTurnDeg + SLACK) return null;
  const shown = shownPast(turned, mostTurnDeg);
  return fault("call_limit", `the ${side} hand would turn ${shown}° (at most ${mostTurnDeg}° a call)`);
}

function fault(kind: FaultKind, text: string): Fault {
  return { kind, text };
}

function degrees(radians: number): number {
  return radians * 180 / Math.PI;
}
