/** Task files as JSON: from a path or an address to checked content, whatever the benchmark. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { z } from "zod";
import { BenchError } from "../env/errors.ts";

/** Whether a text is a URL that `readTaskJson` takes. */
export const isTaskUrl = (where: string): boolean => /^(https?|file):\/\//.test(where);

/**
 * Decoded JSON from a path or an `https:`, `http:` or `file:` URL.
 *
 * @throws BenchError when it cannot be read or is not JSON
 */
export async function readTaskJson(where: string): Promise<unknown> {
  const text = await readText(where);
  try {
    // A byte order mark, as some editors put it, is no part of the text.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new BenchError({ what: `Cannot read the task ${where}`, why: `not valid JSON (${reason(error)})` });
  }
}

/**
 * Checks decoded JSON against a benchmark's schema; `where` names the source in errors.
 *
 * @throws BenchError that names the field that is missing or wrong
 */
export function parseTaskJson<Schema extends z.ZodObject>(
  schema: Schema,
  content: unknown,
  where: string,
): z.output<Schema> {
  const parsed = schema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BenchError({
    what: `Cannot read the task ${where}`,
    why: `${fieldName(issue.path)}: ${issue.message}`,
    fix: `A task file has the fields ${Object.keys(schema.shape).join(", ")}`,
  });
}

/** Where in a JSON value: `reference[3].camera.R[0][1]`. */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((key) => typeof key === "number" ? `[${key}]` : `.${String(key)}`).join("");
  return name === "" ? "the file" : name.replace(/^\./, "");
}

async function readText(where: string): Promise<string> {
  try {
    if (!isTaskUrl(where)) return await readFile(where, "utf8");
    if (where.startsWith("file:")) return await readFile(fileURLToPath(where), "utf8");
    const response = await fetch(where);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new BenchError(
      { what: `Cannot read the task ${where}`, why: reason(error) },
      undefined,
      { cause: error },
    );
  }
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
