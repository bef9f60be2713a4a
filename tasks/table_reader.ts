/** From stored rows to typed ones: the one path for published data and our own runs. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import { IMAGE_COLUMNS, type Rows, type TableName } from "./data_rows.ts";
import type { RawRow, RowFile } from "./raw_rows.ts";
import { readRow, type RowPlace, type Table } from "./table.ts";
import { type BenchId, TABLES } from "./tables.ts";

export interface TableOptions<Column> {
  /** All when absent. Other columns are neither read nor checked. */
  columns?: readonly Column[];
  /** Whether pictures are read. */
  images?: boolean;
  /** Only rows of these episodes. */
  episodeIds?: readonly string[];
  /** Told of each row or file that is left out for being bad; without it the first one ends the reading. */
  onBad?: (error: BenchError) => void;
}

/** A row with where it is, for errors of those who look closer. */
export interface Placed<Row> {
  row: Row;
  place: RowPlace;
}

/**
 * Rows of a table in the order of its files.
 *
 * @param files opened one after another
 * @throws BenchError naming file, row and column
 */
export async function* readTable<Name extends TableName, Column extends keyof Rows[Name]>(
  bench: BenchId,
  name: Name,
  files: readonly (() => Promise<RowFile>)[],
  options: TableOptions<Column>,
): AsyncGenerator<Placed<Pick<Rows[Name], Column>>> {
  const table = selected(TABLES[bench][name], options);
  const pass = <Value>(error: unknown): Value | null => {
    if (options.onBad === undefined || !(error instanceof BenchError)) throw error;
    options.onBad(error);
    return null;
  };
  const seen = new Map<string, RowPlace>();
  for (const open of files) {
    const file = await open().then((file) => checkColumns(table, file)).catch(pass<RowFile>);
    if (file === null) continue;
    for await (const { row, value } of rawRows(file, table, options)) {
      const place = { file: file.name, row };
      try {
        const read = checkedRow<Name, Column>(table, value, place);
        checkOnce(table, read, place, seen);
        yield { row: read, place };
      } catch (error) {
        pass(error);
      }
    }
  }
}

function selected(
  table: Table<z.ZodObject>,
  { columns, images = false }: TableOptions<PropertyKey>,
): Table<z.ZodObject> {
  const kept = Object.entries(table.schema.shape).filter(([column]) =>
    columns === undefined ? images || !IMAGE_COLUMNS.has(column) : columns.includes(column)
  );
  return { ...table, schema: z.object(Object.fromEntries(kept)) };
}

function rawRows(
  file: RowFile,
  { schema, aliases }: Table<z.ZodObject>,
  { episodeIds, onBad }: TableOptions<PropertyKey>,
): AsyncGenerator<RawRow> {
  const columns = [
    ...Object.keys(schema.shape),
    ...Object.keys(aliases).filter((alias) => Object.hasOwn(schema.shape, aliases[alias])),
  ];
  if (episodeIds === undefined) return file.read({ columns, onBad });
  const column = file.columns.find((column) => (aliases[column] ?? column) === "episode_id") ?? "episode_id";
  return file.read({ columns, onBad, where: { column, oneOf: new Set(episodeIds) } });
}

/** One error for the file instead of one for each of its rows. */
function checkColumns(table: Table<z.ZodObject>, file: RowFile): RowFile {
  const there = new Set(file.columns.map((column) => table.aliases[column] ?? column));
  const missing = Object.entries(table.schema.shape)
    .filter(([column, type]) => !there.has(column) && !z.safeParse(type, undefined).success)
    .map(([column]) => column);
  // A file without columns is an empty one of JSON lines.
  if (missing.length === 0 || file.columns.length === 0) return file;
  throw new BenchError({
    what: `Cannot read ${file.name} as ${table.bench} ${table.name}`,
    why: `column ${missing.join(", ")} is missing`,
    fix: `Give that column, or name a file of that table; the columns there are ${columnList(file.columns)}`,
  });
}

// The schema says what a row is; that it yields these columns is what `Rows` is made of.
function checkedRow<Name extends TableName, Column extends keyof Rows[Name]>(
  table: Table<z.ZodObject>,
  value: object,
  place: RowPlace,
): Pick<Rows[Name], Column>;
function checkedRow(table: Table<z.ZodObject>, value: object, place: RowPlace): object {
  for (const [column, number] of Object.entries(value)) {
    // NaN is how pandas writes that there is no value; a score has to be one.
    if (number === Infinity || number === -Infinity || (column === "score" && Number.isNaN(number))) {
      throw badValue(table, place, column, `it is ${number}`);
    }
  }
  const row = readRow(table, value, place);
  for (const column of IMAGE_COLUMNS) {
    const pictures = Array.isArray(row[column]) ? row[column] : [row[column]];
    for (const picture of pictures) {
      if (typeof picture !== "object" || picture === null || !("bytes" in picture)) continue;
      if (picture.bytes === null) throw badValue(table, place, column, "the file holds no bytes of it");
      if (!isPng(picture.bytes)) throw badValue(table, place, column, "its bytes are no PNG file");
    }
  }
  return row;
}

/** Names of columns as a message lists them: quoted, for they may hold commas. */
export function columnList(columns: readonly string[]): string {
  return columns.map((column) => JSON.stringify(column)).join(", ") || "none";
}

/** A value from a file as a message shows it, cut where it is long. */
export function shownText(value: unknown): string {
  const text = String(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

function isPng(bytes: unknown): boolean {
  return bytes instanceof Uint8Array && PNG.every((byte, at) => bytes[at] === byte);
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** What tells two rows of a table apart. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  episodes: ["episode_id"],
  transcripts: ["episode_id"],
  steps: ["episode_id", "step"],
  tasks: ["task_id"],
};

function checkOnce(
  table: Table<z.ZodObject>,
  row: object,
  place: RowPlace,
  seen: Map<string, RowPlace>,
): void {
  const columns = KEYS[table.name] ?? [];
  const values = Object.entries(row).filter(([column]) => columns.includes(column)).map(([, value]) => value);
  if (columns.length === 0 || values.length < columns.length) return;
  const key = values.join("\n");
  const first = seen.get(key);
  if (first !== undefined) {
    const why = `${
      values.map(shownText).join(", step ")
    } is there already in row ${first.row} of ${first.file}`;
    throw badValue(table, place, columns.join(" and "), why);
  }
  seen.set(key, place);
}

/** A value that the schema allows and the data set does not. */
export function badValue(
  { bench, name }: { bench: string; name: string },
  { file, row }: RowPlace,
  column: string,
  why: string,
): BenchError {
  return new BenchError({
    what: `Cannot read row ${row} of ${file} as a row of ${bench} ${name}`,
    why: `column ${column}: ${why}`,
    fix: "Correct the value, or leave out such rows with --skip-bad",
  });
}
