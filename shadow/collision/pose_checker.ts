/** Whether hands may be in a pose, and whether one call may bring them from one pose to another. */
import type { Fault } from "../fault.ts";
import { type Hands, SEGMENTS } from "../hand/hand_model.ts";
import { type Pose, type Side, SIDES } from "../pose.ts";
import { callLimitFault, firstFault, rangeFault, shownPast } from "../rules.ts";
import { SKIN_MAX_Z, SKIN_MIN_Z } from "../stage/stage.ts";
import { contactMesh } from "./contact_mesh.ts";
import { PosedSkin } from "./posed_skin.ts";
import { ALL_PARTS, handContact, selfContact } from "./skin_contact.ts";
import { skinGap } from "./skin_gap.ts";
import { sameNumbers, walkMotion } from "./walk_motion.ts";
import { windingNumber } from "./winding_number.ts";

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
    return this.#stageFault() ?? firstFault(SIDES, (side) => this.#selfFault(side)) ??
      this.#handFault() ?? this.#containmentFault();
  }

  /**
   * What is wrong with moving from a legal pose to another in one call, or null: limits of a call, the end pose, and
   * every pose on the way, in steps of at most `STEP_METRES` of any vertex.
   */
  move(from: Pose, to: Pose): Fault | null {
    return callLimitFault(from, to) ?? rangeFault(from) ?? rangeFault(to) ?? this.#motionFault(from, to) ??
      this.pose(to);
  }

  /** The least distance between the skins of the two hands in a pose, metres; 0 where they touch. */
  gap(pose: Pose): number {
    for (const side of SIDES) this.#skins[side].place(pose[side]);
    return skinGap(this.#skins.right, this.#skins.left);
  }

  /** A hand that keeps its angles moves as a rigid body and cannot meet itself. */
  #motionFault(from: Pose, to: Pose): Fault | null {
    const bending = SIDES.filter((side) => !sameNumbers(from[side].angles, to[side].angles));
    for (const _ of walkMotion(this.#skins, from, to)) {
      const fault = this.#stageFault() ?? firstFault(bending, (side) =>
        this.#selfFault(side, this.#skins[side].moved)) ??
        this.#handFault();
      if (fault) return fault;
    }
    return null;
  }

  #stageFault(): Fault | null {
    return firstFault(SIDES, (side) => {
      const { box, partBoxes } = this.#skins[side];
      const part = (z: number, bound: number) => SEGMENTS.find((_, i) => partBoxes[6 * i + bound] === z);
      const [low, high] = [box[2], box[5]];
      if (low < SKIN_MIN_Z) {
        const shown = shownPast(low, SKIN_MIN_Z, 3);
        return stage(`${side} ${part(low, 2)} would be at z = ${shown} m (at least ${SKIN_MIN_Z} m)`);
      }
      if (high > SKIN_MAX_Z) {
        const shown = shownPast(high, SKIN_MAX_Z, 3);
        return stage(`${side} ${part(high, 5)} would be at z = ${shown} m (at most ${SKIN_MAX_Z} m)`);
      }
      return null;
    });
  }

  /** Contacts of a hand with itself, where one of two parts is in `moved`. */
  #selfFault(side: Side, moved = ALL_PARTS): Fault | null {
    const contact = selfContact(this.#skins[side], moved);
    if (!contact) return null;
    const [i, j] = contact.map((part) => `${side} ${SEGMENTS[part]}`);
    const [part, other] = (moved & 1 << contact[1]) === 0 ? [i, j] : [j, i];
    return { kind: "self_collision", text: `${part} would pass through ${other}` };
  }

  /** The hand that has moved is named first, else the right one. */
  #handFault(): Fault | null {
    const { right, left } = this.#skins;
    const contact = handContact(right, left);
    if (!contact) return null;
    const parts = [`right ${SEGMENTS[contact[0]]}`, `left ${SEGMENTS[contact[1]]}`];
    if (right.moved === 0 && left.moved !== 0) parts.reverse();
    return { kind: "hand_collision", text: `${parts[0]} would pass through ${parts[1]}` };
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

function stage(text: string): Fault {
  return { kind: "stage", text };
}
