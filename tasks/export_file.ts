/** What the writers of exported files share. */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { ColumnType, Fields } from "./column_types.ts";
import { writing } from "./file_errors.ts";

export const EXPORT_FORMATS = ["parquet", "arrow", "jsonl", "csv"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** A file of rows being written; it has its name only once it is whole. */
export interface RowWriter {
  write(row: Readonly<Record<string, unknown>>): Promise<void>;
  finish(): Promise<void>;
  /** Lets go of the file, which stays under its temporary name. */
  discard(): Promise<void>;
}

/** The integers of a format: Parquet and Arrow want `bigint`, text wants numbers. */
export type Integers = "bigint" | "number";

/** A value as a file stores it: null for what is not there, JSON as text. */
export function stored(type: ColumnType, value: unknown, integers: Integers): unknown {
  if (value === undefined || value === null) return null;
  if (type === "integer") return integers === "bigint" && typeof value === "number" ? BigInt(value) : value;
  if (type === "json") return JSON.stringify(value);
  if (type === "image") return stored(IMAGE, value, integers);
  if (typeof type !== "object") return value;
  if ("list" in type) {
    return Array.isArray(value) ? value.map((entry) => stored(type.list, entry, integers)) : null;
  }
  return storedFields(type.struct, value, integers);
}

/** @param value an object; other keys than the fields are left out */
export function storedFields(fields: Fields, value: unknown, integers: Integers): Record<string, unknown> {
  const own: Readonly<Record<string, unknown>> = typeof value === "object" && value !== null
    ? { ...value }
    : {};
  return Object.fromEntries(
    Object.entries(fields).map(([name, type]) => [name, stored(type, own[name], integers)]),
  );
}

export const IMAGE: ColumnType = { struct: { bytes: "bytes", path: "text" } };

/** A file under a temporary name beside the one it will have. */
export class PendingFile {
  private constructor(readonly path: string, private readonly file: Deno.FsFile) {}

  static async create(path: string): Promise<PendingFile> {
    return await writing(path, async () => {
      await mkdir(dirname(path), { recursive: true });
      return new PendingFile(
        path,
        await Deno.open(`${path}.tmp`, { write: true, create: true, truncate: true }),
      );
    });
  }

  async append(bytes: Uint8Array): Promise<void> {
    await writing(this.path, async () => {
      for (let at = 0; at < bytes.length;) at += await this.file.write(bytes.subarray(at));
    });
  }

  async finish(): Promise<void> {
    await writing(this.path, async () => {
      await this.file.syncData();
      this.file.close();
      await Deno.rename(`${this.path}.tmp`, this.path);
    });
  }

  discard(): void {
    this.file.close();
  }
}

/** What the hub's Python packages read as the types of the columns, from the notes of a file. */
export function huggingfaceNote(fields: Fields): string {
  return JSON.stringify({ info: { features: featuresOf(fields) } });
}

function featuresOf(fields: Fields): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, featureOf(type)]));
}

function featureOf(type: ColumnType): unknown {
  if (type === "image") return { _type: "Image" };
  // A list in brackets is what every release of `datasets` reads.
  if (typeof type === "object") return "list" in type ? [featureOf(type.list)] : featuresOf(type.struct);
  const names = {
    text: "string",
    json: "string",
    integer: "int64",
    number: "float64",
    flag: "bool",
    bytes: "binary",
  };
  return { dtype: names[type], _type: "Value" };
}
