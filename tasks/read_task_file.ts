/** Reads SplatBench task files: our own form, and rows of the `tasks` table as JSON. */
import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withPhotos } from "./shared_photos.ts";
import { splatTaskFile } from "./splat_task_rows.ts";
import { SPLAT_TABLES } from "./splat_tables.ts";
import { readRow } from "./table.ts";
import { parseTaskFile, type TaskFile } from "./task_file.ts";
import { isTaskUrl, readTaskJson } from "./task_json.ts";

/**
 * Reads a task file from a path or an `https:`, `http:` or `file:` URL. An object without `reference` is taken for a
 * row of the `tasks` table, whose pictures are base64 or names of files beside it.
 *
 * @throws BenchError when it cannot be read, is not JSON, or a field is missing or wrong; the error names the field
 */
export async function readTaskFile(where: string): Promise<TaskFile> {
  const content = await withPhotos(await readTaskJson(where), async (id) => {
    const other = besides(where, `${encodeURIComponent(id)}.json`);
    return parseTaskFile(await readTaskJson(other), other);
  });
  if (!isRow(content)) return parseTaskFile(content, where);
  const pictured: Record<string, unknown> = {};
  for (const [column, value] of Object.entries(content)) {
    pictured[column] = /_(images|photos)$/.test(column) ? await pictures(value, where) : value;
  }
  return splatTaskFile(readRow(SPLAT_TABLES.tasks, pictured, { file: where, row: 0 }), where);
}

function isRow(content: unknown): content is object {
  return typeof content === "object" && content !== null && !("reference" in content) &&
    Object.keys(content).some((column) => /_(images|photos)$/.test(column));
}

async function pictures(value: unknown, where: string): Promise<unknown> {
  return Array.isArray(value) ? await Promise.all(value.map((entry) => picture(entry, where))) : value;
}

async function picture(value: unknown, where: string): Promise<unknown> {
  if (typeof value === "object" && value !== null && "bytes" in value) {
    return { path: null, ...value, bytes: fromBase64(value.bytes) };
  }
  const bytes = fromBase64(value);
  if (bytes instanceof Uint8Array) return { bytes, path: null };
  if (typeof value !== "string" || isTaskUrl(where)) return value;
  const file = await readFile(besides(where, value)).catch(() => null);
  return file === null ? value : { bytes: new Uint8Array(file), path: value };
}

/** Bytes of base64, with or without the head of a data URL; what is none stays as it is. */
function fromBase64(value: unknown): unknown {
  if (typeof value !== "string") return value;
  try {
    return Uint8Array.fromBase64(value.replace(/^data:image\/png;base64,/, ""));
  } catch {
    return value;
  }
}

/** Another file in the same folder. */
function besides(where: string, file: string): string {
  return isTaskUrl(where) ? new URL(file, where).href : join(dirname(where), file);
}
