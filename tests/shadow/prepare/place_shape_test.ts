import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import type { Bitmap } from "../../../shadow/prepare/parts.ts";
import { placeShape } from "../../../shadow/prepare/place_shape.ts";
import { findHoles } from "../../../shadow/score/holes.ts";
import { type Mask, maskArea, maskAt, maskWhere } from "../../../shadow/stage/mask.ts";

function shape(width: number, height: number, is: (x: number, y: number) => boolean): Bitmap {
  const pixels = Uint8Array.from(
    { length: width * height },
    (_, i) => is(i % width, Math.floor(i / width)) ? 1 : 0,
  );
  return { width, height, pixels };
}

/** Columns and rows of the shadow, both ends included. */
function extent(mask: Mask): { x: [number, number]; y: [number, number] } {
  const dark = Array.from({ length: 512 * 384 }, (_, i) => [i % 512, Math.floor(i / 512)])
    .filter(([x, y]) => maskAt(mask, x, y));
  const range = (values: number[]): [number, number] => [
    values.reduce((a, b) => Math.min(a, b)),
    values.reduce((a, b) => Math.max(a, b)),
  ];
  return { x: range(dark.map(([x]) => x)), y: range(dark.map(([, y]) => y)) };
}

Deno.test("placeShape() puts a shape in the middle, as large as fits; half covered pixels are shadow", () => {
  // 0.8 · 384 = 307.2 pixels a side: from 102.4 to 409.6 and from 38.4 to 345.6, so each outer pixel is covered by 0.6,
  // and each corner by 0.36.
  const square = placeShape(shape(200, 190, (x, y) => x >= 60 && x < 160 && y >= 20 && y < 120), 0.8, "test");
  assert.deepEqual(extent(square), { x: [102, 409], y: [38, 345] });
  assert.equal(maskArea(square), 308 * 308 - 4);
  // A wide one is bound by the screen's width: 0.5 · 512 = 256 by 64 pixels, no pixel cut.
  const wide = placeShape(shape(420, 190, (x, y) => x >= 10 && x < 410 && y >= 20 && y < 120), 0.5, "test");
  assert.deepEqual(extent(wide), { x: [128, 383], y: [160, 223] });
  assert.equal(maskArea(wide), 256 * 64);
});

Deno.test("placeShape() leaves a shape at the side of the screen where the picture cuts it off", () => {
  const [width, height] = [150, 120];
  const arm = (x: number, y: number) => x < 100 && y >= 40 && y < 80;
  const left = placeShape(shape(width, height, arm), 0.5, "test");
  assert.equal(extent(left).x[0], 0);
  const right = placeShape(shape(width, height, (x, y) => arm(width - 1 - x, y)), 0.5, "test");
  assert.equal(extent(right).x[1], 511);
  assert.deepEqual(right, maskWhere((x, y) => maskAt(left, 511 - x, y)), "mirrored");
  const bottom = placeShape(shape(height, width, (x, y) => arm(width - 1 - y, x)), 0.5, "test");
  assert.equal(extent(bottom).y[1], 383);
  const across = placeShape(shape(width, height, (_, y) => y >= 40 && y < 80), 0.5, "test");
  const { x } = extent(across);
  assert.equal(x[0], 511 - x[1], "cut off on both sides: in the middle");
});

Deno.test("placeShape() gives the same target for a picture of any resolution", () => {
  const is = (x: number, y: number) =>
    Math.hypot(x - 90, y - 75) < 60 && Math.hypot(x - 70, y - 60) > 9 && x + y < 190;
  const once = placeShape(shape(180, 160, is), 0.7, "test");
  const finer = placeShape(shape(900, 800, (x, y) => is(Math.floor(x / 5), Math.floor(y / 5))), 0.7, "test");
  assert.deepEqual(finer, once);
});

Deno.test("placeShape() fills holes too small to score and keeps the others", () => {
  // 2.56 screen pixels a pixel of the picture: the smaller hole has 2.56² = 6.6 of them, the larger 26.
  const eyes = (x: number, y: number) =>
    x >= 20 && x < 180 && y >= 20 && y < 100 && !(x === 40 && y === 50) &&
    !(x >= 100 && x < 102 && y >= 50 && y < 52);
  const mask = placeShape(shape(200, 120, eyes), 0.8, "test");
  const holes = findHoles(mask, 1);
  assert.equal(holes.length, 1);
  assert.ok(Math.abs(holes[0].pixels - 4 * 2.56 ** 2) <= 5, `${holes[0].pixels} pixels`);
});

Deno.test("placeShape() says that a shape is too small, in the picture or on the screen", () => {
  const fails = (bitmap: Bitmap, size: number, why: RegExp) =>
    assert.throws(
      () => placeShape(bitmap, size, "test.png"),
      (error) => error instanceof BenchError && why.test(error.message) && error.message.includes("--size"),
    );
  fails(shape(100, 100, (x, y) => x < 20 && y < 40), 0.8, /is 40 pixels long/);
  fails(shape(100, 100, (x, y) => x < 60 && y < 60), 0.03, /covers \d+ pixels of the screen/);
  fails(shape(900, 100, (x, y) => x > 10 && x < 890 && y === 50), 0.8, /covers 0 pixels/);
});
