/** Fetched networks between runs: `lpips/<net>.safetensors` in the cache folder, and a record of where they came from. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BenchError } from "../../../env/errors.ts";
import { fileSource } from "../../../tasks/byte_source.ts";
import { caching } from "../../../tasks/file_errors.ts";
import { parseJson, readOrNull, writeWhole } from "../../../tasks/json_lines.ts";
import { type LpipsWeights, namedTensors, readLpipsWeights } from "./lpips_weights.ts";
import { type LpipsNet, lpipsNetSchema } from "./networks.ts";
import { openTensorFile } from "./open_tensor_file.ts";
import { encodeSafetensors } from "./safetensors.ts";

export const weightRecordSchema = z.object({
  net: lpipsNetSchema,
  /** URL of the file that the numbers were taken from. */
  source: z.string(),
  /** `LpipsWeights.sha256`, the hash of the numbers themselves. */
  sha256: z.string(),
  /** Whether the file had a known checksum; else its numbers were trusted when they first came. */
  pinned: z.boolean(),
  /** ISO 8601. */
  fetched_at: z.string(),
});

export type WeightRecord = z.infer<typeof weightRecordSchema>;

/** The weights of a file. Throws BenchError when it cannot be read or does not hold the network. */
export async function loadLpipsWeights(net: LpipsNet, path: string): Promise<LpipsWeights> {
  return await readLpipsWeights(net, await openTensorFile(await fileSource(path)));
}

/**
 * Fetched weights; null when none were fetched.
 *
 * @param cache `cacheFolder()`
 * @throws BenchError when the file is damaged
 */
export async function cachedLpipsWeights(net: LpipsNet, cache: string): Promise<LpipsWeights | null> {
  const { file } = cachePaths(net, cache);
  const record = await weightRecord(net, cache);
  if (record === null) return null;
  const weights = await loadLpipsWeights(net, file);
  if (weights.sha256 === record.sha256) return weights;
  const why = `its numbers have the sha256 ${weights.sha256}, recorded is ${record.sha256}`;
  throw new BenchError({ what: `Cannot use ${file}`, why, fix: "Run `bench fetch weights` again" });
}

/** What is recorded of the weights that were fetched; null when none were. */
export async function weightRecord(net: LpipsNet, cache: string): Promise<WeightRecord | null> {
  const path = cachePaths(net, cache).record;
  const bytes = await readOrNull(path);
  return bytes === null ? null : parseJson(new TextDecoder().decode(bytes), weightRecordSchema, path, 1);
}

/** Stores weights, then the record, so that a record always has its file. */
export async function storeLpipsWeights(
  weights: LpipsWeights,
  record: WeightRecord,
  cache: string,
): Promise<void> {
  const paths = cachePaths(weights.net, cache);
  await caching(join(cache, FOLDER), () => mkdir(join(cache, FOLDER), { recursive: true }));
  await writeWhole(paths.file, encodeSafetensors(namedTensors(weights)));
  await writeWhole(paths.record, JSON.stringify(record, null, 2) + "\n");
}

export function cachePaths(net: LpipsNet, cache: string): { file: string; record: string } {
  return { file: join(cache, FOLDER, `${net}.safetensors`), record: join(cache, FOLDER, `${net}.json`) };
}

const FOLDER = "lpips";
