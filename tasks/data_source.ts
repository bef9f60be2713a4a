/** Opens a data set, whatever form it has. */
import { readdir, realpath, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { BenchError } from "../env/errors.ts";
import { fileSource } from "./byte_source.ts";
import { type DataSet, dataSet } from "./data_set.ts";
import type { TableName } from "./data_rows.ts";
import { cachedSnapshot, isHubCache, localRevision } from "./hub_cache.ts";
import { hubRepository, isHubAddress } from "./hub_repository.ts";
import { layoutSource, publishedSource, TABLE_NAMES } from "./published_source.ts";
import { columnList } from "./table_reader.ts";
import { openRowFile } from "./raw_rows.ts";
import { folderRepository } from "./repository.ts";
import type { RowSource } from "./row_source.ts";
import { RUN_FILES } from "./run_folder.ts";
import { runSource, runSources } from "./run_source.ts";
import { BENCH_IDS, type BenchId } from "./tables.ts";

export type { DataSet, RowOptions } from "./data_set.ts";
export type { EpisodeRow, LeaderboardRow, StepRow, TaskRow, TranscriptRow } from "./data_rows.ts";

export interface DataOptions {
  /** Needed where a folder holds runs of both, or nothing says of which benchmark a file is. */
  bench?: BenchId;
  /** Told of each bad row, file or episode, which is left out then; without it the first one is thrown. */
  onBad?: (error: BenchError) => void;
}

/**
 * Opens a data set, reading no more of it than is needed to know what it is.
 *
 * @param where a folder of `hf download --local-dir` or `bench fetch`, a folder of the Python hub's cache, a folder
 *   that `bench eval` wrote (`runs`, `runs/<bench>`, `runs/<bench>/<setting>`), `hf://org/name[@revision]`, or one
 *   file of a table (`.parquet`, `.jsonl`)
 * @throws BenchError when there is nothing, or nothing that can be read, and for a folder with data sets in `splat/` and
 *   `shadow/` when no benchmark is named
 */
export async function openData(where: string, options: DataOptions = {}): Promise<DataSet> {
  return dataSet(await sourceOf(where, options), options.onBad);
}

/**
 * Opens every data set of a place: of both benchmarks where it is a folder of runs of both, or one with a data set in
 * `splat/` and one in `shadow/`. Throws as `openData` does.
 */
export async function openDataSets(where: string, options: DataOptions = {}): Promise<DataSet[]> {
  const { bench, onBad } = options;
  const folder = !isHubAddress(where) && await isDirectory(where);
  if (folder && bench === undefined && await isRunFolder(where)) {
    return (await runSources(where, onBad)).map((source) => dataSet(source, onBad));
  }
  const below = folder ? await benchmarksBelow(where, bench) : [];
  if (below.length === 0) return [await openData(where, options)];
  return await Promise.all(below.map((bench) => openData(join(where, bench), { bench, onBad })));
}

async function benchmarksBelow(folder: string, bench: BenchId | undefined): Promise<BenchId[]> {
  const wanted = bench === undefined ? BENCH_IDS : [bench];
  const there = await Promise.all(wanted.map((name) => isDirectory(join(folder, name))));
  return wanted.filter((_, i) => there[i]);
}

function ofBoth(where: string, [first, second]: readonly BenchId[]): BenchError {
  return new BenchError({
    what: `Cannot read ${where} as one data set`,
    why: "it holds both benchmarks",
    fix: `Name ${join(where, first)} or ${
      join(where, second)
    }, or one of them with --bench where a command has it`,
  });
}

async function isDirectory(path: string): Promise<boolean> {
  return await stat(path).then((entry) => entry.isDirectory(), () => false);
}

async function sourceOf(where: string, { bench, onBad }: DataOptions): Promise<RowSource> {
  if (isHubAddress(where)) return await publishedSource(await hubRepository(where), bench);
  const entry = await stat(where).catch(() => null);
  if (entry === null) {
    throw new BenchError({
      what: `Cannot read the data set ${where}`,
      why: "there is no such file or folder",
      fix: "Name a folder or file, or hf://org/name",
    });
  }
  if (!entry.isDirectory()) return await fileRows(where, bench);
  if (await isRunFolder(where)) return await runSource(where, bench, onBad);
  const below = await benchmarksBelow(where, bench);
  if (below.length > 1) throw ofBoth(where, below);
  const place = below.length === 1 ? join(where, below[0]) : where;
  const folder = await isHubCache(place) ? await cachedSnapshot(place) : place;
  return await publishedSource(await folderRepository(folder, await localRevision(folder)), bench);
}

/** Whether a run, or a folder of runs: its files are at most three levels down. */
async function isRunFolder(folder: string, depth = 3): Promise<boolean> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  if (entries.some(({ name }) => name === RUN_FILES.run || name === RUN_FILES.episode)) return true;
  if (depth === 0) return false;
  for (const entry of entries) {
    if (entry.isDirectory() && await isRunFolder(join(folder, entry.name), depth - 1)) return true;
  }
  return false;
}

/** One file of a table: its folder or its columns say which, its name says which split. */
async function fileRows(path: string, bench: BenchId | undefined): Promise<RowSource> {
  const file = await openRowFile(await fileSource(path));
  const folder = basename(dirname(await realpath(path)));
  const table = TABLE_NAMES.find((name) => name === folder) ?? tableOf(file.columns, path);
  const split = basename(path).replace(/(-\d{5}-of-\d{5})?\.\w+$/, "");
  const name = basename(path);
  const repository = {
    name: path,
    revision: null,
    paths: [name],
    open: () => fileSource(path),
  };
  const splitName = table === "tasks" ? "test" : table === "leaderboard" ? "results" : split;
  return await layoutSource(repository, new Map([[table, new Map([[splitName, [name]]])]]), bench);
}

function tableOf(columns: readonly string[], path: string): TableName {
  const has = (...names: string[]) => names.some((name) => columns.includes(name));
  if (has("messages")) return "transcripts";
  if (has("step") && has("tool", "tool_name")) return "steps";
  if (has("episode_id", "episode")) return "episodes";
  if (has("task_id", "task")) return "tasks";
  if (has("model_name", "model")) return "leaderboard";
  throw new BenchError({
    what: `Cannot read ${path} as a table`,
    why: "its columns are those of none",
    fix: `Name a file of one of the tables ${TABLE_NAMES.join(", ")}; its columns are ${columnList(columns)}`,
  });
}
