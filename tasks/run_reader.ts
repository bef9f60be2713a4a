/** Reads recorded episodes, whatever level of a run folder is named. */
import { dirname, join } from "node:path";
import { BenchError } from "../env/errors.ts";
import type { Image } from "../env/image.ts";
import { compositeOnWhite, decodePng } from "../env/png.ts";
import {
  type EpisodeRecord,
  episodeRecordSchema,
  type StepRecord,
  stepRecordSchema,
} from "../env/records.ts";
import { reading, UnreadableFile } from "./file_errors.ts";
import { readJsonLines, readOrNull, readWhole } from "./json_lines.ts";
import { RUN_FILES } from "./run_folder.ts";
import { type RunRecord, runRecordSchema, type TranscriptLine, transcriptLineSchema } from "./run_schema.ts";

/** A finished episode on disk; its large files are read when asked for. */
export interface RecordedEpisode {
  folder: string;
  run: RunRecord;
  record: EpisodeRecord;
  /** @throws UnreadableFile naming file and line */
  steps(): Promise<StepRecord[]>;
  /** @throws UnreadableFile naming file and line */
  transcript(): Promise<TranscriptLine[]>;
  /**
   * The picture with this `imageKey`, as its file has it.
   *
   * @throws UnreadableFile when it is missing or no PNG
   */
  image(key: string): Promise<Image>;
  /** The same as the bytes of its file. */
  imageFile(key: string): Promise<Uint8Array<ArrayBuffer>>;
}

export interface RecordedRun {
  /** In the order of their folders' names. */
  episodes: RecordedEpisode[];
  /** Folders of episodes that have begun and not ended. */
  unfinished: string[];
  /** Why episodes that have ended cannot be read; what concerns a whole run once. */
  unreadable: string[];
}

/**
 * Every episode at or below a folder: a whole `--out`, one benchmark, one setting, or one episode.
 *
 * @throws BenchError when there is none
 */
export async function readRun(folder: string): Promise<RecordedRun> {
  const run: RecordedRun = { episodes: [], unfinished: [], unreadable: [] };
  await walk(folder, run, new Map());
  if (run.episodes.length + run.unfinished.length + run.unreadable.length === 0) {
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
  const names = entries.map((entry) => entry.name);
  if (names.includes(RUN_FILES.episode)) {
    await addEpisode(folder, found, runs);
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
  return await reading(folder, async () => {
    try {
      return await Array.fromAsync(Deno.readDir(folder));
    } catch (error) {
      if (!(error instanceof Deno.errors.NotFound)) throw error;
      throw new BenchError({
        what: `Cannot read the run ${folder}`,
        why: "there is no such folder",
        fix: "Name a folder that `bench eval` wrote",
      });
    }
  });
}

async function addEpisode(
  folder: string,
  found: RecordedRun,
  runs: Map<string, RunRecord>,
): Promise<void> {
  try {
    const episode = await readEpisode(folder, runs);
    if (episode === null) found.unfinished.push(folder);
    else found.episodes.push(episode);
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    if (!found.unreadable.includes(error.message)) found.unreadable.push(error.message);
  }
}

/** Null where a power cut left the record empty: the episode has not ended. */
async function readEpisode(folder: string, runs: Map<string, RunRecord>): Promise<RecordedEpisode | null> {
  const path = await reading(folder, () => Deno.realPath(folder));
  const record = await readWhole(join(path, RUN_FILES.episode), episodeRecordSchema);
  if (record === null) return null;
  const above = dirname(path);
  const run = runs.get(above) ?? await readRunRecord(join(above, RUN_FILES.run));
  runs.set(above, run);
  return {
    folder: path,
    run,
    record,
    steps: async () => (await readJsonLines(join(folder, RUN_FILES.steps), stepRecordSchema, "error")).lines,
    transcript: async () =>
      (await readJsonLines(join(folder, RUN_FILES.transcript), transcriptLineSchema, "error")).lines,
    image: async (key) => {
      const path = imagePath(above, key);
      return decode(await readImage(path), path);
    },
    imageFile: (key) => readImage(imagePath(above, key)),
  };
}

async function readRunRecord(path: string): Promise<RunRecord> {
  const run = await readWhole(path, runRecordSchema);
  if (run !== null) return run;
  throw new UnreadableFile({
    what: `Cannot read ${path}`,
    why: "it is missing or empty",
    fix: "Restore it, or run its `bench eval` again, which writes it anew",
  });
}

const imagePath = (run: string, key: string): string => join(run, RUN_FILES.images, `${key}.png`);

async function readImage(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const png = await readOrNull(path);
  if (png === null) throw unreadable(path, "there is no such file");
  return png;
}

function decode(png: Uint8Array, path: string): Image {
  try {
    return compositeOnWhite(decodePng(png));
  } catch (error) {
    throw unreadable(path, error instanceof Error ? error.message : String(error));
  }
}

function unreadable(path: string, why: string): UnreadableFile {
  return new UnreadableFile({ what: `Cannot read ${path}`, why, fix: "Restore the file" });
}
