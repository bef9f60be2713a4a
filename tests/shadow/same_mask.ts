/** Equal masks, in words: the difference of two long arrays takes minutes to print. */
import assert from "node:assert/strict";
import { type Mask, maskAt } from "../../shadow/stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../../shadow/stage/stage.ts";

export function assertSameMask(actual: Mask, expected: Mask, what = "mask"): void {
  assert.equal(actual.length, expected.length);
  const pixels = differingPixels(actual, expected);
  assert.equal(pixels.length, 0, `${what}: ${pixels.length} pixels differ, the first at (${pixels[0]})`);
}

/** x and y of the pixels that are dark in one of two masks alone. */
export function differingPixels(a: Mask, b: Mask): [number, number][] {
  const pixels: [number, number][] = [];
  for (let y = 0; y < MASK_HEIGHT; y++) {
    for (let x = 0; x < MASK_WIDTH; x++) if (maskAt(a, x, y) !== maskAt(b, x, y)) pixels.push([x, y]);
  }
  return pixels;
}
