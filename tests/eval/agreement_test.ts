import assert from "node:assert/strict";
import { blankImage, type Image } from "../../env/image.ts";
import {
  jsonDifference,
  metricThatDisagrees,
  pictureDifference,
  textsAgree,
  valueAt,
} from "../../eval/agreement.ts";

const columns = [{ key: "psnr", title: "PSNR", digits: 2, higherIsBetter: true }];

for (
  const { recorded, now, agree } of [
    { recorded: "PSNR 21.30 dB, view 3", now: "PSNR 21.30 dB, view 3", agree: true },
    { recorded: "PSNR 21.30 dB", now: "PSNR 21.31 dB", agree: true },
    { recorded: "PSNR 21.30 dB", now: "PSNR 21.29 dB", agree: true },
    { recorded: "PSNR 21.30 dB", now: "PSNR 21.32 dB", agree: false },
    { recorded: "SSIM 0.999", now: "SSIM 1.000", agree: true },
    { recorded: "SSIM -0.01", now: "SSIM 0.00", agree: true },
    { recorded: "SSIM 0.99", now: "SSIM 0.990", agree: false },
    { recorded: "15 calls left", now: "16 calls left", agree: false },
    { recorded: "Added 3.", now: "Added 3!", agree: false },
    { recorded: "1.5 and 2.5", now: "1.6 and 2.6", agree: true },
    { recorded: "1.5", now: "1.5 and 2.5", agree: false },
  ]
) {
  Deno.test(`textsAgree() ${agree ? "accepts" : "refuses"} ${now} for ${recorded} on another device`, () => {
    assert.equal(textsAgree(recorded, now, false), agree);
    assert.equal(textsAgree(recorded, now, true), recorded === now);
  });
}

Deno.test("metricThatDisagrees() allows one unit of the last digit that tables show, elsewhere only", () => {
  assert.equal(metricThatDisagrees({ psnr: 20 }, { psnr: 20.0099 }, columns, false), null);
  assert.equal(metricThatDisagrees({ psnr: 20 }, { psnr: 20.011 }, columns, false), "psnr");
  assert.equal(metricThatDisagrees({ psnr: 20 }, { psnr: 20.000001 }, columns, true), "psnr");
  assert.equal(metricThatDisagrees({ psnr: 20, ssim: 1 }, { psnr: 20 }, columns, false), "ssim");
});

/** A 7 × 60 picture with the first `count` pixels `off` brighter in blue. */
function shifted(count: number, off: number): Image {
  const image = blankImage(7, 60, [100, 100, 100]);
  for (let pixel = 0; pixel < count; pixel++) image.data[3 * pixel + 2] += off;
  return image;
}

Deno.test("pictureDifference() wants identical pixels on the same device", () => {
  assert.equal(pictureDifference(shifted(0, 0), shifted(0, 0), true), null);
  assert.equal(
    pictureDifference(shifted(0, 0), shifted(1, 1), true),
    "1 of 420 pixels, the first at (0, 0): (100, 100, 100) is now (100, 100, 101)",
  );
});

Deno.test("pictureDifference() allows 2 in every value and 0.5% of pixels beyond on another device", () => {
  assert.equal(pictureDifference(shifted(0, 0), shifted(420, 2), false), null);
  assert.equal(pictureDifference(shifted(0, 0), shifted(2, 90), false), null, "2 of 420 are under 0.5%");
  assert.match(pictureDifference(shifted(0, 0), shifted(3, 90), false) ?? "", /^3 of 420 pixels/);
  assert.match(pictureDifference(shifted(0, 0), shifted(420, 3), false) ?? "", /^420 of 420 pixels/);
  assert.match(
    pictureDifference(shifted(0, 0), blankImage(60, 7), false) ?? "",
    /^60 × 7 pixels instead of 7 × 60/,
  );
});

for (
  const [a, b, path] of [
    [[{ id: 1, pos: [0, 1, 2] }], [{ id: 1, pos: [0, 1, 2] }], null],
    [[{ id: 1, pos: [0, 1, 2] }], [{ pos: [0, 1, 2.5], id: 1 }], "[0].pos[2]"],
    [[1, 2], [1, 2, 3], "[2]"],
    [{ a: 1 }, { a: 1, b: null }, null],
    [{ a: [] }, { a: {} }, ".a"],
    [null, [1], ""],
    [3, 3, null],
  ] as const
) {
  Deno.test(`jsonDifference() of ${JSON.stringify(a)} and ${JSON.stringify(b)} is ${path}`, () => {
    assert.equal(jsonDifference(a, b), path);
  });
}

Deno.test("valueAt() follows a path of jsonDifference()", () => {
  assert.equal(valueAt([{ pos: [0, 1, 2.5] }], "[0].pos[2]"), 2.5);
  assert.equal(valueAt({ a: 1 }, ".b.c"), undefined);
  assert.equal(valueAt(7, ""), 7);
  // Keys that hold what paths are made of.
  for (const key of ["index.pip", "a[0]", '"', "\\", '"]', "", "wrist"]) {
    const [was, is] = [{ joints: { [key]: [1] } }, { joints: { [key]: [2] } }];
    const path = jsonDifference(was, is) ?? "";
    assert.deepEqual([valueAt(was, path), valueAt(is, path)], [1, 2], path);
  }
  assert.equal(jsonDifference({ joints: { "index.pip": 1 } }, { joints: {} }), '.joints["index.pip"]');
});
