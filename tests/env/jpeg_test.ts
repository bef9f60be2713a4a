import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { decodeJpeg } from "../../env/jpeg.ts";
import fixture from "../fixtures/jpeg_pictures.json" with { type: "json" };

for (const { name, width, height, jpeg, rgb } of fixture.pictures) {
  Deno.test(`decodeJpeg() agrees with libjpeg-turbo: ${name}`, () => {
    const picture = decodeJpeg(Uint8Array.fromBase64(jpeg));
    assert.deepEqual([picture.width, picture.height], [width, height]);
    const expected = Uint8Array.fromBase64(rgb);
    let [sum, worst] = [0, 0];
    for (let pixel = 0; pixel < width * height; pixel++) {
      assert.equal(picture.data[4 * pixel + 3], 255);
      for (let c = 0; c < 3; c++) {
        const error = Math.abs(picture.data[4 * pixel + c] - expected[3 * pixel + c]);
        [sum, worst] = [sum + error, Math.max(worst, error)];
      }
    }
    // Repeated chroma differs from interpolated by up to the picture's slope, 10 a pixel here.
    const [mean, most] = name.startsWith("4:2") ? [3, 12] : [0.7, 4];
    assert.ok(sum / expected.length < mean && worst <= most, `mean ${sum / expected.length}, worst ${worst}`);
  });
}

Deno.test("decodeJpeg() explains a file that is cut off or no JPEG", () => {
  const bytes = Uint8Array.fromBase64(fixture.pictures[2].jpeg);
  for (
    const bad of [bytes.subarray(0, 300), bytes.subarray(0, bytes.length - 200), new Uint8Array([1, 2, 3])]
  ) {
    assert.throws(
      () => decodeJpeg(bad),
      (error) => error instanceof BenchError && /^Cannot decode JPEG: .+ again$/.test(error.message),
    );
  }
});
