/** Whether hands may be in a pose, and whether one call may bring them from one pose to another. */
import { decimal } from "../../env/numbers.ts";
import type { Fault } from "../fault.ts";
import { type Hands, SEGMENTS } from "../hand/hand_model.ts";
import { type HandPose, type Pose, type Side, SIDES } from "../pose.ts";
import { callLimitFault, rangeFault, turnDeg } from "../rules.ts";
import { SKIN_MAX_Z, SKIN_MIN_Z } from "../stage/stage.ts";
import { contactMesh } from "./contact_mesh.ts";
import { interpolatePose } from "./interpolate_pose.ts";
import { PosedSkin } from "./posed_skin.ts";
import { handContact, selfContact } from "./skin_contact.ts";
import { windingNumber } from "./winding_number.ts";

/** No vertex travels further between two samples of a motion, metres. */
export const STEP_METRES = 0.0025;

/** Nor does an angle change by more, so that a vertex stays near the line between its samples. */
const STEP_DEG = 5;

/** The next step is planned to stay this share of the way below the limit. */
const STEP_AIM = 0.98;

/** Keeps its buffers from check to check; a check depends on its arguments alone. */
export class PoseChecker {
  readonly #skins: Readonly<Record<Side, PosedSkin>>;

  constructor(hands: Hands) {
    this.#skins = {
      right: new PosedSkin(contactMesh(hands.right)),
      left: new PosedSkin(contactMesh(hands.left)),
    };
  }

  /** What is wrong with a pose: ranges, stage, skin through itself or the other hand; or null. */
  pose(pose: Pose): Fault | null {
    const outOfRange = rangeFault(pose);
    if (outOfRange) return outOfRange;
    for (const side of SIDES) this.#skins[side].place(pose[side]);
    return this.#stageFault() ?? this.#selfFault("right") ?? this.#selfFault("left") ??
      this.#handFault("right") ?? this.#containmentFault();
  }

  /**
   * What is wrong with moving from a legal pose to another in one call, or null: limits of a call, the end pose, and
   * every pose on the way, in steps of at most `STEP_METRES` of any vertex.
   */
  move(from: Pose, to: Pose): Fault | null {
    return callLimitFault(from, to) ?? rangeFault(from) ?? rangeFault(to) ?? this.#motionFault(from, to) ??
      this.pose(to);
  }

  #motionFault(from: Pose, to: Pose): Fault | null {
    const moving = SIDES.filter((side) => !sameHand(from[side], to[side]));
    if (moving.length === 0) return null;
    const bending = moving.filter((side) => !sameNumbers(from[side].angles, to[side].angles));
    for (const side of SIDES) this.#skins[side].place(from[side]);
    const travel = (pose: Pose) => Math.max(...moving.map((side) => this.#skins[side].propose(pose[side])));

    const longest = STEP_DEG /
      Math.max(STEP_DEG, ...moving.map((side) => largestTurnDeg(from[side], to[side])));
    let step = Math.min(longest, STEP_AIM * STEP_METRES / travel(to));
    for (let t = 0; t < 1;) {
      const next = Math.min(1, t + step);
      const travelled = travel(interpolatePose(from, to, next));
      if (travelled <= STEP_METRES) {
        t = next;
        for (const side of moving) this.#skins[side].advance();
        const fault = this.#stageFault() ?? this.#movedFault(moving, bending);
        if (fault) return fault;
      }
      step = Math.min(longest, step * STEP_AIM * STEP_METRES / travelled);
    }
    return null;
  }

  /** Contacts of what has moved. A hand that keeps its angles moves as a rigid body, and cannot meet itself. */
  #movedFault(moving: readonly Side[], bending: readonly Side[]): Fault | null {
    for (const side of bending) {
      const fault = this.#selfFault(side, this.#skins[side].moved);
      if (fault) return fault;
    }
    return this.#handFault(moving[0]);
  }

  #stageFault(): Fault | null {
    for (const side of SIDES) {
      const { box, partBoxes } = this.#skins[side];
      const [low, high] = [box[2], box[5]];
      const part = (z: number, offset: number) =>
        SEGMENTS.find((_, i) => partBoxes[6 * i + offset] === z) ?? "hand";
      if (low < SKIN_MIN_Z) {
        const text = `${side} ${part(low, 2)} would be at z = ${
          decimal(low, 4)
        } m (at least ${SKIN_MIN_Z} m)`;
        return { kind: "stage", text };
      }
      if (high > SKIN_MAX_Z) {
        const text = `${side} ${part(high, 5)} would be at z = ${
          decimal(high, 4)
        } m (at most ${SKIN_MAX_Z} m)`;
        return { kind: "stage", text };
      }
    }
    return null;
  }

  /** Of two parts, the one that has moved is named first. */
  #selfFault(side: Side, moved?: number): Fault | null {
    const contact = selfContact(this.#skins[side], moved);
    if (!contact) return null;
    const [i, j] = contact;
    const [through, into] = moved !== undefined && (moved & 1 << j) === 0 ? [i, j] : [j, i];
    return {
      kind: "self_collision",
      text: `${side} ${SEGMENTS[through]} would pass through ${side} ${SEGMENTS[into]}`,
    };
  }

  /** The hand `first` is named first. */
  #handFault(first: Side): Fault | null {
    const contact = handContact(this.#skins.right, this.#skins.left);
    if (!contact) return null;
    const right = `right ${SEGMENTS[contact[0]]}`, left = `left ${SEGMENTS[contact[1]]}`;
    const [through, into] = first === "right" ? [right, left] : [left, right];
    return { kind: "hand_collision", text: `${through} would pass through ${into}` };
  }

  /** Skins that do not touch can still lie one inside the other. */
  #containmentFault(): Fault | null {
    for (const [inner, outer] of [SIDES, SIDES.toReversed()]) {
      const [a, b] = [this.#skins[inner], this.#skins[outer]];
      const within = [0, 1, 2].every((axis) =>
        a.box[axis] >= b.box[axis] && a.box[axis + 3] <= b.box[axis + 3]
      );
      if (within && windingNumber(b.positions, b.mesh.corners, a.positions, 0) > 0.5) {
        return { kind: "hand_collision", text: `the ${inner} hand would be inside the ${outer} hand` };
      }
    }
    return null;
  }
}

function largestTurnDeg(from: HandPose, to: HandPose): number {
  const bends = from.angles.map((angle, i) => Math.abs(to.angles[i] - angle) * 180 / Math.PI);
  return Math.max(...bends, turnDeg(from.orientation, to.orientation));
}

function sameHand(a: HandPose, b: HandPose): boolean {
  return a === b || sameNumbers(a.angles, b.angles) && sameNumbers(a.position, b.position) &&
      sameNumbers(a.orientation, b.orientation);
}

function sameNumbers(a: readonly number[], b: readonly number[]): boolean {
  return a.every((x, i) => x === b[i]);
}
