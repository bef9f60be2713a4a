/** Holes of a target: an eye, the space between two legs. */
import { MASK_HEIGHT, MASK_WIDTH } from "../stage/stage.ts";
import { type Mask, maskAt, WORDS_PER_ROW } from "../stage/mask.ts";

/** Light pixels that the target closes in. */
export interface Hole {
  readonly pixels: number;
  /** Indices of the mask's words that it reaches into, and its bits in each. */
  readonly words: readonly number[];
  readonly bits: readonly number[];
}

/** Light parts, connected by edges, of at least `minPixels`, that do not touch the border; from top to bottom. */
export function findHoles(mask: Mask, minPixels: number): Hole[] {
  const seen = new Uint8Array(MASK_WIDTH * MASK_HEIGHT);
  const holes: Hole[] = [];
  for (let start = 0; start < seen.length; start++) {
    const part = lightPart(mask, start, seen);
    if (part.pixels.length < minPixels || part.touchesBorder) continue;
    const bits = new Map<number, number>();
    for (const pixel of part.pixels) {
      const word = Math.floor(pixel / MASK_WIDTH) * WORDS_PER_ROW + (pixel % MASK_WIDTH >> 5);
      bits.set(word, (bits.get(word) ?? 0) | 1 << (pixel & 31));
    }
    holes.push({ pixels: part.pixels.length, words: [...bits.keys()], bits: [...bits.values()] });
  }
  return holes;
}

/** The part that pixel `start` belongs to; nothing when it is dark or was seen. */
function lightPart(
  mask: Mask,
  start: number,
  seen: Uint8Array,
): { pixels: number[]; touchesBorder: boolean } {
  const pixels: number[] = [];
  let touchesBorder = false;
  const visit = (x: number, y: number) => {
    const pixel = y * MASK_WIDTH + x;
    if (seen[pixel] === 1 || maskAt(mask, x, y)) return;
    seen[pixel] = 1;
    pixels.push(pixel);
  };
  visit(start % MASK_WIDTH, Math.floor(start / MASK_WIDTH));
  for (let next = 0; next < pixels.length; next++) {
    const [x, y] = [pixels[next] % MASK_WIDTH, Math.floor(pixels[next] / MASK_WIDTH)];
    touchesBorder ||= x === 0 || y === 0 || x === MASK_WIDTH - 1 || y === MASK_HEIGHT - 1;
    if (x > 0) visit(x - 1, y);
    if (x < MASK_WIDTH - 1) visit(x + 1, y);
    if (y > 0) visit(x, y - 1);
    if (y < MASK_HEIGHT - 1) visit(x, y + 1);
  }
  return { pixels, touchesBorder };
}
