import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { stream } from "../../../env/random.ts";
import { findShape, otsuThreshold, type ShapeOptions } from "../../../shadow/prepare/find_shape.ts";
import { BLACK, CLEAR, drawn, rowsOf, WHITE } from "./drawn.ts";

const AUTO: ShapeOptions = { threshold: null, shape: null };
const inBox = (x: number, y: number) => x >= 10 && x < 40 && y >= 8 && y < 30;
const inEye = (x: number, y: number) => x >= 15 && x < 19 && y >= 12 && y < 15;
/** A box with an eye, in 61 × 37 pixels. */
const BOXED = Array.from(
  { length: 37 },
  (_, y) => Array.from({ length: 61 }, (_, x) => inBox(x, y) && !inEye(x, y) ? "#" : ".").join(""),
);

function shapeOf(at: (x: number, y: number) => readonly number[], options = AUTO): string[] {
  return rowsOf(findShape(drawn(61, 37, at), options, "test.png").bitmap);
}

const box = (shape: readonly number[], ground: readonly number[], eye = ground) => (x: number, y: number) =>
  inEye(x, y) ? eye : inBox(x, y) ? shape : ground;

Deno.test("findShape() finds the same shape dark on light, light on dark, and on transparent ground", () => {
  assert.deepEqual(shapeOf(box(BLACK, WHITE)), BOXED);
  assert.deepEqual(shapeOf(box([90, 60, 40, 255], [200, 210, 190, 255])), BOXED);
  assert.deepEqual(shapeOf(box(WHITE, BLACK)), BOXED);
  assert.deepEqual(shapeOf(box(BLACK, CLEAR)), BOXED);
  assert.deepEqual(shapeOf(box([250, 220, 80, 255], CLEAR)), BOXED, "a light shape on transparent ground");
  assert.deepEqual(shapeOf(box(WHITE, [255, 255, 255, 0])), BOXED, "white on transparent white");
  assert.deepEqual(shapeOf(box(BLACK, CLEAR, WHITE)), BOXED, "an eye that is painted white");
});

Deno.test("findShape() takes a shape of many tones on transparent ground as one", () => {
  const stripes = box(BLACK, CLEAR);
  const colored = (x: number, y: number) =>
    inBox(x, y) && !inEye(x, y) ? [40 * (x % 5), 100, 20 * (y % 9), 255] : stripes(x, y);
  assert.deepEqual(shapeOf(colored), BOXED);
});

Deno.test("findShape() follows --threshold and --shape, whatever it would choose itself", () => {
  const tones = box([100, 100, 100, 255], WHITE, [180, 180, 180, 255]);
  assert.deepEqual(shapeOf(tones, { threshold: 150, shape: null }), BOXED);
  const filled = shapeOf(tones, { threshold: 180, shape: null });
  assert.equal(filled[13][16], "#", "180 counts as dark at a threshold of 180");
  assert.equal(shapeOf(tones, { threshold: 179, shape: null })[13][16], ".");
  const outside = shapeOf(box(BLACK, WHITE), { threshold: null, shape: "light" });
  assert.equal(outside[0], "#".repeat(61));
  assert.equal(outside[20][20], ".");
});

Deno.test("findShape() leaves out dust, and keeps parts of a hundredth", () => {
  const dusty = (x: number, y: number) => {
    const dust = x === 50 && y === 5 || x >= 50 && x < 54 && y >= 20 && y < 22;
    return dust ? BLACK : box(BLACK, WHITE)(x, y);
  };
  const rows = shapeOf(dusty);
  assert.equal(rows[5][50], ".", "1 of 648 pixels");
  assert.equal(rows[20][50], "#", "8 of 648 pixels");
});

Deno.test("otsuThreshold() splits classes of greatest between-class variance", () => {
  const draws = stream(1, "otsu");
  for (let i = 0; i < 20; i++) {
    const gray = Uint8Array.from({ length: 500 }, () => draws.integer(0, 4) * 60 + draws.integer(0, 20));
    // By the definition (Otsu 1979): ω₀ ω₁ (µ₀ − µ₁)² over every split.
    const variance = (limit: number) => {
      const classes = [gray.filter((v) => v <= limit), gray.filter((v) => v > limit)];
      if (classes.some((values) => values.length === 0)) return 0;
      const [m0, m1] = classes.map((values) => values.reduce((a, b) => a + b, 0) / values.length);
      return classes[0].length * classes[1].length * (m0 - m1) ** 2;
    };
    const most = Math.max(...Array.from({ length: 255 }, (_, limit) => variance(limit)));
    assert.ok(variance(otsuThreshold(gray)) >= most * (1 - 1e-12));
  }
});

Deno.test("findShape() says that a picture is empty, all black, or all of one shade", () => {
  const fails = (at: (x: number, y: number) => readonly number[], why: RegExp, options = AUTO) =>
    assert.throws(
      () => shapeOf(at, options),
      (error) => error instanceof BenchError && why.test(error.message) && error.message.includes("test.png"),
    );
  fails(() => WHITE, /all of the picture is of one gray, 255\. /);
  fails(() => BLACK, /all of the picture is of one gray, 0\. /);
  fails(() => [90, 90, 90, 255], /all of the picture is of one gray, 90\. /);
  fails(() => CLEAR, /nothing of the picture/);
  fails(box(BLACK, WHITE), /what is dark \(gray up to 255\) is all of the picture/, {
    threshold: 255,
    shape: "dark",
  });
});
