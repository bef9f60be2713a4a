/** From a PNG's compressed stream to one number a sample, and from samples of any kind to RGBA. */
import { deflateSync, inflateSync } from "node:zlib";
import { decode } from "fast-png";
import { COLOR_TYPES, notPng, type PngHeader, type PngParts, writePng } from "./png_chunks.ts";

/** Samples as the file has them, one array entry each. `[height, width, channels]` */
export type Samples = Uint8Array | Uint16Array;

/**
 * Decodes the pixels of any colour type, depth and interlacing.
 *
 * fast-png gets a file with nothing but header and stream: it has no tRNS for pictures of one or two pixels, and it
 * misreads interlaced pictures of less than 8 bits, whose passes are therefore handed to it one by one.
 *
 * @throws BenchError for a stream that does not decompress to a picture
 */
export function readSamples(header: PngHeader, compressed: Uint8Array): Samples {
  try {
    if (header.depth >= 8) return decodeSamples(header, compressed);
    return header.interlaced ? readPasses(header, compressed) : unpackRows(header, compressed);
  } catch (error) {
    throw notPng(`its pixels do not decompress (${error instanceof Error ? error.message : error})`, error);
  }
}

/**
 * Straight-alpha RGBA of 8 bits. `[height, width, 4]`
 *
 * @throws BenchError for a pixel outside the palette
 */
export function samplesToRgba({ header, palette, transparency }: PngParts, samples: Samples): Uint8Array {
  const { colorType, depth } = header;
  const pixels = header.width * header.height;
  const rgba = new Uint8Array(pixels * 4);
  if (palette !== null && colorType === 3) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      const entry = samples[pixel];
      if (3 * entry >= palette.length) throw notPng(`a pixel has colour ${entry}, which its palette lacks`);
      rgba.set(palette.subarray(3 * entry, 3 * entry + 3), 4 * pixel);
      rgba[4 * pixel + 3] = transparency?.[entry] ?? 255;
    }
    return rgba;
  }
  const { channels } = COLOR_TYPES[colorType];
  const hasAlpha = channels === 2 || channels === 4;
  const colors = hasAlpha ? channels - 1 : channels;
  const clear = hasAlpha ? null : clearColor(transparency, colors);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const at = pixel * channels;
    let isClear = clear !== null;
    for (let c = 0; c < 3; c++) {
      const value = samples[at + (colors === 3 ? c : 0)];
      rgba[4 * pixel + c] = toByte(value, depth);
      if (clear !== null && value !== clear[colors === 3 ? c : 0]) isClear = false;
    }
    rgba[4 * pixel + 3] = hasAlpha ? toByte(samples[at + colors], depth) : isClear ? 0 : 255;
  }
  return rgba;
}

/** First pixel and step of each Adam7 pass. */
const ADAM7 = [
  { x: 0, y: 0, dx: 8, dy: 8 },
  { x: 4, y: 0, dx: 8, dy: 8 },
  { x: 0, y: 4, dx: 4, dy: 8 },
  { x: 2, y: 0, dx: 4, dy: 4 },
  { x: 0, y: 2, dx: 2, dy: 4 },
  { x: 1, y: 0, dx: 2, dy: 2 },
  { x: 0, y: 1, dx: 1, dy: 2 },
];

function decodeSamples(header: PngHeader, compressed: Uint8Array): Samples {
  const { data } = decode(writePng(header, compressed));
  return data instanceof Uint16Array ? data : new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
}

/** Rows of 1, 2 or 4 bits a sample, one sample a pixel, each row padded to a byte. */
function unpackRows(header: PngHeader, compressed: Uint8Array): Samples {
  const { width, height, depth } = header;
  const packed = decodeSamples(header, compressed);
  const stride = packed.length / height;
  const samples = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const bit = x * depth;
      const byte = packed[y * stride + (bit >> 3)];
      samples[y * width + x] = byte >> (8 - depth - (bit & 7)) & ((1 << depth) - 1);
    }
  }
  return samples;
}

/** Interlaced pictures of less than 8 bits: each pass is a small picture of its own. */
function readPasses(header: PngHeader, compressed: Uint8Array): Samples {
  const { width, height, depth } = header;
  const stream = inflateSync(compressed);
  const samples = new Uint8Array(width * height);
  let at = 0;
  for (const { x, y, dx, dy } of ADAM7) {
    const pass = {
      ...header,
      interlaced: false,
      width: Math.ceil((width - x) / dx),
      height: Math.ceil((height - y) / dy),
    };
    if (pass.width <= 0 || pass.height <= 0) continue;
    const end = at + pass.height * (1 + Math.ceil(pass.width * depth / 8));
    const part = unpackRows(pass, deflateSync(stream.subarray(at, end), { level: 0 }));
    at = end;
    for (let i = 0; i < part.length; i++) {
      const [row, column] = [y + dy * Math.floor(i / pass.width), x + dx * (i % pass.width)];
      samples[row * width + column] = part[i];
    }
  }
  return samples;
}

/** The colour that tRNS makes transparent, in the file's own depth. */
function clearColor(transparency: Uint8Array | null, colors: number): number[] | null {
  if (transparency === null) return null;
  if (transparency.length !== 2 * colors) {
    throw notPng(`its tRNS chunk has ${transparency.length} bytes, not ${2 * colors}`);
  }
  return Array.from({ length: colors }, (_, c) => 256 * transparency[2 * c] + transparency[2 * c + 1]);
}

function toByte(value: number, depth: number): number {
  if (depth === 8) return value;
  if (depth === 16) return Math.floor((value * 255 + 32767) / 65535);
  return value * 255 / ((1 << depth) - 1);
}
