/**
 * Where and about what each control turns the bones, from the rest pose's joint centres alone (product of exponentials).
 *
 * Signs come from the geometry ("toward the palm", "toward the thumb"), so that the same angles on the mirrored hand
 * give the mirrored hand.
 */
import { cross, dot, scaled, subtract, unit, type Vector3 } from "../../env/vector3.ts";
import { boneIndex, PALM_BONE, TWIST_BONES, WRIST_BONE } from "./bones.ts";
import { controlIndex, type Finger, FINGERS } from "./controls.ts";
import type { HandModel, JointCentres } from "./hand_model.ts";
import { type PalmFrame, palmFrame } from "./palm_frame.ts";

/** Bone := parent · (turn by `share` of the control's angle about the axis through the pivot). */
export interface Turn {
  readonly bone: number;
  /** Its matrix is final by now; may be the bone itself. */
  readonly parent: number;
  /** Index of the control. */
  readonly control: number;
  readonly share: number;
  /** Length 1, rest frame. */
  readonly axis: Vector3;
  /** Rest frame, metres. */
  readonly pivot: Vector3;
}

/** In the order in which they apply; bone 0 carries the root. */
export function turnsOf(model: HandModel): readonly Turn[] {
  const known = TURNS.get(model);
  if (known !== undefined) return known;
  const frame = palmFrame(model.joints);
  const turns = [
    ...armTurns(model.joints, frame),
    ...thumbTurns(model.joints, frame),
    ...FINGERS.flatMap((finger) => fingerTurns(finger, model.joints, frame)),
  ];
  TURNS.set(model, turns);
  return turns;
}

const TURNS = new WeakMap<HandModel, readonly Turn[]>();
const LAST_TWIST = TWIST_BONES - 1;

function armTurns({ wrist, elbow }: JointCentres, { up, radial, palmar }: PalmFrame): Turn[] {
  // Supination takes the thumb's side of the hand to its back.
  const roll = turning(unit(subtract(wrist, elbow)), radial, scaled(palmar, -1));
  const bend = turning(palmar, up, radial);
  const flex = unit(cross(up, palmar));
  const at = (bone: number, parent: number, name: string, axis: Vector3, share: number): Turn =>
    turn(bone, parent, name, axis, wrist, share);
  return [
    ...Array.from(
      { length: LAST_TWIST },
      (_, i) => at(i + 1, 0, "forearm.roll", roll, (i + 1) / LAST_TWIST),
    ),
    ...[{ bone: WRIST_BONE, share: 0.5 }, { bone: PALM_BONE, share: 1 }].flatMap(({ bone, share }) => [
      at(bone, LAST_TWIST, "wrist.bend", bend, share),
      at(bone, bone, "wrist.flex", flex, share),
    ]),
  ];
}

function thumbTurns({ thumb, fingers }: JointCentres, { palmar, radial }: PalmFrame): Turn[] {
  const [carpal, mcp, ip, tip] = thumb;
  const metacarpal = unit(subtract(mcp, carpal));
  const proximal = unit(subtract(ip, mcp));
  const distal = unit(subtract(tip, ip));
  const abduction = unit(cross(metacarpal, palmar));
  const flexion = turning(normalTo(palmar, metacarpal), metacarpal, scaled(radial, -1));
  // Both hinges lie across the plane in which the thumb is already a little bent; it curls toward the fingers' roots.
  const hinge = turning(unit(cross(metacarpal, distal)), distal, subtract(fingers.middle[1], tip));
  const [base, middle, end] = ["thumb base", "thumb middle", "thumb tip"].map(boneIndex);
  return [
    turn(base, PALM_BONE, "thumb.abd", abduction, carpal),
    turn(base, base, "thumb.flex", flexion, carpal),
    turn(middle, base, "thumb.mcp", normalTo(hinge, proximal), mcp),
    turn(end, middle, "thumb.ip", normalTo(hinge, distal), ip),
  ];
}

function fingerTurns(finger: Finger, joints: JointCentres, { palmar, radial }: PalmFrame): Turn[] {
  const [, mcp, pip, dip, tip] = joints.fingers[finger];
  const proximal = unit(subtract(pip, mcp));
  const flexion = unit(cross(proximal, palmar));
  // + leads away from the middle finger, and the middle finger to the thumb.
  const outward = finger === "index" || finger === "middle" ? radial : scaled(radial, -1);
  const spread = turning(cross(flexion, proximal), proximal, outward);
  const [base, middle, end] = ["base", "middle", "tip"].map((part) => boneIndex(`${finger} ${part}`));
  return [
    turn(base, PALM_BONE, `${finger}.spread`, spread, mcp),
    turn(base, base, `${finger}.mcp`, flexion, mcp),
    turn(middle, base, `${finger}.pip`, normalTo(flexion, unit(subtract(dip, pip))), pip),
    turn(end, middle, `${finger}.dip`, normalTo(flexion, unit(subtract(tip, dip))), dip),
  ];
}

function turn(bone: number, parent: number, name: string, axis: Vector3, pivot: Vector3, share = 1): Turn {
  return { bone, parent, control: controlIndex(name), share, axis, pivot };
}

/** `axis` or its opposite, whichever turns `from` toward `to`. */
function turning(axis: Vector3, from: Vector3, to: Vector3): Vector3 {
  return dot(cross(axis, from), to) < 0 ? scaled(axis, -1) : axis;
}

/** The direction of `a` that is at right angles to the unit vector `direction`. */
function normalTo(a: Vector3, direction: Vector3): Vector3 {
  return unit(subtract(a, scaled(direction, dot(a, direction))));
}
