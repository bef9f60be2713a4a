/** PNG files to pictures and back. Pictures are compared as decoded pixels, never as files. */
import { constants, deflate } from "node:zlib";
import { encode } from "fast-png";
import { BenchError } from "./errors.ts";
import type { Image } from "./image.ts";
import { readPng, writePng } from "./png_chunks.ts";
import { filterRows } from "./png_filter.ts";
import { readSamples, samplesToRgba } from "./png_samples.ts";

/** An 8-bit sRGB picture with straight (not premultiplied) alpha; `data` is row-major `[height, width, 4]`. */
export interface RgbaImage {
  width: number;
  height: number;
  data: Uint8Array;
}

/**
 * Decodes any PNG: gray, RGB, indexed, with alpha or tRNS, 1 to 16 bits, interlaced or not.
 * 16-bit samples round to (v · 255 + 32767) / 65535; gamma and colour profiles are not applied.
 *
 * @throws BenchError for bytes that are not a whole, undamaged PNG
 */
export function decodePng(bytes: Uint8Array): RgbaImage {
  const parts = readPng(bytes);
  const { width, height } = parts.header;
  return { width, height, data: samplesToRgba(parts, readSamples(parts.header, parts.compressed)) };
}

/**
 * The size that a file's header tells, no pixel decoded: a small file may hold a picture that fills the memory.
 *
 * @throws BenchError for bytes that are not a whole, undamaged PNG
 */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  const { width, height } = readPng(bytes).header;
  return { width, height };
}

/** The picture on white paper, c · a + 255 (1 − a) rounded: what lies under alpha 0 never shows. */
export function compositeOnWhite({ width, height, data }: RgbaImage): Image {
  const rgb = new Uint8Array(width * height * 3);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const alpha = data[4 * pixel + 3];
    for (let c = 0; c < 3; c++) {
      rgb[3 * pixel + c] = Math.round((data[4 * pixel + c] * alpha + 255 * (255 - alpha)) / 255);
    }
  }
  return { width, height, data: rgb };
}

/** Encodes as 8-bit RGB; the compression runs in a native thread. The bytes may differ between platforms. */
export async function encodePng(image: Image): Promise<Uint8Array> {
  checkSize(image);
  const { width, height } = image;
  const filtered = filterRows(image.data, width * 3, 3);
  const compressed = await new Promise<Uint8Array>((resolve, reject) => {
    deflate(
      filtered,
      { ...DEFLATE, chunkSize: CHUNK },
      (error, result) => error ? reject(error) : resolve(result),
    );
  });
  return writePng({ width, height, depth: 8, colorType: 2, interlaced: false }, compressed);
}

/** Encodes as 8-bit RGB with the same bytes on every platform; slow, for assets that are committed. */
export function encodePngStable(image: Image): Uint8Array {
  checkSize(image);
  return encode({ width: image.width, height: image.height, data: image.data, channels: 3 }, {
    zlib: { level: 9 },
  });
}

/** After filtering, runs are all that is left to find: half the time of a full search, and files no larger. */
const DEFLATE = { level: 4, strategy: constants.Z_RLE };
/** Bytes of output a step; the default of 16 KB makes a hundred trips between threads. */
const CHUNK = 1 << 20;

function checkSize({ width, height, data }: Image): void {
  if (width > 0 && height > 0 && data.length === width * height * 3) return;
  throw new BenchError({
    what: "Cannot encode PNG",
    why: `${width} × ${height} pixels of RGB need ${
      width * height * 3
    } bytes, and at least one; got ${data.length}`,
  });
}
