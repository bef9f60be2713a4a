import assert from "node:assert/strict";
import { cutSquare, resize, RESIZE_FILTERS } from "../../../splat/prepare/resize.ts";
import fixture from "../../fixtures/resized.json" with { type: "json" };

for (const { name, from, to, picture, ...expected } of fixture.cases) {
  for (const filter of RESIZE_FILTERS) {
    Deno.test(`resize() agrees with ${filter === "area" ? "scikit-image" : "Pillow"}, ${filter}: ${name}`, () => {
      const image = { width: from[0], height: from[1], data: Uint8Array.fromBase64(picture) };
      const { width, height, data } = resize(image, to[0], to[1], filter);
      assert.deepEqual([width, height], to);
      const wanted = Uint8Array.fromBase64(expected[filter]);
      let off = 0;
      data.forEach((value, at) => {
        assert.ok(Math.abs(value - wanted[at]) <= 1, `byte ${at}: ${value}, expected ${wanted[at]}`);
        if (value !== wanted[at]) off++;
      });
      // Pillow adds up in float32: a value half way between two bytes may fall to the other side.
      assert.ok(off <= data.length / 100, `${off} of ${data.length} bytes are off by one`);
    });
  }
}

Deno.test("resize() by area averages whole blocks", () => {
  const data = new Uint8Array([0, 0, 0, 255, 255, 255, 100, 50, 1, 200, 150, 2]);
  const image = { width: 2, height: 2, data };
  assert.deepEqual([...resize(image, 1, 1, "area").data], [139, 114, 65]);
});

Deno.test("cutSquare() fills with white what lies beyond the picture", () => {
  const image = { width: 3, height: 1, data: new Uint8Array([1, 1, 1, 2, 2, 2, 3, 3, 3]) };
  const reds = (left: number, top: number, side: number) =>
    [...cutSquare(image, { left, top, side }).data].filter((_, at) => at % 3 === 0);
  assert.deepEqual(reds(1, 0, 1), [2]);
  assert.deepEqual(reds(-1, -1, 3), [255, 255, 255, 255, 1, 2, 255, 255, 255]);
  assert.deepEqual(reds(2, 0, 2), [3, 255, 255, 255]);
  assert.deepEqual(reds(7, 7, 2), [255, 255, 255, 255]);
});
