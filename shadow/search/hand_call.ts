/** Calls that move a hand, as planning makes them: the numbers are those of the tools of the same names. */
import { fromAxisAngle, multiply, normalize, type Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { ALIASES, CONTROLS } from "../hand/controls.ts";
import type { HandPose, Pose, Side } from "../pose.ts";

/** A `PolicyCall` of one of the three tools that move a hand. */
export type HandCall =
  /** Degrees by control; others stay. */
  | { readonly name: "set_fingers"; arguments: { hand: Side; joints: Record<string, number> } }
  /** To a place of the wrist, metres. */
  | { readonly name: "move_hand"; arguments: { hand: Side; to: Vector3 } }
  /** About the wrist and an axis of the world. */
  | { readonly name: "turn_hand"; arguments: { hand: Side; axis: Vector3; degrees: number } };

/** The pose after a call; whether it is legal is another question. */
export function applyCall(pose: Pose, call: HandCall): Pose {
  const { hand } = call.arguments;
  return { ...pose, [hand]: changedHand(pose[hand], call) };
}

function changedHand(hand: HandPose, call: HandCall): HandPose {
  switch (call.name) {
    case "set_fingers": {
      const { joints } = call.arguments;
      const angles = CONTROLS.map(({ name }, i) =>
        Object.hasOwn(joints, name) ? joints[name] * Math.PI / 180 : hand.angles[i]
      );
      return { ...hand, angles };
    }
    case "move_hand":
      return { ...hand, position: call.arguments.to };
    case "turn_hand": {
      const { axis, degrees } = call.arguments;
      return { ...hand, orientation: normalize(multiply(fromAxisAngle(axis, degrees), hand.orientation)) };
    }
  }
}

/** The call between two poses of which one hand differs, in bend, place or orientation. */
export function callBetween(from: Pose, to: Pose): HandCall {
  const hand = from.right === to.right ? "left" : "right";
  const [a, b] = [from[hand], to[hand]];
  if (a.orientation !== b.orientation) {
    return { name: "turn_hand", arguments: { hand, ...turnBetween(a.orientation, b.orientation) } };
  }
  if (a.position !== b.position) return { name: "move_hand", arguments: { hand, to: b.position } };
  const changed = ALIASES.flatMap((name, i) =>
    a.angles[i] === b.angles[i] ? [] : [[name, b.angles[i] * 180 / Math.PI]]
  );
  return { name: "set_fingers", arguments: { hand, joints: Object.fromEntries(changed) } };
}

/** The shorter turn between two orientations. */
export function turnBetween(from: Quaternion, to: Quaternion): { axis: Vector3; degrees: number } {
  const [w, x, y, z] = multiply(to, [from[0], -from[1], -from[2], -from[3]]);
  const sine = Math.hypot(x, y, z);
  if (sine === 0) return { axis: [0, 0, 1], degrees: 0 };
  const along = w < 0 ? -sine : sine;
  return {
    axis: [x / along, y / along, z / along],
    degrees: 2 * Math.atan2(sine, Math.abs(w)) * 180 / Math.PI,
  };
}
