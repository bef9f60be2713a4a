/** Outlines and what lies near them, 32 pixels at a time. `shadow_outline.wgsl` and `target_outline.wgsl` do the same on a device. */
import { MASK_HEIGHT } from "../stage/stage.ts";
import { emptyMask, type Mask, MASK_WORDS, WORDS_PER_ROW } from "../stage/mask.ts";
import type { ScoreProfile } from "./score_profile.ts";

type OutlineRule = ScoreProfile["outline"];

/** Pixels of the mask with a light neighbour. */
export function outlineOf(mask: Mask, { neighbours, border }: OutlineRule): Mask {
  const beyond = border === "same" ? -1 : 0;
  const outline = emptyMask();
  for (let at = 0; at < MASK_WORDS; at++) {
    const word = mask[at];
    if (word === 0) continue;
    const above = at - WORDS_PER_ROW;
    const below = at + WORDS_PER_ROW;
    const around = neighbours === 4
      ? wordAt(mask, above, beyond) & wordAt(mask, below, beyond)
      : inRow(mask, above, beyond) & inRow(mask, below, beyond);
    outline[at] = word & ~(around & inRow(mask, at, beyond));
  }
  return outline;
}

/** Pixels within each radius (Euclidean, inclusive) of those set, in the word of `row` and `column`; into `near`. */
export function nearWord(
  bits: Mask,
  row: number,
  column: number,
  radii: OutlineRule["radii"],
  near: number[],
): void {
  near.fill(0);
  const reach = Math.max(...radii);
  for (let y = Math.max(row - reach, 0); y <= Math.min(row + reach, MASK_HEIGHT - 1); y++) {
    const at = y * WORDS_PER_ROW + column;
    const word = bits[at];
    const before = column > 0 ? bits[at - 1] : 0;
    const after = column < WORDS_PER_ROW - 1 ? bits[at + 1] : 0;
    if ((word | before | after) === 0) continue;
    const height = (y - row) ** 2;
    let spread = word;
    for (let x = 0; x * x + height <= reach * reach; x++) {
      if (x > 0) spread |= word << x | before >>> (32 - x) | word >>> x | after << (32 - x);
      for (const [i, radius] of radii.entries()) {
        if (x * x + height <= radius * radius) near[i] |= spread;
      }
    }
  }
}

/** Pixels within each radius of those set. */
export function nearMasks(bits: Mask, radii: OutlineRule["radii"]): Mask[] {
  const masks = radii.map(emptyMask);
  const near = radii.map(() => 0);
  for (let at = 0; at < MASK_WORDS; at++) {
    nearWord(bits, Math.floor(at / WORDS_PER_ROW), at % WORDS_PER_ROW, radii, near);
    for (const [i, word] of near.entries()) masks[i][at] = word;
  }
  return masks;
}

/** Pixels that are set and whose neighbours in the row are, too. */
function inRow(mask: Mask, at: number, beyond: number): number {
  if (at < 0 || at >= MASK_WORDS) return beyond;
  const word = mask[at];
  const column = at % WORDS_PER_ROW;
  const before = column > 0 ? mask[at - 1] : beyond;
  const after = column < WORDS_PER_ROW - 1 ? mask[at + 1] : beyond;
  return word & (word << 1 | before >>> 31) & (word >>> 1 | after << 31);
}

function wordAt(mask: Mask, at: number, beyond: number): number {
  return at < 0 || at >= MASK_WORDS ? beyond : mask[at];
}
