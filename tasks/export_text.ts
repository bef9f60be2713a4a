/** Rows to JSON lines and CSV. */
import type { ColumnType, Fields } from "./column_types.ts";
import { PendingFile, type RowWriter, storedFields } from "./export_file.ts";

/** A row a line; columns of JSON stay JSON, a picture's bytes are base64. */
export async function jsonlWriter(path: string, fields: Fields): Promise<RowWriter> {
  const plain = Object.fromEntries(
    Object.entries(fields).map((
      [name, type],
    ): [string, ColumnType] => [name, type === "json" ? "text" : type]),
  );
  return await lineWriter(
    path,
    (row) =>
      JSON.stringify(
        storedFields(plain, row, "number"),
        (_key, value) => value instanceof Uint8Array ? value.toBase64() : value,
      ),
  );
}

/**
 * A header and a row a line, as RFC 4180 has it. Nested values are JSON; a picture is the name of its file.
 *
 * @param keep stores a picture's file and returns its path
 */
export async function csvWriter(
  path: string,
  fields: Fields,
  keep: (image: unknown) => Promise<string>,
): Promise<RowWriter> {
  const writer = await lineWriter(path, (row) => Object.values(row).map(cell).join(","));
  await writer.write(Object.fromEntries(Object.keys(fields).map((name) => [name, name])));
  return {
    ...writer,
    async write(row) {
      const values = storedFields(fields, row, "number");
      for (const [name, type] of Object.entries(fields)) {
        const value = values[name];
        if (value === null) continue;
        if (type === "image") values[name] = await keep(value);
        else if (
          typeof type === "object" && "list" in type && type.list === "image" && Array.isArray(value)
        ) {
          values[name] = await Promise.all(value.map(keep));
        }
      }
      await writer.write(values);
    },
  };
}

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

async function lineWriter(
  path: string,
  line: (row: Readonly<Record<string, unknown>>) => string,
): Promise<RowWriter> {
  const file = await PendingFile.create(path);
  return {
    write: (row) => file.append(new TextEncoder().encode(line(row) + "\n")),
    finish: () => file.finish(),
    discard: () => Promise.resolve(file.discard()),
  };
}
