import assert from "node:assert/strict";
import { blankImage, type Image } from "../../../env/image.ts";
import { DIFFERENCE_COLORS, DIFFERENCE_GAIN, differenceImage } from "../../../splat/pictures/difference.ts";

type Rgb = readonly [number, number, number];
const WHITE: Rgb = [255, 255, 255];

Deno.test("differenceImage() of equal pictures is blank", () => {
  const picture = { width: 5, height: 3, data: Uint8Array.from({ length: 45 }, (_, i) => i * 5) };
  assert.deepEqual(differenceImage(picture, picture), blankImage(5, 3));
});

Deno.test("differenceImage() shows one differing pixel at its place and nothing else", () => {
  const [photo, render] = [blankImage(7, 5), blankImage(7, 5)];
  photo.data.set([0, 0, 0], (3 * 7 + 2) * 3);
  const expected = blankImage(7, 5);
  expected.data.set(DIFFERENCE_COLORS.missing, (3 * 7 + 2) * 3);
  assert.deepEqual(differenceImage(photo, render), expected);
});

Deno.test("differenceImage() tells missing, extra and wrong color apart", () => {
  assert.deepEqual(differ([200, 30, 30], WHITE), [...DIFFERENCE_COLORS.missing]);
  assert.deepEqual(differ(WHITE, [200, 30, 30]), [...DIFFERENCE_COLORS.extra]);
  assert.deepEqual(differ([200, 30, 30], [30, 200, 30]), [...DIFFERENCE_COLORS.color]);
  const three = [DIFFERENCE_COLORS.missing, DIFFERENCE_COLORS.extra, DIFFERENCE_COLORS.color];
  assert.equal(new Set(three.map(String)).size, 3);
});

Deno.test("differenceImage() grows darker with the largest channel difference, DIFFERENCE_GAIN times as strong", () => {
  // Largest difference 17 of the green channel: 255 − 3 · 17.
  assert.deepEqual(differ([100, 100, 100], [98, 117, 101]), Array(3).fill(255 - DIFFERENCE_GAIN * 17));
  assert.deepEqual(differ([100, 100, 100], [100, 100, 101]), Array(3).fill(255 - DIFFERENCE_GAIN));
  assert.deepEqual(differ([100, 100, 100], [185, 100, 100]), [0, 0, 0]);
  assert.deepEqual(differ([100, 100, 100], [255, 0, 0]), [0, 0, 0]);
});

Deno.test("differenceImage() of a faint render on paper is faint and gray", () => {
  assert.deepEqual(differ(WHITE, [250, 255, 252]), Array(3).fill(255 - DIFFERENCE_GAIN * 5));
});

function differ(photo: Rgb, render: Rgb): number[] {
  const dot = (color: Rgb): Image => blankImage(1, 1, color);
  return [...differenceImage(dot(photo), dot(render)).data];
}
