/** A silhouette as bits: what is dark on the screen. */
import { MASK_HEIGHT, MASK_WIDTH } from "./stage.ts";

/** 32-bit words in a row. */
export const WORDS_PER_ROW = MASK_WIDTH / 32;
export const MASK_WORDS = WORDS_PER_ROW * MASK_HEIGHT;

/** Bit x & 31 (lowest first) of word y · 16 + (x >> 5) is pixel (x, y); 1 is shadow. [384, 16] */
export type Mask = Uint32Array;

export function emptyMask(): Mask {
  return new Uint32Array(MASK_WORDS);
}

/** Whether pixel (x, y) is in shadow; the caller stays inside the mask. */
export function maskAt(mask: Mask, x: number, y: number): boolean {
  return (mask[y * WORDS_PER_ROW + (x >> 5)] >>> (x & 31) & 1) === 1;
}

/** Pixels in shadow. */
export function maskArea(mask: Mask): number {
  return mask.reduce((sum, word) => sum + bitCount(word), 0);
}

/** Ones in a 32-bit word. */
export function bitCount(word: number): number {
  const pairs = word - (word >>> 1 & 0x55555555);
  const fours = (pairs & 0x33333333) + (pairs >>> 2 & 0x33333333);
  return Math.imul(fours + (fours >>> 4) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

/** The mask of the pixels that `isDark`. */
export function maskWhere(isDark: (x: number, y: number) => boolean): Mask {
  const mask = emptyMask();
  for (let y = 0; y < MASK_HEIGHT; y++) {
    for (let x = 0; x < MASK_WIDTH; x++) {
      if (isDark(x, y)) mask[y * WORDS_PER_ROW + (x >> 5)] |= 1 << (x & 31);
    }
  }
  return mask;
}
