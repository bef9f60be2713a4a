/** Where the files of a zip lie, from its central directory (PKWARE APPNOTE 6.3, with its 64-bit extension). */
import { crc32 } from "node:zlib";
import type { ByteSource } from "../../../tasks/byte_source.ts";
import { unreadable } from "./tensor_file.ts";

export interface ZipEntry {
  readonly name: string;
  readonly byteLength: number;
  readonly crc32: number;
  /** Of its local header, behind which the bytes lie. */
  readonly start: number;
  /** Where the next entry or the directory begins. */
  readonly end: number;
}

const SIGNATURE = {
  local: 0x04034b50,
  entry: 0x02014b50,
  end: 0x06054b50,
  locator64: 0x07064b50,
  end64: 0x06064b50,
};
const END_BYTES = 22;
const LOCATOR64_BYTES = 20;
const ENTRY_BYTES = 46;
const LOCAL_BYTES = 30;
const MOST_COMMENT_BYTES = 65_535;
const STORED = 0;
/** What 32-bit fields say when the value is in the 64-bit extension. */
const ELSEWHERE = 0xffffffff;

/** Entries by name. Throws BenchError when the zip is damaged or an entry is compressed. */
export async function zipEntries(source: ByteSource): Promise<Map<string, ZipEntry>> {
  const { start, end } = await directoryRange(source);
  const view = viewOf(await source.read(start, end));
  const found: Omit<ZipEntry, "end">[] = [];
  for (let at = 0; at + ENTRY_BYTES <= view.byteLength && view.getUint32(at, true) === SIGNATURE.entry;) {
    const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true)
    );
    const name = new TextDecoder().decode(
      new Uint8Array(view.buffer, view.byteOffset + at + ENTRY_BYTES, nameBytes),
    );
    if (view.getUint16(at + 10, true) !== STORED) throw unreadable(source, `${name} in it is compressed`);
    const wide = wideFields(view, at + ENTRY_BYTES + nameBytes, extraBytes);
    const [length, offset] = [view.getUint32(at + 24, true), view.getUint32(at + 42, true)];
    // The extension holds only those values that are elsewhere, in this order; a stored entry's two sizes are equal.
    const byteLength = length === ELSEWHERE ? wide.shift() : length;
    if (view.getUint32(at + 20, true) === ELSEWHERE) wide.shift();
    const place = offset === ELSEWHERE ? wide.shift() : offset;
    if (byteLength === undefined || place === undefined) {
      throw unreadable(source, "its zip directory is damaged");
    }
    found.push({ name, byteLength, crc32: view.getUint32(at + 16, true), start: place });
    at += ENTRY_BYTES + nameBytes + extraBytes + commentBytes;
  }
  const starts = [...found.map((entry) => entry.start), start].sort((a, b) => a - b);
  return new Map(found.map((entry) => {
    const next = starts.find((place) => place > entry.start) ?? start;
    return [entry.name, { ...entry, end: next }];
  }));
}

/** An entry's bytes, cut out of the bytes of its range and checked. */
export function entryBytes(
  source: ByteSource,
  entry: ZipEntry,
  range: Uint8Array<ArrayBuffer>,
): Uint8Array<ArrayBuffer> {
  const view = viewOf(range);
  if (range.length < LOCAL_BYTES || view.getUint32(0, true) !== SIGNATURE.local) {
    throw unreadable(source, `${entry.name} in it is damaged`);
  }
  const first = LOCAL_BYTES + view.getUint16(26, true) + view.getUint16(28, true);
  const bytes = range.subarray(first, first + entry.byteLength);
  if (bytes.length !== entry.byteLength || crc32(bytes) !== entry.crc32) {
    throw unreadable(source, `${entry.name} in it is damaged (its CRC-32 is wrong)`);
  }
  return bytes;
}

async function directoryRange(source: ByteSource): Promise<{ start: number; end: number }> {
  const tailStart = Math.max(0, source.byteLength - END_BYTES - LOCATOR64_BYTES - MOST_COMMENT_BYTES);
  const tail = viewOf(await source.read(tailStart, source.byteLength));
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== SIGNATURE.end) continue;
    const [length, start] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
    const locator = at - LOCATOR64_BYTES;
    const wide = locator >= 0 && tail.getUint32(locator, true) === SIGNATURE.locator64;
    const range = wide
      ? await wideDirectoryRange(source, uint64(tail, locator + 8))
      : { start, end: start + length };
    if (range.start <= range.end && range.end <= tailStart + at) return range;
    break;
  }
  throw unreadable(source, "its zip directory is missing or cut off");
}

async function wideDirectoryRange(source: ByteSource, at: number): Promise<{ start: number; end: number }> {
  if (at + 56 > source.byteLength) throw unreadable(source, "its zip directory is cut off");
  const view = viewOf(await source.read(at, at + 56));
  if (view.getUint32(0, true) !== SIGNATURE.end64) throw unreadable(source, "its zip directory is damaged");
  const start = uint64(view, 48);
  return { start, end: start + uint64(view, 40) };
}

/** 64-bit values of an entry's extra field number 1. */
function wideFields(view: DataView, start: number, byteLength: number): number[] {
  for (let at = start; at + 4 <= start + byteLength;) {
    const length = view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === 1) {
      return Array.from({ length: Math.floor(length / 8) }, (_, i) => uint64(view, at + 4 + 8 * i));
    }
    at += 4 + length;
  }
  return [];
}

function uint64(view: DataView, at: number): number {
  return view.getUint32(at + 4, true) * 2 ** 32 + view.getUint32(at, true);
}

function viewOf(bytes: Uint8Array<ArrayBuffer>): DataView<ArrayBuffer> {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
