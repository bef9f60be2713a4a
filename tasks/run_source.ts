/** A run folder as the tables of a data set. */
import { join } from "node:path";
import { BenchError } from "../env/errors.ts";
import type { StepRecord } from "../env/records.ts";
import type { ImageColumn } from "./columns.ts";
import type { ReadOptions } from "./parquet.ts";
import type { RawRow, RowFile } from "./raw_rows.ts";
import type { RowSource } from "./row_source.ts";
import { RUN_FILES } from "./run_folder.ts";
import { readRun, type RecordedEpisode } from "./run_reader.ts";
import { runTaskRow } from "./run_tasks.ts";
import { poseRowSchema } from "./shadow_rows.ts";
import { shadowEpisodeRow, shadowStepRow } from "./shadow_tables.ts";
import { gaussianRowSchema } from "./splat_rows.ts";
import { splatEpisodeRow, splatStepRow } from "./splat_tables.ts";
import { BENCH_IDS, type BenchId, TABLES, TASKS_SPLIT } from "./tables.ts";
import { transcriptRow } from "./transcript_rows.ts";
import { z } from "zod";

/**
 * The finished episodes at or below a folder that `bench eval` wrote.
 *
 * @param bench which one, where the folder holds both
 * @throws BenchError when there is none, and for episodes that cannot be read unless `onBad` is told of them
 */
export async function runSource(
  folder: string,
  bench?: BenchId,
  onBad?: (error: BenchError) => void,
): Promise<RowSource> {
  const all = await runSources(folder, onBad);
  const sources = bench === undefined ? all : all.filter((source) => source.bench === bench);
  if (sources.length === 1) return sources[0];
  const found = all.map((source) => source.bench).join(" and ");
  throw new BenchError({
    what: `Cannot read ${folder} as one data set`,
    why: bench === undefined
      ? `it holds episodes of ${found}`
      : `its finished episodes are of ${found}, not of ${bench}`,
    fix: bench === undefined ? "Name the benchmark, or a folder below" : "Name another folder",
  });
}

/** The same, one for each benchmark there is; at least one. Throws as `runSource` does. */
export async function runSources(
  folder: string,
  onBad?: (error: BenchError) => void,
): Promise<RowSource[]> {
  const run = await readRun(folder);
  for (const why of run.unreadable) {
    const error = new BenchError({
      what: `Cannot read every episode of ${folder}`,
      why,
      fix: "Restore it, or leave it out with --skip-bad",
    });
    if (onBad === undefined) throw error;
    onBad(error);
  }
  const byBench = Map.groupBy(run.episodes, ({ record }) => record.bench);
  const sources = BENCH_IDS.flatMap((bench) => {
    const episodes = byBench.get(bench);
    return episodes === undefined ? [] : [episodesSource(folder, bench, episodes)];
  });
  if (sources.length > 0) return sources;
  throw new BenchError({
    what: `Cannot read ${folder} as a data set`,
    why: `none of its ${run.episodes.length} finished episodes is of ${BENCH_IDS.join(" or ")}`,
    fix: "Finish the run, or name another folder",
  });
}

function episodesSource(folder: string, bench: BenchId, episodes: readonly RecordedEpisode[]): RowSource {
  const bySetting = Map.groupBy(episodes, ({ record }) => record.setting);
  return {
    bench,
    where: folder,
    revision: null,
    listsTasks: false,
    splits: (table) => {
      if (table === "leaderboard") return Promise.resolve([]);
      return Promise.resolve(table === "tasks" ? [TASKS_SPLIT] : [...bySetting.keys()]);
    },
    files: (table, split) => {
      if (table === "leaderboard") return Promise.resolve([]);
      if (table === "tasks") return Promise.resolve(split === TASKS_SPLIT ? taskFiles(bench, episodes) : []);
      const files = (bySetting.get(split) ?? []).map((episode) => () =>
        Promise.resolve(episodeFile(bench, table, episode))
      );
      return Promise.resolve(files);
    },
  };
}

const FILES = {
  episodes: RUN_FILES.episode,
  steps: RUN_FILES.steps,
  transcripts: RUN_FILES.transcript,
} as const;

/** One episode's rows of a table. */
function episodeFile(bench: BenchId, table: keyof typeof FILES, episode: RecordedEpisode): RowFile {
  return {
    name: join(episode.folder, FILES[table]),
    columns: Object.keys(TABLES[bench][table].schema.shape),
    async *read({ where, columns } = {}): AsyncGenerator<RawRow> {
      if (where !== undefined && !where.oneOf.has(episode.record.episode_id)) return;
      const images = columns === undefined || columns.includes("image");
      let row = 0;
      for await (const value of rowsOf(bench, table, episode, images)) yield { row: row++, value };
    },
  };
}

async function* rowsOf(
  bench: BenchId,
  table: keyof typeof FILES,
  episode: RecordedEpisode,
  images: boolean,
): AsyncGenerator<RawRow["value"]> {
  const { record } = episode;
  if (table === "episodes") {
    yield bench === "splat" ? splatEpisodeRow(record) : shadowEpisodeRow(record, null);
  } else if (table === "transcripts") {
    yield transcriptRow(record, await episode.transcript());
  } else {
    let state: unknown = null;
    for (const step of await episode.steps()) {
      // A step that changed nothing leaves its state out.
      state = step.state ?? state;
      yield stepRow(bench, step, state, await pictureOf(episode, step, images));
    }
  }
}

const sceneSchema = z.array(gaussianRowSchema);

function stepRow(
  bench: BenchId,
  step: StepRecord,
  state: unknown,
  image: ImageColumn | null,
): RawRow["value"] {
  return bench === "splat"
    ? splatStepRow(step, sceneSchema.parse(state), image)
    : shadowStepRow(step, poseRowSchema.parse(state), image);
}

async function pictureOf(
  episode: RecordedEpisode,
  { image: key }: StepRecord,
  images: boolean,
): Promise<ImageColumn | null> {
  if (key === null || !images) return null;
  return { bytes: await episode.imageFile(key), path: `${key}.png` };
}

/** A task once, whichever episodes played it. */
function taskFiles(bench: BenchId, episodes: readonly RecordedEpisode[]): (() => Promise<RowFile>)[] {
  const byTask = new Map(episodes.map(({ record, run }) => [record.task_id, run]));
  return [...byTask].map(([id, run]) => async () => {
    const row = await runTaskRow(bench, id, run);
    return {
      name: `task ${id}`,
      columns: Object.keys(row),
      async *read({ columns }: ReadOptions = {}) {
        const kept = Object.entries(row).filter(([column]) => columns?.includes(column) ?? true);
        yield { row: 0, value: Object.fromEntries(kept) };
      },
    };
  });
}
