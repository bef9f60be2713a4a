/** A ShadowBench task: a silhouette, a hint, limits. Built from a file or a table row, never changed. */
import type { TaskInfo } from "../env/environment.ts";
import type { Image } from "../env/image.ts";
import type { Prompts, ToolSpec } from "../env/observation.ts";
import type { PolicyCall } from "../env/policy.ts";
import type { Pose } from "./pose.ts";
import type { Mask } from "./stage/mask.ts";

/** What an episode may use. */
export interface Limits {
  readonly calls: number;
  readonly looks: number;
  readonly peeks: number;
}

export const STANDARD_LIMITS: Limits = { calls: 100, looks: 32, peeks: 3 };

/** A pose that casts the target, and legal calls that lead to it; nothing that a model may ever read. */
export interface Witness {
  readonly pose: Pose;
  readonly path: readonly PolicyCall[];
}

/** A hand model by name and sha256. */
export interface HandIdentity {
  readonly name: string;
  readonly hash: string;
}

export interface ShadowTask {
  readonly info: TaskInfo;
  /** The silhouette to match. */
  readonly target: Mask;
  /** Its outline as SVG. */
  readonly targetSvg: string;
  /** What `peek_book` says with the page. */
  readonly hint: string;
  /** What `peek_book` shows; null for a page that is drawn, of the witness if there is one. */
  readonly bookPage: Image | null;
  readonly witness: Witness | null;
  /** The hand that the witness poses; null without one. */
  readonly hand: HandIdentity | null;
  readonly limits: Limits;
  /** Prompts and tools that a published task brings, instead of ours. */
  readonly published: { prompts: Prompts; tools: readonly ToolSpec[] } | null;
}

/** The pose that the drawn page of the book shows in this hand; null where there is none, or another hand has it. */
export function drawnWitness({ witness, hand }: ShadowTask, { hash }: HandIdentity): Pose | null {
  return witness === null || (hand !== null && hand.hash !== hash) ? null : witness.pose;
}
