/** Files of one JSON value a line, that survive being killed while a line is written. */
import type { z } from "zod";
import { reading, UnreadableFile, writing, writingNow } from "./file_errors.ts";

/**
 * Appends whole lines; each is handed to the operating system before the call returns. Every method throws a
 * BenchError where the file cannot be written.
 */
export class LineWriter {
  readonly #file: Deno.FsFile;

  constructor(private readonly path: string) {
    this.#file = writingNow(path, () => Deno.openSync(path, { append: true, create: true }));
  }

  append(value: unknown): void {
    const bytes = new TextEncoder().encode(JSON.stringify(value) + "\n");
    writingNow(this.path, () => {
      for (let at = 0; at < bytes.length;) at += this.#file.writeSync(bytes.subarray(at));
    });
  }

  /** Reaches the disk itself, so that a power cut loses nothing either. */
  close(): void {
    using file = this.#file;
    writingNow(this.path, () => file.syncDataSync());
  }
}

/**
 * Every line of a file, checked; none where the file does not exist.
 *
 * @param torn what to do with a last line without its line end, as a killed process leaves it: an error, or cut it
 *   off the file
 * @returns whether a line was cut off, too
 * @throws UnreadableFile naming file and line
 */
export async function readJsonLines<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  torn: "error" | "cut",
): Promise<{ lines: z.infer<Schema>[]; cut: boolean }> {
  const bytes = await readOrNull(path);
  if (bytes === null) return { lines: [], cut: false };
  const whole = bytes.lastIndexOf(10) + 1;
  const cut = whole < bytes.length;
  const text = new TextDecoder().decode(bytes.subarray(0, whole));
  const rows = text === "" ? [] : text.slice(0, -1).split("\n");
  if (cut && torn === "error") throw badLine(path, rows.length + 1, "it is cut off in the middle");
  const lines = rows.map((row, at) => parseJson(row, schema, path, at + 1));
  if (cut) await writing(path, () => Deno.truncate(path, whole));
  return { lines, cut };
}

/**
 * The value of a file that is written whole; null where there is none, and for a zero-byte one, as a power cut leaves
 * it.
 *
 * @throws UnreadableFile naming the first field that is wrong
 */
export async function readWhole<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
): Promise<z.infer<Schema> | null> {
  const bytes = await readOrNull(path);
  return bytes === null || bytes.length === 0
    ? null
    : parseJson(new TextDecoder().decode(bytes), schema, path, 1);
}

/**
 * The value of a text of JSON that the schema accepts.
 *
 * @throws UnreadableFile naming file, line and the first field that is wrong
 */
export function parseJson<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  path: string,
  line: number,
): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw badLine(path, line, text.trim() === "" ? "it is empty" : "it is not JSON");
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badLine(path, line, `${issue.path.join(".") || "the value"}: ${issue.message}`);
}

/**
 * Writes a whole file or nothing: a temporary file beside it, then a rename. One writer a path at a time.
 *
 * @throws BenchError where it cannot be written
 */
export async function writeWhole(path: string, data: string | Uint8Array): Promise<void> {
  const bytes = typeof data === "string" ? new TextEncoder().encode(data) : data;
  const temporary = `${path}.tmp`;
  await writing(path, async () => {
    {
      using file = await Deno.open(temporary, { write: true, create: true, truncate: true });
      for (let at = 0; at < bytes.length;) at += await file.write(bytes.subarray(at));
      await file.syncData();
    }
    await Deno.rename(temporary, path);
  });
}

/**
 * The bytes of a file, or null where there is none.
 *
 * @throws UnreadableFile where there is one that cannot be read
 */
export async function readOrNull(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  return await reading(path, async () => {
    try {
      return await Deno.readFile(path);
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) return null;
      throw error;
    }
  });
}

function badLine(path: string, line: number, why: string): UnreadableFile {
  return new UnreadableFile({ what: `Cannot read ${path}, line ${line}`, why, fix: "Restore the file" });
}
