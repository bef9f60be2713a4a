/** Draws poses for the model, and checks and scores them. */
import type { Image } from "../env/image.ts";
import type { ShadowHands } from "../tasks/shadow_hands.ts";
import type { Fault } from "./fault.ts";
import type { Hands } from "./hand/hand_model.ts";
import type { View } from "./pictures/views.ts";
import type { Pose } from "./pose.ts";
import type { ShadowScore } from "./score/shadow_score.ts";

/** The stage of one task. */
export interface Studio {
  readonly hands: Hands;
  /** Why one call may not bring the hands from one pose to another; null when it may. */
  move(from: Pose, to: Pose): Fault | null;
  /** The four panels: target, shadow, their difference, and the hands from a view. [768, 1024, 3] */
  look(pose: Pose, view: View): Promise<Image>;
  /** The page of the book. [768, 1024, 3] */
  bookPage(): Image;
  /** The hidden score of a pose after so many peeks. */
  score(pose: Pose, peeks: number): ShadowScore;
  /** Where the hands of a pose are to each other, for the tables. */
  handsOf(pose: Pose): ShadowHands;
}
