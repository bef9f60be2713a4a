import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { crc32, deflateSync } from "node:zlib";
import { decode, encode } from "fast-png";
import { BenchError } from "../../env/errors.ts";
import { blankImage, type Image } from "../../env/image.ts";
import { compositeOnWhite, decodePng, encodePng, encodePngStable } from "../../env/png.ts";
import { stream } from "../../env/random.ts";
import pictures from "../fixtures/png_pictures.json" with { type: "json" };

for (const { name, width, height, png, rgba } of pictures) {
  Deno.test(`decodePng() gives the pixels of ${name}`, () => {
    const decoded = decodePng(base64(png));
    assert.deepEqual([decoded.width, decoded.height], [width, height]);
    assert.deepEqual([...decoded.data], [...base64(rgba)]);
  });
}

Deno.test("decodePng() rounds every 16-bit value to the nearest of 8 bits", () => {
  const data = Uint16Array.from({ length: 65536 }, (_, value) => value);
  const file = encode({ width: 512, height: 128, data, channels: 1, depth: 16 });
  const decoded = decodePng(file).data;
  // 65535 / 255 = 257 is odd, so there are no ties.
  assert.ok(data.every((value) => decoded[4 * value] === Math.round(value / 257)));
});

Deno.test("decodePng() reads a file in the middle of a larger buffer", async () => {
  const picture = noise(7, 4);
  const file = await encodePng(picture);
  const buffer = new Uint8Array(file.length + 50).fill(7);
  buffer.set(file, 13);
  assert.deepEqual(compositeOnWhite(decodePng(buffer.subarray(13, 13 + file.length))), picture);
});

Deno.test("decodePng() refuses a file cut anywhere, with one line", async () => {
  const file = await encodePng(noise(9, 5));
  for (let length = 0; length < file.length; length++) {
    assert.throws(() => decodePng(file.subarray(0, length)), isOneLine, `${length} bytes`);
  }
});

Deno.test("decodePng() refuses a file with any one bit wrong", async () => {
  const file = await encodePng(noise(5, 3));
  for (let bit = 0; bit < file.length * 8; bit++) {
    const damaged = file.slice();
    damaged[bit >> 3] ^= 1 << (bit & 7);
    assert.throws(() => decodePng(damaged), isOneLine, `bit ${bit}`);
  }
});

Deno.test("decodePng() refuses files whose checksums hold but whose content does not", () => {
  const header = (width: number, height: number, depth: number, type: number, interlace = 0) =>
    chunk("IHDR", [
      0,
      0,
      width >> 8,
      width & 255,
      0,
      0,
      height >> 8,
      height & 255,
      depth,
      type,
      0,
      0,
      interlace,
    ]);
  const data = (...bytes: number[]) => chunk("IDAT", deflateSync(Uint8Array.from(bytes)));
  const palette = chunk("PLTE", [1, 2, 3, 4, 5, 6]);
  const bad: Record<string, Uint8Array[]> = {
    "no width": [header(0, 1, 8, 0), data(0, 1)],
    "too many pixels": [header(65535, 65535, 8, 0), data(0, 1)],
    "3 bits a sample": [header(1, 1, 3, 0), data(0, 1)],
    "4-bit RGB": [header(1, 1, 4, 2), data(0, 1)],
    "colour type 5": [header(1, 1, 8, 5), data(0, 1)],
    "interlace 2": [header(1, 1, 8, 0, 2), data(0, 1)],
    "no data": [header(1, 1, 8, 0)],
    "data first": [data(0, 1), header(1, 1, 8, 0)],
    "a short header": [chunk("IHDR", [0, 0, 0, 1]), data(0, 1)],
    "no palette": [header(1, 1, 8, 3), data(0, 1)],
    "half a colour": [header(1, 1, 8, 3), chunk("PLTE", [1, 2, 3, 4]), data(0, 1)],
    "a colour beyond the palette": [header(2, 1, 8, 3), palette, data(0, 1, 2)],
    "half a clear colour": [header(1, 1, 8, 2), chunk("tRNS", [0, 1, 0, 2]), data(0, 1, 2, 3)],
    "a row too few": [header(2, 2, 8, 0), data(0, 1, 2)],
    "filter 5": [header(1, 1, 8, 0), data(5, 1)],
    "no zlib stream": [header(1, 1, 8, 0), chunk("IDAT", [1, 2, 3, 4, 5, 6, 7, 8])],
    "a cut interlaced stream": [header(9, 9, 1, 0, 1), data(0, 128)],
  };
  for (const [name, chunks] of Object.entries(bad)) {
    assert.throws(() => decodePng(fileOf(chunks)), isOneLine, name);
  }
  assert.deepEqual(
    [...decodePng(fileOf([header(2, 1, 8, 3), palette, data(0, 1, 0)])).data],
    [4, 5, 6, 255, 1, 2, 3, 255],
  );
});

