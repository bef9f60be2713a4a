/** What `bench fetch weights` does: gets a network from the first source that has it, checks it and keeps it. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { nowIso } from "../../../env/clock.ts";
import { BenchError, EXIT } from "../../../env/errors.ts";
import { fileSource } from "../../../tasks/byte_source.ts";
import { download } from "../../../tasks/download.ts";
import type { HttpOptions } from "../../../tasks/http_request.ts";
import { httpSource } from "../../../tasks/http_source.ts";
import { type LpipsWeights, readLpipsWeights } from "./lpips_weights.ts";
import type { LpipsNet } from "./networks.ts";
import { openTensorFile } from "./open_tensor_file.ts";
import {
  cachedLpipsWeights,
  cachePaths,
  storeLpipsWeights,
  type WeightRecord,
  weightRecord,
} from "./weight_cache.ts";
import { WEIGHT_SOURCES, type WeightSource } from "./weight_sources.ts";

export interface FetchOptions extends HttpOptions {
  /** `cacheFolder()`. */
  cache: string;
  /** Tried in order; the published ones by default. */
  sources?: readonly WeightSource[];
  /** A line for the user: which source is tried, and in the end which ones failed before. */
  say?: (line: string) => void;
  /** Bytes that have come of a whole file; `total` is null while the server has not said. */
  progress?: (bytes: number, total: number | null) => void;
}

export interface FetchedWeights {
  weights: LpipsWeights;
  record: WeightRecord;
  /** Of the file that the next runs read. */
  path: string;
  /** Whether they were there already, and nothing was downloaded. */
  cached: boolean;
}

/**
 * Puts a network into the cache, unless it is there and whole.
 *
 * Numbers without a known checksum are trusted the first time and recorded; whatever is fetched later must equal them.
 *
 * @throws BenchError (exit code 4), one line with the trouble of each source, when none can be used
 */
export async function fetchWeights(net: LpipsNet, options: FetchOptions): Promise<FetchedWeights> {
  const { cache, sources = WEIGHT_SOURCES[net], say = () => {} } = options;
  const path = cachePaths(net, cache).file;
  const known = await weightRecord(net, cache);
  const present = await cachedLpipsWeights(net, cache).catch((error) => {
    if (!(error instanceof BenchError)) throw error;
    say(`${error.explanation.what}: ${error.explanation.why}; fetching it again`);
    return null;
  });
  if (known !== null && present !== null) return { weights: present, record: known, path, cached: true };
  const troubles: string[] = [];
  for (const source of sources) {
    say(`Fetching the LPIPS network ${net} from ${source.url}`);
    try {
      const weights = await weightsOf(net, source, options);
      checkKnown(known, weights, source, cachePaths(net, cache).record);
      const pinned = source.sha256 !== null;
      const record = { net, source: source.url, sha256: weights.sha256, pinned, fetched_at: nowIso() };
      await storeLpipsWeights(weights, record, cache);
      // Where all fail, the error tells why.
      for (const trouble of troubles) say(trouble);
      if (!pinned) {
        say(`No checksum of ${source.url} is known: its numbers (sha256 ${weights.sha256}) are trusted now`);
      }
      return { weights, record, path, cached: false };
    } catch (error) {
      options.signal?.throwIfAborted();
      if (!(error instanceof BenchError)) throw error;
      const { what, why } = error.explanation;
      troubles.push(`${what}: ${why}`);
    }
  }
  throw new BenchError({
    what: `Cannot fetch the LPIPS network ${net}`,
    why: troubles.join("; "),
    fix: "Check the network and try again, or name a file with --lpips-weights",
  }, EXIT.infrastructure);
}

async function weightsOf(
  net: LpipsNet,
  { url, take, sha256 }: WeightSource,
  options: FetchOptions,
): Promise<LpipsWeights> {
  if (take === "ranges") {
    return await readLpipsWeights(net, await openTensorFile(await httpSource(url, options)));
  }
  const path = join(options.cache, "downloads", url.replace(/^https?:\/\//, "").replaceAll(/[^\w.-]+/g, "_"));
  await download(url, path, { ...options, sha256 });
  // What is kept is the network alone, in one format; a file that turned out unfit is not kept either.
  try {
    return await readLpipsWeights(net, await openTensorFile(await fileSource(path)));
  } finally {
    await rm(path, { force: true });
  }
}

function checkKnown(
  known: WeightRecord | null,
  weights: LpipsWeights,
  { url }: WeightSource,
  recordPath: string,
): void {
  if (known === null || known.sha256 === weights.sha256) return;
  throw new BenchError({
    what: `Cannot use ${url}`,
    why:
      `its numbers are not those that came from ${known.source} on ${known.fetched_at} (delete ${recordPath} to trust it)`,
  });
}
