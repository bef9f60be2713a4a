/** A target and what scoring needs of it, prepared once. */
import { BenchError } from "../../env/errors.ts";
import { type Mask, MASK_WORDS, maskArea } from "../stage/mask.ts";
import { findHoles, type Hole } from "./holes.ts";
import { nearMasks, outlineOf } from "./outline.ts";
import { DEFAULT_SCORE, type ScoreProfile } from "./score_profile.ts";

export interface Target {
  readonly profile: ScoreProfile;
  readonly mask: Mask;
  readonly outline: Mask;
  /** Pixels within each radius of the outline. [3] */
  readonly near: readonly Mask[];
  readonly holes: readonly Hole[];
  /** Pixels. */
  readonly area: number;
  readonly outlineLength: number;
  /** Indices of the words in which there is outline. */
  readonly outlineWords: readonly number[];
}

/** Prepares a target; the mask is copied. Throws BenchError for one without a dark pixel, or of another size. */
export function prepareTarget(mask: Mask, profile: ScoreProfile = DEFAULT_SCORE): Target {
  const area = maskArea(mask);
  if (mask.length !== MASK_WORDS || area === 0) {
    throw new BenchError({
      what: "Cannot score against this target",
      why: area === 0 ? "it has no dark pixel" : `${mask.length} words, a mask has ${MASK_WORDS}`,
      fix: "Give a silhouette of 512 × 384 pixels with something dark in it",
    });
  }
  const outline = outlineOf(mask, profile.outline);
  return {
    profile,
    mask: mask.slice(),
    outline,
    near: nearMasks(outline, profile.outline.radii),
    holes: findHoles(mask, profile.holes.minPixels),
    area,
    outlineLength: maskArea(outline),
    outlineWords: Array.from(outline.keys()).filter((at) => outline[at] !== 0),
  };
}
