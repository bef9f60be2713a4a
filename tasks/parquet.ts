/**
 * Parquet files, read in pieces: the one place that knows the package behind it.
 *
 * Only the columns asked for are fetched. Columns that hold much (pictures, scenes) are read a few rows at a time
 * where the file says which page holds which row, so memory stays flat whatever the size of the file.
 */
import {
  type AsyncBuffer,
  type FileMetaData,
  parquetMetadataAsync,
  parquetScan,
  type RowGroup,
} from "hyparquet";
import { compressors } from "hyparquet-compressors";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import { BenchError } from "../env/errors.ts";
import { once } from "../env/once.ts";
import type { ByteSource } from "./byte_source.ts";
import { isListColumn, readLists } from "./parquet_lists.ts";
import { type ByteRange, prefetched } from "./prefetched_source.ts";

/** A row as it is stored; 64-bit integers are `bigint`, bytes and JSON text stay as they are. */
export interface RawRow {
  /** In its file, from 0. */
  row: number;
  value: Readonly<Record<string, unknown>>;
}

export interface ReadOptions {
  /** Names of columns; all when absent. Those that the file does not have are left out. */
  columns?: readonly string[];
  /** Only rows where a column has one of these texts. */
  where?: { column: string; oneOf: ReadonlySet<string> };
  /** Told of rows that cannot be read, which are left out then; without it they end the reading. */
  onBad?: (error: BenchError) => void;
}

export interface ParquetFile {
  readonly name: string;
  readonly rows: number;
  /** Top-level columns in the order of the file. */
  readonly columns: readonly string[];
  /** What its writer noted, e.g. `huggingface`. */
  readonly notes: Readonly<Record<string, string>>;
  /** @throws BenchError naming the file, the rows and the column */
  read(options?: ReadOptions): AsyncGenerator<RawRow>;
}

/** Rows read at a time of columns that hold much. */
const BATCH = 64;
/** A column of a row group with more bytes than this holds much. */
const MUCH = 16 * 2 ** 20;

/** @throws BenchError when it is no parquet file, or a damaged one */
export async function openParquet(source: ByteSource): Promise<ParquetFile> {
  const metadata = await readMetadata(source);
  return {
    name: source.name,
    rows: Number(metadata.num_rows),
    columns: columnsOf(metadata),
    notes: Object.fromEntries(
      (metadata.key_value_metadata ?? []).map(({ key, value }) => [key, value ?? ""]),
    ),
    read: (options = {}) => readGroups(source, metadata, options),
  };
}

async function readMetadata(source: ByteSource): Promise<FileMetaData> {
  try {
    if (source.byteLength < 12) throw new Error("it is too short");
    // Eight bytes say how long the footer is: guessing its length would fetch pictures that lie before it.
    return await parquetMetadataAsync(bufferOf(source), { parsers: PARSERS, initialFetchSize: 8 });
  } catch (error) {
    if (error instanceof BenchError) throw error;
    throw new BenchError(
      {
        what: `Cannot read ${source.name}`,
        why: `no whole parquet file (${reason(error)})`,
        fix: FETCH_AGAIN,
      },
      undefined,
      { cause: error },
    );
  }
}

async function* readGroups(
  source: ByteSource,
  metadata: FileMetaData,
  { columns: wanted, where, onBad }: ReadOptions,
): AsyncGenerator<RawRow> {
  const there = columnsOf(metadata);
  const columns = there.filter((column) => wanted?.includes(column) ?? true);
  if (where !== undefined && !there.includes(where.column)) {
    throw new BenchError({
      what: `Cannot read ${source.name}`,
      why: `column ${where.column} is missing; the columns there are ${there.join(", ")}`,
      fix: "Name a file that has it",
    });
  }
  let start = 0;
  for (const group of metadata.row_groups) {
    const rows = { start, end: start + Number(group.num_rows) };
    start = rows.end;
    try {
      yield* readGroup(source, metadata, group, rows, columns, where);
    } catch (error) {
      if (onBad === undefined || !(error instanceof UnreadableColumn)) throw error;
      onBad(error);
    }
  }
}

/** A piece of a column that cannot be decoded: the rest of the file may still be of use. */
class UnreadableColumn extends BenchError {
  override readonly name = "UnreadableColumn";
}

async function* readGroup(
  source: ByteSource,
  metadata: FileMetaData,
  group: RowGroup,
  rows: ByteRange,
  columns: readonly string[],
  where: ReadOptions["where"],
): AsyncGenerator<RawRow> {
  const lists = columns.filter((column) => isListColumn(metadata, column) && !readInPages(group, column));
  const flat = columns.filter((column) => !lists.includes(column));
  const whole = flat.filter((column) => !readInPages(group, column));
  const near = [...lists, ...whole.filter((column) => !holdsMuch(group, column))];
  // With a condition, most groups are done with once its column is read.
  const first = await fetchColumns(source, group, where === undefined ? near : [where.column]);
  const readFirst = columnReader(first, metadata);
  const runs = where === undefined
    ? [rows]
    : runsOf(await readFirst(where.column, rows), where.oneOf, rows.start);
  if (runs.length === 0) return;
  const fetched = where === undefined ? first : await fetchColumns(source, group, near);
  const read = where === undefined ? readFirst : columnReader(fetched, metadata);
  // What is not read in pages is read once for the whole group.
  for (const column of whole) await read(column, rows);
  const listOf = new Map<string, (row: number) => unknown>();
  for (const column of lists) {
    const open = () => readLists(fetched, metadata, group, column, PARSERS);
    listOf.set(column, await decoding(fetched, column, rows, open));
  }
  for (const batch of batchesOf(runs)) {
    const data = new Map<string, ArrayLike<unknown>>();
    for (const column of flat) data.set(column, await read(column, batch));
    for (let row = batch.start; row < batch.end; row++) {
      const valueOf = (name: string) =>
        data.has(name) ? data.get(name)?.[row - batch.start] : listOf.get(name)?.(row - rows.start);
      yield { row, value: Object.fromEntries(columns.map((name) => [name, valueOf(name)])) };
    }
  }
}

