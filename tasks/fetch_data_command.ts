/** `bench fetch splat|shadow`: downloads a published data set. */
import { z } from "zod";
import { fetchData } from "./hub_download.ts";
import type { BenchId } from "./tables.ts";

/** The published data sets. */
export const DATA_SETS: Readonly<Record<BenchId, string>> = {
  splat: "perpetual-research/splatbench",
  shadow: "perpetual-research/shadowbench",
};

/** The options of the command as the command line gives them. */
export const fetchDataOptionsSchema = z.object({
  config: z.array(z.string()).default([]),
  split: z.array(z.string()).default([]),
  revision: z.string().default("main"),
  /** The data set's own name where none is given. */
  out: z.string().optional(),
});

/**
 * Fetches what is not there yet, and returns what to print.
 *
 * @param status shown while bytes come; an empty line ends it
 * @throws BenchError for a config or split that is not there, (exit code 4) when the hub cannot be used
 */
export async function fetchDataCommand(
  bench: BenchId,
  { config, split, revision, out }: z.infer<typeof fetchDataOptionsSchema>,
  status: (line: string) => void,
  signal: AbortSignal,
): Promise<string> {
  const id = DATA_SETS[bench];
  const folder = out ?? id.replace(/^.*\//, "");
  const progress = (bytes: number, total: number) =>
    status(`${id}: ${megabytes(bytes)} of ${megabytes(total)}`);
  try {
    const wish = { id, revision, configs: config, splits: split, out: folder };
    const { commit, files, cached, bytes } = await fetchData(wish, { progress, signal });
    const there = cached > 0 ? `, ${cached} were there already` : "";
    return `${folder}: ${id}@${commit}, ${files} files of ${megabytes(bytes)}${there}`;
  } finally {
    status("");
  }
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;
