/** Downloads a data set into a folder, as `hf download --local-dir` does. */
import { createHash } from "node:crypto";
import { mkdir, readFile, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { BenchError, EXIT } from "../env/errors.ts";
import { dataLayout } from "./data_layout.ts";
import { download, hashOf } from "./download.ts";
import { writing } from "./file_errors.ts";
import type { HttpOptions } from "./http_request.ts";
import { askHub, type HubDataSet, type HubFile, hubHeaders, hubUrl } from "./hub_api.ts";
import { openHub } from "./hub_repository.ts";
import { hubSettings } from "./hub_settings.ts";

export interface FetchWish {
  /** `org/name`. */
  id: string;
  /** Branch, tag or commit. */
  revision: string;
  /** Only these configs; all files when there is none. */
  configs: readonly string[];
  /** Only these splits; all when there is none. */
  splits: readonly string[];
  /** Folder to fill. */
  out: string;
}

export interface FetchOptions extends HttpOptions {
  /** Called as bytes come, over all files. */
  progress?: (bytes: number, total: number) => void;
}

export interface FetchedData {
  commit: string;
  files: number;
  /** Of these, the files that were there and right already. */
  cached: number;
  bytes: number;
}

/** Files at a time. */
const AT_ONCE = 4;

/**
 * Fetches what is missing: whole files with the right checksum stay, parts of files are continued. All of it is of
 * one commit, whatever the branch does meanwhile.
 *
 * @throws BenchError for a config or split that the data set lacks, and for a file in the way; (exit code 4) when the hub cannot be reached, or
 *   sends what is not the file that it has listed
 */
export async function fetchData(wish: FetchWish, options: FetchOptions = {}): Promise<FetchedData> {
  const settings = hubSettings();
  const found = await askHub(wish.id, wish.revision, settings, options);
  const files = await wanted(found, wish, options);
  for (const file of files) await refuseForeign(file, wish.out);
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const done = new Map<string, number>();
  const waiting = [...files];
  let cached = 0;
  const stop = new AbortController();
  const signal = options.signal === undefined ? stop.signal : AbortSignal.any([options.signal, stop.signal]);
  const http = { ...options, headers: hubHeaders(settings), signal };
  const worker = async () => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const { path, bytes } = file;
      const progress = (at: number) => {
        done.set(path, at);
        options.progress?.([...done.values()].reduce((sum, n) => sum + n, 0), total);
      };
      const there = await fetchFile(hubUrl(found, path, settings), file, wish.out, { ...http, progress });
      await note(wish.out, found, file);
      if (there) cached += 1;
      progress(bytes);
    }
  };
  const failures: unknown[] = [];
  const workers = Array.from({ length: AT_ONCE }, () =>
    worker().catch((error) => {
      failures.push(error);
      // The others would go on for nothing.
      stop.abort();
    }));
  await Promise.all(workers);
  if (failures.length > 0) throw failures[0];
  return { commit: found.commit, files: files.length, cached, bytes: total };
}

async function wanted(
  found: HubDataSet,
  { configs, splits }: FetchWish,
  options: HttpOptions,
): Promise<readonly HubFile[]> {
  const odd = found.files.find(({ path }) => path.split("/").includes("..") || /^[/\\]|:/.test(path));
  if (odd !== undefined) {
    throw new BenchError({
      what: `Cannot download ${found.id}`,
      why: `${odd.path} would lie outside of the folder`,
    });
  }
  if (configs.length === 0 && splits.length === 0) return found.files;
  const layout = await dataLayout(openHub(found, hubSettings(), options));
  const chosen = new Set<string>(found.files.map(({ path }) => path).filter(isDocument));
  const known = (what: string, names: readonly string[], there: Iterable<string>) => {
    const all = [...new Set(there)];
    const unknown = names.find((name) => !all.includes(name));
    if (unknown === undefined) return;
    const why = `it has no ${what} ${unknown}; it has ${all.join(", ") || "none"}`;
    throw new BenchError({ what: `Cannot download ${found.id}`, why, fix: `Name one of them` });
  };
  known("config", configs, layout.keys());
  known("split", splits, [...layout.values()].flatMap((config) => [...config.keys()]));
  for (const [config, files] of layout) {
    if (configs.length > 0 && !configs.includes(config)) continue;
    for (const [split, paths] of files) {
      if (splits.length === 0 || splits.includes(split)) paths.forEach((path) => chosen.add(path));
    }
  }
  return found.files.filter(({ path }) => chosen.has(path));
}

/** What a data set says of itself and its licences comes along, whatever is asked for. */
const isDocument = (path: string): boolean => /^[^/]+\.md$/i.test(path) || /^LICEN[CS]E/i.test(path);

/** What an earlier download brought is replaced where the data set has changed; what somebody else put there is not. */
async function refuseForeign({ path, sha256, blob }: HubFile, out: string): Promise<void> {
  const target = join(out, ...path.split("/"));
  const there = await Deno.lstat(target).catch(() => null);
  if (there === null || await Deno.stat(noteOf(out, path)).then(() => true, () => false)) return;
  const right = sha256 === null ? await gitBlob(target) === blob : (await hashOf(target))?.sha256 === sha256;
  if (right) return;
  throw new BenchError({
    what: `Cannot write ${target}`,
    why: "it is there already, and no earlier download put it there",
    fix: "Name another folder with --out, or move the file away",
  });
}

/** @returns whether the file was there already */
async function fetchFile(
  url: string,
  { path, bytes, sha256, blob }: HubFile,
  out: string,
  options: HttpOptions & { progress: (bytes: number) => void },
): Promise<boolean> {
  const target = join(out, ...path.split("/"));
  if (sha256 !== null) return (await download(url, target, { ...options, sha256 })).cached;
  // Small files have no sha256 there: they are compared as git does.
  if (await gitBlob(target) === blob && blob !== null) return true;
  const fresh = join(out, ...NOTES, `${path}.new`);
  await writing(target, () => mkdir(dirname(target), { recursive: true }));
  const got = await download(url, fresh, { ...options, sha256: null });
  if (blob !== null && await gitBlob(fresh) !== blob) {
    await Deno.remove(fresh);
    const why = `${got.bytes} bytes came, and they are not the ${bytes} that the hub lists`;
    throw new BenchError(
      { what: `Cannot use ${url}`, why, fix: "Try again; nothing was kept" },
      EXIT.infrastructure,
    );
  }
  await writing(target, () => rename(fresh, target));
  return false;
}

async function gitBlob(path: string): Promise<string | null> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return null;
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}

const NOTES = [".cache", "huggingface", "download"];

const noteOf = (out: string, path: string): string => join(out, ...NOTES, `${path}.metadata`);

/** As the hub's Python packages note it: they know the files then, and a reader knows the commit. */
async function note(out: string, { commit }: HubDataSet, { path, sha256, blob }: HubFile): Promise<void> {
  const file = noteOf(out, path);
  await writing(file, async () => {
    await mkdir(dirname(file), { recursive: true });
    const { mtime } = await Deno.stat(join(out, ...path.split("/")));
    const seconds = (mtime?.getTime() ?? 0) / 1000;
    await Deno.writeTextFile(file, `${commit}\n${sha256 ?? blob ?? ""}\n${seconds}\n`);
  });
}
