/** Both hands in a pose, as far as the host draws them. */
import { jointPositions } from "../hand/directions.ts";
import type { Hands, JointCentres } from "../hand/hand_model.ts";
import { skinHand } from "../hand/skin.ts";
import type { Pose, Side } from "../pose.ts";

/** World coordinates, metres. */
export interface PosedHand {
  /** [vertices, 3] */
  readonly skin: Float64Array;
  readonly joints: JointCentres;
}

export type PosedHands = Readonly<Record<Side, PosedHand>>;

export function poseHands(hands: Hands, pose: Pose): PosedHands {
  const posed = (side: Side): PosedHand => ({
    skin: skinHand(hands[side], pose[side]),
    joints: jointPositions(hands[side], pose[side]),
  });
  return { right: posed("right"), left: posed("left") };
}