for (const [width, height] of [[1, 1], [1, 9], [31, 1], [37, 23], [256, 3]]) {
  Deno.test(`encodePng() and encodePngStable() keep all pixels at ${width} × ${height}`, async () => {
    for (const picture of [noise(width, height), gradient(width, height), blankImage(width, height)]) {
      for (const file of [await encodePng(picture), encodePngStable(picture)]) {
        const { data, channels, depth } = decode(file, { checkCrc: true });
        assert.deepEqual([channels, depth], [3, 8]);
        assert.deepEqual([...data], [...picture.data]);
        assert.deepEqual(compositeOnWhite(decodePng(file)), picture);
      }
    }
  });
}

Deno.test("encodePng() makes files no larger than unfiltered ones of level 9", async () => {
  for (const picture of [gradient(200, 150), blankImage(200, 150), noise(60, 50)]) {
    const size = (await encodePng(picture)).length;
    assert.ok(size <= encodePngStable(picture).length * 1.05 + 100, `${size}`);
  }
});

Deno.test("encodePng() and encodePngStable() refuse data of the wrong length", async () => {
  const wrong = { width: 3, height: 2, data: new Uint8Array(17) };
  await assert.rejects(encodePng(wrong), isOneLine);
  assert.throws(() => encodePngStable(wrong), isOneLine);
  assert.throws(() => encodePngStable({ width: 0, height: 2, data: new Uint8Array(0) }), isOneLine);
});

Deno.test("compositeOnWhite() hides what lies under alpha 0 and rounds the rest", () => {
  const white = (
    ...data: number[]
  ) => [...compositeOnWhite({ width: 1, height: 1, data: Uint8Array.from(data) }).data];
  assert.deepEqual(white(0, 0, 0, 0), [255, 255, 255]);
  // 10 · 128/255 + 127 = 132.02, 20 → 137.04, 30 → 142.06
  assert.deepEqual(white(10, 20, 30, 128), [132, 137, 142]);
  assert.deepEqual(white(10, 20, 30, 255), [10, 20, 30]);
});

function isOneLine(error: unknown): boolean {
  return error instanceof BenchError && !error.message.includes("\n");
}

function base64(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "base64"));
}

function noise(width: number, height: number): Image {
  const random = stream(3, "noise", width, height);
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(0, 256)),
  };
}

function gradient(width: number, height: number): Image {
  const picture = blankImage(width, height);
  picture.data.forEach((_, at) => picture.data[at] = (at % (width * 3)) * 2 + Math.floor(at / width));
  return picture;
}

function chunk(type: string, body: ArrayLike<number>): Uint8Array {
  const named = Uint8Array.from([...type].map((c) => c.charCodeAt(0)).concat(Array.from(body)));
  const bytes = new Uint8Array(named.length + 8);
  new DataView(bytes.buffer).setUint32(0, body.length);
  bytes.set(named, 4);
  new DataView(bytes.buffer).setUint32(named.length + 4, crc32(named));
  return bytes;
}

function fileOf(chunks: Uint8Array[]): Uint8Array {
  const signature = [137, 80, 78, 71, 13, 10, 26, 10];
  return Uint8Array.from([...signature, ...chunks.flatMap((bytes) => [...bytes]), ...chunk("IEND", [])]);
}
