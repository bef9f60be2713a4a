/** Rows of one file as they are stored, whatever its format. */
import { BenchError } from "../env/errors.ts";
import type { ByteSource } from "./byte_source.ts";
import { openParquet, type RawRow, type ReadOptions } from "./parquet.ts";

export type { RawRow } from "./parquet.ts";

/** A file of rows. */
export interface RowFile {
  readonly name: string;
  /** Names of its columns; for JSON lines those of its first row. */
  readonly columns: readonly string[];
  read(options?: ReadOptions): AsyncGenerator<RawRow>;
}

/** @throws BenchError when it is damaged, or of a format that is only written */
export async function openRowFile(source: ByteSource): Promise<RowFile> {
  if (/\.(arrow|csv)$/.test(source.name)) {
    throw new BenchError({
      what: `Cannot read ${source.name}`,
      why: "arrow and csv are for other tools",
      fix: "Name a folder of --format parquet or jsonl",
    });
  }
  return source.name.endsWith(".jsonl") ? await openJsonLines(source) : await openParquet(source);
}

async function openJsonLines(source: ByteSource): Promise<RowFile> {
  const first = await linesOf(source).next();
  return {
    name: source.name,
    columns: first.done === true ? [] : Object.keys(parseLine(source.name, first.value, 0)),
    async *read({ columns, where, onBad } = {}) {
      let row = 0;
      for await (const line of linesOf(source)) {
        const value = tryLine(source.name, line, row, onBad);
        row += 1;
        if (value === null) continue;
        const key = where === undefined ? undefined : value[where.column];
        if (where !== undefined && !(typeof key === "string" && where.oneOf.has(key))) continue;
        const kept = columns === undefined
          ? value
          : Object.fromEntries(Object.entries(value).filter(([column]) => columns.includes(column)));
        yield { row: row - 1, value: kept };
      }
    },
  };
}

function tryLine(name: string, line: string, row: number, onBad: ReadOptions["onBad"]) {
  try {
    return parseLine(name, line, row);
  } catch (error) {
    if (onBad === undefined || !(error instanceof BenchError)) throw error;
    onBad(error);
    return null;
  }
}

function parseLine(name: string, line: string, row: number): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error("no object");
    return Object.fromEntries(Object.entries(value).map(([column, entry]) => [column, withBytes(entry)]));
  } catch (error) {
    throw new BenchError(
      {
        what: `Cannot read row ${row} of ${name}`,
        why: `the line is no JSON object (${error instanceof Error ? error.message : error})`,
        fix: "Restore the file, or leave out such rows with --skip-bad",
      },
      undefined,
      { cause: error },
    );
  }
}

/** A picture, or a list of pictures: its bytes are base64 in JSON. */
function withBytes(entry: unknown): unknown {
  if (Array.isArray(entry)) return entry.map(withBytes);
  if (typeof entry !== "object" || entry === null || !("bytes" in entry) || !("path" in entry)) return entry;
  return typeof entry.bytes === "string" ? { ...entry, bytes: Uint8Array.fromBase64(entry.bytes) } : entry;
}

const PIECE = 2 ** 20;

/** Lines that are not empty. */
async function* linesOf(source: ByteSource): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let open = "";
  for (let at = 0; at < source.byteLength; at += PIECE) {
    const bytes = await source.read(at, Math.min(source.byteLength, at + PIECE));
    const lines = (open + decoder.decode(bytes, { stream: true })).split("\n");
    open = lines.pop() ?? "";
    for (const line of lines) if (line.trim() !== "") yield line;
  }
  if (open.trim() !== "") yield open;
}
