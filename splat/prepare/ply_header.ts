/** The header of a binary PLY file whose vertices come first. */
import { badCapture } from "./capture.ts";

export interface PlyHeader {
  /** Where the first vertex begins, and the bytes of each. */
  readonly start: number;
  readonly stride: number;
  readonly count: number;
  /** Type as written and place inside a vertex. `float32` reads as `float`. */
  readonly properties: ReadonlyMap<string, { type: string; offset: number }>;
}

/** @throws BenchError naming the file and the line that is wrong */
export function parsePlyHeader(bytes: Uint8Array, path: string): PlyHeader {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, LONGEST_HEADER));
  const end = /^end_header\r?\n/m.exec(text);
  if (!/^ply\r?\n/.test(text) || end === null) throw badCapture(path, null, "it is not a PLY file");
  const length = end.index;
  const properties = new Map<string, { type: string; offset: number }>();
  let stride = 0;
  let count = -1;
  let isVertex = false;
  for (const line of text.slice(0, length).split(/\r?\n/)) {
    const [word, first, second] = line.trim().split(/\s+/);
    if (word === "format" && first !== "binary_little_endian") {
      throw badCapture(path, "format", `${first} is not read, only binary_little_endian`);
    }
    if (word === "element") {
      isVertex = first === "vertex";
      if (isVertex) count = /^\d+$/.test(second ?? "") ? Number(second) : NaN;
      else if (count < 0) throw badCapture(path, `element ${first}`, "the vertices must come first");
    }
    if (word !== "property" || !isVertex) continue;
    const size = Object.hasOwn(SIZES, first) ? SIZES[first] : null;
    if (size === null) throw badCapture(path, line.trim(), "only plain numbers are read");
    properties.set(second, { type: first === "float32" ? "float" : first, offset: stride });
    stride += size;
  }
  if (!Number.isSafeInteger(count) || count < 0) {
    throw badCapture(path, "element vertex", "it has no number of vertices");
  }
  return { start: length + end[0].length, stride, count, properties };
}

const LONGEST_HEADER = 1 << 16;

const SIZES: Readonly<Record<string, number>> = {
  char: 1,
  uchar: 1,
  int8: 1,
  uint8: 1,
  short: 2,
  ushort: 2,
  int16: 2,
  uint16: 2,
  int: 4,
  uint: 4,
  int32: 4,
  uint32: 4,
  float: 4,
  float32: 4,
  double: 8,
  float64: 8,
};
