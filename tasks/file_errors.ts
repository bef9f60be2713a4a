/** What the file system refuses, in one line: the one place that turns its errors into ours. */
import { BenchError } from "../env/errors.ts";

/** A file that cannot be read, or does not hold what it should: what is elsewhere may still be of use. */
export class UnreadableFile extends BenchError {
  override readonly name = "UnreadableFile";
}

/** @throws UnreadableFile where the file system refuses what `action` does at `path` */
export async function reading<Value>(path: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    const why = systemReason(error);
    if (why === null) throw error;
    throw new UnreadableFile(
      { what: `Cannot read ${path}`, why, fix: "Restore it, or mend its permissions" },
      undefined,
      { cause: error },
    );
  }
}

/** @throws BenchError where the file system refuses what `action` does at `path` */
export async function writing<Value>(path: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw writeError(path, error);
  }
}

/** As `writing`, for files of the cache, which has a folder of its own. */
export async function caching<Value>(path: string, action: () => Promise<Value>): Promise<Value> {
  try {
    return await action();
  } catch (error) {
    throw writeError(path, error, "Free space, or set BENCH_CACHE to a folder that can be written");
  }
}

/** `writing` for what is done before the call returns. */
export function writingNow<Value>(path: string, action: () => Value): Value {
  try {
    return action();
  } catch (error) {
    throw writeError(path, error);
  }
}

/** The operating system's words for an error of it; null for an error of another kind. */
export function systemReason(error: unknown): string | null {
  if (!(error instanceof Error && "code" in error && typeof error.code === "string")) return null;
  return error.message.replace(/ \(os error \d+\).*$/s, "");
}

function writeError(path: string, error: unknown, fix: string = OTHER_OUT): unknown {
  const why = systemReason(error);
  if (why === null) return error;
  return new BenchError({ what: `Cannot write ${path}`, why, fix }, undefined, { cause: error });
}

const OTHER_OUT = "Free space, mend the permissions, or choose another folder with --out";
