/** Reads recorded episodes, whatever level of a run folder is named. */
import { dirname, join } from "node:path";
import type { z } from "zod";
import { BenchError } from "../env/errors.ts";
import type { Image } from "../env/image.ts";
import { compositeOnWhite, decodePng } from "../env/png.ts";
import {
  type EpisodeRecord,
  episodeRecordSchema,
  type StepRecord,
  stepRecordSchema,
} from "../env/records.ts";
import { parseJson, readJsonLines, readOrNull } from "./json_lines.ts";
import { RUN_FILES } from "./run_folder.ts";
import { type RunRecord, runRecordSchema, type TranscriptLine, transcriptLineSchema } from "./run_schema.ts";

/** A finished episode on disk; its large files are read when asked for. */
export interface RecordedEpisode {
  folder: string;
  run: RunRecord;
  record: EpisodeRecord;
  /** @throws BenchError naming file and line */
  steps(): Promise<StepRecord[]>;
  /** @throws BenchError naming file and line */
  transcript(): Promise<TranscriptLine[]>;
  /**
   * The picture with this `imageKey`, as its file has it.
   *
   * @throws BenchError when it is missing or no PNG
   */
  image(key: string): Promise<Image>;
}

export interface RecordedRun {
  /** In the order of their folders' names. */
  episodes: RecordedEpisode[];
  /** Folders of episodes that have begun and not ended. */
  unfinished: string[];
}

/**
 * Every episode at or below a folder: a whole `--out`, one benchmark, one setting, or one episode.
 *
 * @throws BenchError when there is none, or naming the file and line that cannot be read
 */
export async function readRun(folder: string): Promise<RecordedRun> {
  const run: RecordedRun = { episodes: [], unfinished: [] };
  await walk(folder, run, new Map());
  if (run.episodes.length + run.unfinished.length === 0) {
    throw new BenchError({
      what: `Cannot read the run ${folder}`,
      why: `no folder at or below it holds an ${RUN_FILES.episode}`,
      fix: "Name a folder that `bench eval` wrote",
    });
  }
  return run;
}

async function walk(folder: string, found: RecordedRun, runs: Map<string, RunRecord>): Promise<void> {
  const entries = (await list(folder)).sort((a, b) => a.name < b.name ? -1 : 1);
  const names = entries.filter((entry) => entry.isFile).map((entry) => entry.name);
  if (names.includes(RUN_FILES.episode)) {
    found.episodes.push(await readEpisode(folder, runs));
  } else if (names.includes(RUN_FILES.transcript) || names.includes(RUN_FILES.steps)) {
    found.unfinished.push(folder);
  } else {
    for (const entry of entries) {
      if (entry.isDirectory && entry.name !== RUN_FILES.images) {
        await walk(join(folder, entry.name), found, runs);
      }
    }
  }
}

async function list(folder: string): Promise<Deno.DirEntry[]> {
  try {
    return await Array.fromAsync(Deno.readDir(folder));
  } catch (error) {
    throw new BenchError({
      what: `Cannot read the run ${folder}`,
      why: error instanceof Deno.errors.NotFound ? "there is no such folder" : String(error),
      fix: "Name a folder that `bench eval` wrote",
    });
  }
}

async function readEpisode(folder: string, runs: Map<string, RunRecord>): Promise<RecordedEpisode> {
  const above = dirname(await Deno.realPath(folder));
  const run = runs.get(above) ?? await readRecord(join(above, RUN_FILES.run), runRecordSchema);
  runs.set(above, run);
  return {
    folder,
    run,
    record: await readRecord(join(folder, RUN_FILES.episode), episodeRecordSchema),
    steps: async () => (await readJsonLines(join(folder, RUN_FILES.steps), stepRecordSchema, "error")).lines,
    transcript: async () =>
      (await readJsonLines(join(folder, RUN_FILES.transcript), transcriptLineSchema, "error")).lines,
    image: async (key) => {
      const path = join(above, RUN_FILES.images, `${key}.png`);
      return decode(await readExisting(path), path);
    },
  };
}

async function readRecord<Schema extends z.ZodType>(path: string, schema: Schema): Promise<z.infer<Schema>> {
  return parseJson(new TextDecoder().decode(await readExisting(path)), schema, path, 1);
}

function decode(png: Uint8Array, path: string): Image {
  try {
    return compositeOnWhite(decodePng(png));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BenchError({ what: `Cannot read ${path}`, why, fix: "Restore it" });
  }
}

async function readExisting(path: string): Promise<Uint8Array> {
  const bytes = await readOrNull(path);
  if (bytes !== null) return bytes;
  throw new BenchError({ what: `Cannot read ${path}`, why: "there is no such file", fix: "Restore it" });
}
