/**
 * The score of a shadow against a target,
 *
 *   100 (0.55 IoU + 0.45 F) (0.9 + 0.1 h) (0.95 + 0.05 w) · 0.94^peeks
 *
 * as published. What the formula leaves open is in `ScoreProfile`.
 */
import type { Pose } from "../pose.ts";
import type { Mask } from "../stage/mask.ts";
import { countShadow, type ShadowCounts } from "./shadow_counts.ts";
import type { ScoreProfile } from "./score_profile.ts";
import type { Target } from "./target.ts";
import { wristShare } from "./wrists.ts";

export { prepareTarget, type Target } from "./target.ts";

export interface ShadowScore {
  /** 0 to 100, after the penalty for peeks. */
  readonly score: number;
  readonly scoreBeforePeeks: number;
  /** Area of the overlap over that of the union. */
  readonly iou: number;
  /** Mean over the radii of the F value of both outlines. */
  readonly outlineF: number;
  /** h: the share of the target's holes that the shadow leaves open; 1 without holes. */
  readonly holes: number;
  /** w: how close the worse wrist is to neutral. */
  readonly wrists: number;
  /** Whether overlap, outline and holes each reach 95 %. */
  readonly solved: boolean;
}

/** Scores the shadow that `pose` cast, after so many peeks. */
export function scoreShadow(target: Target, mask: Mask, pose: Pose, peeks = 0): ShadowScore {
  return scoreCounts(target, countShadow(target, mask), pose, peeks);
}

/** The score from counts of pixels, which host and device have alike. */
export function scoreCounts(target: Target, counts: ShadowCounts, pose: Pose, peeks = 0): ShadowScore {
  const { profile } = target;
  const iou = counts.shared / (target.area + counts.area - counts.shared);
  const outlineF = outlineMatch(target, counts);
  const holes = openShare(target, counts);
  return scoreOf({ iou, outlineF, holes, wrists: wristShare(pose, profile.wrists) }, profile, peeks);
}

/** The parts of a score. */
export type ScoreParts = Pick<ShadowScore, "iou" | "outlineF" | "holes" | "wrists">;

/** The score that its parts make. */
export function scoreOf(parts: ScoreParts, profile: ScoreProfile, peeks: number): ShadowScore {
  const { iou, outlineF, holes, wrists } = parts;
  const scoreBeforePeeks = 100 * (0.55 * iou + 0.45 * outlineF) * (0.9 + 0.1 * holes) *
    (0.95 + 0.05 * wrists);
  const solved = [iou, outlineF, holes].every((part) => part >= profile.solvedAt);
  const score = scoreBeforePeeks * profile.peekFactor ** peeks;
  return { score, scoreBeforePeeks, iou, outlineF, holes, wrists, solved };
}

function outlineMatch(
  target: Target,
  { area, outlineLength, shadowNear, targetNear }: ShadowCounts,
): number {
  // A screen all dark has no outline, and only itself matches it.
  if (outlineLength === 0 || target.outlineLength === 0) {
    return Number(area > 0 && outlineLength === target.outlineLength);
  }
  const values = shadowNear.map((near, i) => {
    const [precision, recall] = [near / outlineLength, targetNear[i] / target.outlineLength];
    return precision + recall === 0 ? 0 : 2 * precision * recall / (precision + recall);
  });
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function openShare({ holes, profile }: Target, { open }: ShadowCounts): number {
  if (holes.length === 0) return 1;
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return profile.holes.mean === "holes"
    ? sum(holes.map(({ pixels }, i) => open[i] / pixels)) / holes.length
    : sum(open) / sum(holes.map(({ pixels }) => pixels));
}
