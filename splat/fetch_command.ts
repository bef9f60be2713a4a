/** `bench fetch weights`: puts a network of LPIPS into the cache. */
import { z } from "zod";
import { cacheFolder } from "../tasks/cache_folder.ts";
import { fetchWeights } from "./score/lpips/fetch_weights.ts";
import { lpipsNetSchema } from "./score/lpips/networks.ts";

/** The options of the command as the command line gives them. */
export const fetchOptionsSchema = z.object({ net: lpipsNetSchema });

/** How the command tells what it does. */
export interface FetchSpeaker {
  say(line: string): void;
  /** A line that keeps changing; an empty one ends it. */
  status(line: string): void;
}

/**
 * Fetches a network unless it is there, and returns what to print.
 *
 * @throws BenchError (exit code 4) when no source can be used
 */
export async function fetchCommand(
  { net }: z.infer<typeof fetchOptionsSchema>,
  { say, status }: FetchSpeaker,
  signal: AbortSignal,
): Promise<string> {
  const progress = (bytes: number, total: number | null) =>
    status(`${net}: ${megabytes(bytes)}${total === null ? "" : ` of ${megabytes(total)}`}`);
  try {
    const { path, cached, record } = await fetchWeights(net, { cache: cacheFolder(), say, progress, signal });
    return `${path}: LPIPS with ${net}, sha256 ${record.sha256}${cached ? ", was there already" : ""}`;
  } finally {
    status("");
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
