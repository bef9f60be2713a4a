/** The container of a PNG file: signature, chunks, checksums. https://www.w3.org/TR/png-3/ sections 5 and 11. */
import { crc32 } from "node:zlib";
import { BenchError } from "./errors.ts";

/** The IHDR chunk. */
export interface PngHeader {
  width: number;
  height: number;
  /** Bits a sample: 1, 2, 4, 8 or 16. */
  depth: number;
  /** 0 gray, 2 RGB, 3 indexed, 4 gray + alpha, 6 RGBA. */
  colorType: number;
  /** Whether the pixels come in the seven passes of Adam7. */
  interlaced: boolean;
}

/** What a file says about its pixels; everything ancillary but tRNS is left out. */
export interface PngParts {
  header: PngHeader;
  /** PLTE: [entries, 3], or null. */
  palette: Uint8Array | null;
  /** tRNS as it stands in the file, or null. */
  transparency: Uint8Array | null;
  /** All IDAT chunks joined: one zlib stream. */
  compressed: Uint8Array;
}

/** Samples a pixel by colour type, and the depths each allows. */
export const COLOR_TYPES: Readonly<Record<number, { channels: number; depths: readonly number[] }>> = {
  0: { channels: 1, depths: [1, 2, 4, 8, 16] },
  2: { channels: 3, depths: [8, 16] },
  3: { channels: 1, depths: [1, 2, 4, 8] },
  4: { channels: 2, depths: [8, 16] },
  6: { channels: 4, depths: [8, 16] },
};

/**
 * Reads a file and checks its structure: signature, checksums, order and header.
 *
 * @throws BenchError for anything that is not a whole, undamaged PNG
 */
export function readPng(bytes: Uint8Array): PngParts {
  if (bytes.length < 8 || SIGNATURE.some((byte, i) => bytes[i] !== byte)) {
    throw notPng("it does not begin with the PNG signature");
  }
  let header: PngHeader | null = null;
  let palette: Uint8Array | null = null;
  let transparency: Uint8Array | null = null;
  const data: Uint8Array[] = [];
  for (const { type, body } of chunks(bytes)) {
    if (type === "IHDR") header = readHeader(body);
    else if (header === null) throw notPng(`chunk ${type} comes before the header`);
    else if (type === "PLTE") palette = body;
    else if (type === "tRNS") transparency = body;
    else if (type === "IDAT") data.push(body);
  }
  if (header === null || data.length === 0) throw notPng("it has no pixels");
  if (palette !== null && (palette.length % 3 !== 0 || palette.length > 768)) {
    throw notPng(`its palette has ${palette.length} bytes`);
  }
  if (header.colorType === 3 && palette === null) throw notPng("it is indexed but has no palette");
  return { header, palette, transparency, compressed: concatenate(data) };
}

/** A whole file from its header and one zlib stream. */
export function writePng(header: PngHeader, compressed: Uint8Array): Uint8Array {
  const head = new Uint8Array(13);
  const view = new DataView(head.buffer);
  view.setUint32(0, header.width);
  view.setUint32(4, header.height);
  head.set([header.depth, header.colorType, 0, 0, header.interlaced ? 1 : 0], 8);
  return concatenate([
    SIGNATURE,
    chunk("IHDR", head),
    chunk("IDAT", compressed),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

/** The error for bytes that are no usable PNG. */
export function notPng(why: string, cause?: unknown): BenchError {
  return new BenchError(
    { what: "Cannot decode PNG", why, fix: "Write the picture again from its source" },
    undefined,
    { cause },
  );
}

const SIGNATURE = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
/** A picture of 2^26 pixels takes 256 MB decoded; a header that asks for more is a mistake or an attack. */
const MAX_PIXELS = 2 ** 26;

/** Chunks up to and without IEND. */
function* chunks(bytes: Uint8Array): Generator<{ type: string; body: Uint8Array }> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let at = SIGNATURE.length;
  while (true) {
    if (at + 12 > bytes.length) throw notPng(`it ends after ${bytes.length} bytes, before its last chunk`);
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    if (at + 12 + length > bytes.length) throw notPng(`it ends inside its ${type} chunk`);
    if (crc32(bytes.subarray(at + 4, at + 8 + length)) !== view.getUint32(at + 8 + length)) {
      throw notPng(`the checksum of its ${type} chunk at byte ${at} is wrong`);
    }
    if (type === "IEND") return;
    yield { type, body: bytes.subarray(at + 8, at + 8 + length) };
    at += 12 + length;
  }
}

function readHeader(body: Uint8Array): PngHeader {
  if (body.length !== 13) throw notPng(`its header has ${body.length} bytes, not 13`);
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const [width, height] = [view.getUint32(0), view.getUint32(4)];
  const [depth, colorType, compression, filter, interlace] = body.subarray(8);
  if (width === 0 || height === 0 || width * height > MAX_PIXELS) {
    throw notPng(`its size is ${width} × ${height}, and at most ${MAX_PIXELS} pixels are read`);
  }
  if (!COLOR_TYPES[colorType]?.depths.includes(depth)) {
    throw notPng(`colour type ${colorType} with ${depth} bits a sample does not exist`);
  }
  if (compression !== 0 || filter !== 0 || interlace > 1) {
    throw notPng(
      `compression ${compression}, filter ${filter}, interlace ${interlace} are not in the standard`,
    );
  }
  return { width, height, depth, colorType, interlaced: interlace === 1 };
}

function chunk(type: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(body.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, body.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = type.charCodeAt(i);
  bytes.set(body, 8);
  view.setUint32(8 + body.length, crc32(bytes.subarray(4, 8 + body.length)));
  return bytes;
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  if (parts.length === 1) return parts[0];
  const joined = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
