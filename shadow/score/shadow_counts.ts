/** How a shadow meets a target, in numbers of pixels: all that a score needs, the same from host and device. */
import { bitCount, type Mask, MASK_WORDS, WORDS_PER_ROW } from "../stage/mask.ts";
import { nearWord, outlineOf } from "./outline.ts";
import type { Target } from "./target.ts";

export interface ShadowCounts {
  /** The shadow's pixels, and those that it shares with the target. */
  readonly area: number;
  readonly shared: number;
  readonly outlineLength: number;
  /** Pixels of the shadow's outline within each radius of the target's. [3] */
  readonly shadowNear: readonly number[];
  /** Pixels of the target's outline within each radius of the shadow's. [3] */
  readonly targetNear: readonly number[];
  /** Light pixels in each hole of the target. [holes] */
  readonly open: readonly number[];
}

export function countShadow(target: Target, mask: Mask): ShadowCounts {
  const { radii } = target.profile.outline;
  const outline = outlineOf(mask, target.profile.outline);
  let [area, shared, outlineLength] = [0, 0, 0];
  const shadowNear = radii.map(() => 0);
  for (let at = 0; at < MASK_WORDS; at++) {
    if (mask[at] === 0) continue;
    area += bitCount(mask[at]);
    shared += bitCount(mask[at] & target.mask[at]);
    const edge = outline[at];
    if (edge === 0) continue;
    outlineLength += bitCount(edge);
    for (let i = 0; i < radii.length; i++) shadowNear[i] += bitCount(edge & target.near[i][at]);
  }
  const targetNear = radii.map(() => 0);
  const near = radii.map(() => 0);
  for (const at of target.outlineWords) {
    nearWord(outline, Math.floor(at / WORDS_PER_ROW), at % WORDS_PER_ROW, radii, near);
    for (let i = 0; i < radii.length; i++) targetNear[i] += bitCount(target.outline[at] & near[i]);
  }
  const open = target.holes.map(({ words, bits }) =>
    words.reduce((sum, word, i) => sum + bitCount(bits[i] & ~mask[word]), 0)
  );
  return { area, shared, outlineLength, shadowNear, targetNear, open };
}