/** Reads values of rows of a column; the rows read last of each are kept. */
function columnReader(
  source: ByteSource,
  metadata: FileMetaData,
): (column: string, rows: ByteRange) => Promise<ArrayLike<unknown>> {
  // `utf8: false`, or bytes without annotation, as pictures are, would be decoded as text and ruined.
  const scan = once(() =>
    parquetScan({ file: bufferOf(source), metadata, compressors, utf8: false, parsers: PARSERS })
  );
  return (column, { start, end }) =>
    decoding(source, column, { start, end }, async () => {
      const data: ArrayLike<unknown> = await (await scan()).readColumn({
        column,
        rowStart: start,
        rowEnd: end,
      });
      if (data.length !== end - start) throw new Error(`${data.length} values`);
      return data;
    });
}

/** One error for whatever goes wrong. */
async function decoding<Value>(
  { name }: ByteSource,
  column: string,
  { start, end }: ByteRange,
  decode: () => Promise<Value>,
): Promise<Value> {
  try {
    return await decode();
  } catch (error) {
    if (error instanceof BenchError) throw error;
    throw new UnreadableColumn(
      {
        what: `Cannot read rows ${start} to ${end - 1} of ${name}`,
        why: `column ${column} is damaged or of an unknown encoding (${reason(error)})`,
        fix: FETCH_AGAIN,
      },
      undefined,
      { cause: error },
    );
  }
}

/** JSON stays text, so that a value that is none spoils one row and not the column. */
const PARSERS = {
  ...DEFAULT_PARSERS,
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && new TextDecoder().decode(bytes),
};

function bufferOf(source: ByteSource): AsyncBuffer {
  return {
    byteLength: source.byteLength,
    slice: async (start, end = source.byteLength) => (await source.read(start, end)).buffer,
  };
}

function columnsOf({ schema }: FileMetaData): string[] {
  const columns: string[] = [];
  // The schema is a tree in depth-first order below the root.
  for (let at = 1; at < schema.length; at = afterTree(schema, at)) columns.push(schema[at].name);
  return columns;
}

function afterTree(schema: FileMetaData["schema"], at: number): number {
  let next = at + 1;
  for (let child = 0; child < (schema[at].num_children ?? 0); child++) next = afterTree(schema, next);
  return next;
}

function chunksOf({ columns }: RowGroup, column: string) {
  return columns.filter(({ meta_data }) => meta_data?.path_in_schema[0] === column);
}

function holdsMuch(group: RowGroup, column: string): boolean {
  const sizes = chunksOf(group, column).map(({ meta_data }) =>
    Number(meta_data?.total_uncompressed_size ?? 0)
  );
  return sizes.reduce((sum, size) => sum + size, 0) > MUCH;
}

/** Whether a few rows at a time are fetched of a column: it holds much, and an index says which page has which row. */
function readInPages(group: RowGroup, column: string): boolean {
  return holdsMuch(group, column) &&
    chunksOf(group, column).every(({ offset_index_offset }) => offset_index_offset !== undefined);
}

function fetchColumns(source: ByteSource, group: RowGroup, columns: readonly string[]): Promise<ByteSource> {
  const ranges = columns.flatMap((column) => chunksOf(group, column)).flatMap(({ meta_data }) => {
    if (meta_data === undefined) return [];
    const start = Number(meta_data.dictionary_page_offset || meta_data.data_page_offset);
    const end = Math.min(start + Number(meta_data.total_compressed_size), source.byteLength);
    return start < end ? [{ start, end }] : [];
  });
  return prefetched(source, ranges);
}

/** Runs of rows whose value is wanted. */
function runsOf(values: ArrayLike<unknown>, wanted: ReadonlySet<string>, first: number): ByteRange[] {
  const runs: ByteRange[] = [];
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (typeof value !== "string" || !wanted.has(value)) continue;
    const last = runs.at(-1);
    if (last?.end === first + at) last.end += 1;
    else runs.push({ start: first + at, end: first + at + 1 });
  }
  return runs;
}

function batchesOf(runs: readonly ByteRange[]): ByteRange[] {
  return runs.flatMap(({ start, end }) =>
    Array.from({ length: Math.ceil((end - start) / BATCH) }, (_, at) => ({
      start: start + at * BATCH,
      end: Math.min(end, start + (at + 1) * BATCH),
    }))
  );
}

const FETCH_AGAIN = "Fetch the file again, or have its writer write it anew";

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
