/** What a table is, and how one of its rows enters: aliases, then the schema, then a typed row or one clear error. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";

/** A table of a benchmark: one schema for published data and for our own exports. */
export interface Table<Schema extends z.ZodObject> {
  readonly bench: string;
  readonly name: string;
  /** Columns without which the table is of no use are required, all others optional. */
  readonly schema: Schema;
  /** Other names that a column may have in a file → its name here. */
  readonly aliases: Readonly<Record<string, string>>;
}

export interface RowPlace {
  file: string;
  /** From 0. */
  row: number;
}

/**
 * A row of a table, typed. Whole numbers that come as `bigint` become numbers; a null in an optional column, and NaN,
 * by which pandas means the same, count as absent. Columns that the table does not know are dropped.
 *
 * @throws BenchError naming the file, the row and the column, and where one is missing the columns that are there
 */
export function readRow<Schema extends z.ZodObject>(
  table: Table<Schema>,
  row: unknown,
  where: RowPlace,
): z.output<Schema> {
  const what = `Cannot read row ${where.row} of ${where.file} as a row of ${table.bench} ${table.name}`;
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    throw new BenchError({ what, why: "it is not an object with a value for each column" });
  }
  const named = nameColumns(row, table);
  const result = table.schema.safeParse(named);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const column = String(issue.path[0]);
  if (!Object.hasOwn(named, column)) {
    throw new BenchError({
      what,
      why: `column ${column} is missing; the columns there are ${Object.keys(row).join(", ") || "none"}`,
      fix: `Give that column, or check that the file is a ${table.name} table of ${table.bench}`,
    });
  }
  throw new BenchError({
    what,
    why: `column ${pathText(issue.path)} is ${shown(named[column], issue.path.slice(1))}: ${issue.message}`,
    fix: "Correct the value, or leave out such rows with --skip-bad",
  });
}

/** A column that files hold as JSON text and JSON readers as the value itself. */
export function jsonColumn<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value, context) => {
    if (typeof value !== "string") return value;
    try {
      return JSON.parse(value);
    } catch {
      context.addIssue({ code: "custom", message: "wanted valid JSON" });
      return z.NEVER;
    }
  }, schema);
}

function nameColumns(row: object, { schema, aliases }: Table<z.ZodObject>): Record<string, unknown> {
  const named: Record<string, unknown> = {};
  for (const [key, raw] of Object.entries(row)) {
    const isAlias = Object.hasOwn(aliases, key);
    const column = isAlias ? aliases[key] : key;
    // A column under its own name wins over another one under an alias.
    if (isAlias && Object.hasOwn(row, column)) continue;
    const value = plain(raw);
    if (value === null && onlyAbsent(schema, column)) continue;
    named[column] = value;
  }
  return named;
}

/** Whether a column may be left out but not be null. */
function onlyAbsent(schema: z.ZodObject, column: string): boolean {
  if (!Object.hasOwn(schema.shape, column)) return false;
  const type = schema.shape[column];
  return z.safeParse(type, undefined).success && !z.safeParse(type, null).success;
}

/** JSON's own kinds of value: integers as numbers where they fit, typed arrays as arrays, bytes as they are. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") {
    const number = Number(value);
    return Number.isSafeInteger(number) ? number : value;
  }
  if (typeof value === "number") return Number.isNaN(value) ? null : value;
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  if (Array.isArray(value)) return value.map(plain);
  if (value instanceof Float32Array || value instanceof Float64Array) return Array.from(value, plain);
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, plain(entry)]));
}

function pathText(path: readonly PropertyKey[]): string {
  return path.map((key, i) => typeof key === "number" ? `[${key}]` : `${i > 0 ? "." : ""}${String(key)}`)
    .join(
      "",
    );
}

/** The value at a path below a column, cut to a line. */
function shown(value: unknown, path: readonly PropertyKey[]): string {
  const at = path.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null
        ? Object.entries(inner).find(([k]) => k === String(key))?.[1]
        : inner,
    value,
  );
  const text = typeof at === "bigint" ? `${at}` : JSON.stringify(at) ?? "absent";
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
