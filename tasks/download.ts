/** Downloads a file, whatever happens to the connection on the way. */
import { createHash } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { caching } from "./file_errors.ts";
import { contentRange, get, type HttpOptions, HttpTrouble, persist, statusTrouble } from "./http_request.ts";

export interface DownloadOptions extends HttpOptions {
  /** Lower-case hex of the file's sha256, or as many digits of its beginning as are known; null when none is. */
  sha256: string | null;
  /** Called as bytes come; `total` is null while the server has not said. */
  progress?: (bytes: number, total: number | null) => void;
}

export interface Downloaded {
  path: string;
  bytes: number;
  sha256: string;
  /** Whether the file was there already. */
  cached: boolean;
}

/**
 * Downloads `url` to `path`, unless the file is there and right.
 *
 * Bytes gather in `path.part`, which a later call continues when the server still has the same file, and which gets
 * its name only when length and checksum are right; so `path` is whole or not there. Processes that want the same
 * file wait for one another.
 *
 * @throws BenchError (exit code 4) when the server cannot be reached, refuses, sends other bytes than it announced,
 *   or the checksum is wrong, in which case nothing is kept
 */
export async function download(url: string, path: string, options: DownloadOptions): Promise<Downloaded> {
  const part = await caching(path, async () => {
    await mkdir(dirname(path), { recursive: true });
    return await Deno.open(`${path}.part`, { read: true, write: true, create: true });
  });
  try {
    await part.lock(true);
    const present = await hashOf(path);
    if (present !== null && matches(present.sha256, options.sha256)) {
      await rm(`${path}.part`, { force: true });
      return { path, ...present, cached: true };
    }
    let furthest = 0;
    const bytes = await persist(
      `Cannot download ${url}`,
      options,
      (progressed) =>
        receive(url, path, part, options, (at) => {
          // Bytes seen before do not count, or a server that breaks at the same place each time would be asked forever.
          if (at > furthest) progressed();
          furthest = Math.max(furthest, at);
        }),
      "Check the network and try again; what has come is kept",
    );
    const sha256 = (await hashOf(`${path}.part`))?.sha256 ?? "";
    await rm(notePath(path), { force: true });
    if (!matches(sha256, options.sha256)) {
      await rm(`${path}.part`, { force: true });
      const why = `its sha256 is ${sha256}, wanted ${options.sha256}`;
      const fix = "The file is damaged or not the one that was published; nothing was kept";
      throw new BenchError({ what: `Cannot use ${url}`, why, fix }, EXIT.infrastructure);
    }
    await part.syncData();
    await Deno.rename(`${path}.part`, path);
    return { path, bytes, sha256, cached: false };
  } finally {
    part.close();
  }
}

/** What the bytes of a part belong to, so that two versions of a file are never mixed. */
const noteSchema = z.object({ url: z.string(), validator: z.string(), total: z.number() });

type Note = z.infer<typeof noteSchema>;

const notePath = (path: string): string => `${path}.part.json`;

/** One try: asks for what is missing and appends it. */
async function receive(
  url: string,
  path: string,
  part: Deno.FsFile,
  options: DownloadOptions,
  reached: (at: number) => void,
): Promise<number> {
  const note = await readNote(path, url);
  const held = note === null ? 0 : Math.min((await part.stat()).size, note.total);
  if (note !== null && held === note.total) return held;
  const headers: Record<string, string> = held > 0 && note !== null
    ? { range: `bytes=${held}-`, "if-range": note.validator }
    : {};
  const { response, body, close } = await get(url, headers, options);
  try {
    const { start, total } = await answered(response, held, note, path);
    await part.truncate(start);
    await part.seek(start, Deno.SeekMode.Start);
    await writeNote(path, url, response, total);
    let at = start;
    for await (const chunk of body) {
      if (total !== null && at + chunk.length > total) {
        await rm(notePath(path), { force: true });
        throw new HttpTrouble(`the server sends more than the ${total} bytes it announced`, true);
      }
      for (let written = 0; written < chunk.length;) written += await part.write(chunk.subarray(written));
      at += chunk.length;
      reached(at);
      options.progress?.(at, total);
    }
    if (total !== null && at < total) {
      throw new HttpTrouble(`the connection ended after ${at} of ${total} bytes`, true);
    }
    return at;
  } finally {
    close();
  }
}

/** Where an answer's bytes begin and how many the file has in all. */
async function answered(
  response: Response,
  held: number,
  note: Note | null,
  path: string,
): Promise<{ start: number; total: number | null }> {
  if (response.status === 200) {
    const length = response.headers.get("content-length");
    return { start: 0, total: length === null ? null : Number(length) };
  }
  const range = contentRange(response);
  const same = response.headers.get("etag") === null || validatorOf(response) === note?.validator;
  if (response.status === 206 && same && range?.first === held && range.total === note?.total) {
    return { start: held, total: range.total };
  }
  if (response.status !== 206 && response.status !== 416) throw statusTrouble(response);
  // The part does not fit what the server has now: the next try begins anew.
  await rm(notePath(path), { force: true });
  throw new HttpTrouble("the server sends other bytes than it was asked for", true);
}

async function readNote(path: string, url: string): Promise<Note | null> {
  try {
    const note = noteSchema.parse(JSON.parse(await Deno.readTextFile(notePath(path))));
    return note.url === url ? note : null;
  } catch {
    // No note, or half of one: nothing is known about the bytes.
    return null;
  }
}

/** Without a strong validator and a length a part cannot be continued. */
async function writeNote(path: string, url: string, response: Response, total: number | null): Promise<void> {
  const validator = validatorOf(response);
  if (validator === null || validator.startsWith("W/") || total === null) {
    await rm(notePath(path), { force: true });
  } else await Deno.writeTextFile(notePath(path), JSON.stringify({ url, validator, total }));
}

function validatorOf({ headers }: Response): string | null {
  return headers.get("etag") ?? headers.get("last-modified");
}

export async function hashOf(path: string): Promise<{ bytes: number; sha256: string } | null> {
  const file = await Deno.open(path).catch(() => null);
  if (file === null) return null;
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of file.readable) {
    hash.update(chunk);
    bytes += chunk.length;
  }
  return { bytes, sha256: hash.digest("hex") };
}

function matches(sha256: string, wanted: string | null): boolean {
  return wanted === null || sha256.startsWith(wanted);
}
