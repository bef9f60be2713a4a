/**
 * A run folder, `<out>/<bench>/<setting>/`: `run.json`, `images/<imageKey>.png`, and a folder an episode, as
 * `docs/run_folder.md` describes it. This file writes them; `run_reader.ts` reads finished ones.
 *
 * Everything is appended line by line or written whole, so that a process killed at any moment leaves a folder that
 * the same command continues.
 */
import { join } from "node:path";
import { BenchError } from "../env/errors.ts";
import { imageKey, sha256 } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import { compositeOnWhite, decodePng, encodePng } from "../env/png.ts";
import {
  type EpisodeRecord,
  episodeRecordSchema,
  type StepRecord,
  stepRecordSchema,
} from "../env/records.ts";
import { UnreadableFile, writing } from "./file_errors.ts";
import { LineWriter, readJsonLines, readOrNull, readWhole, writeWhole } from "./json_lines.ts";
import { type RunLock, takeRunLock } from "./run_lock.ts";
import { type RunRecord, runRecordSchema, type TranscriptLine, transcriptLineSchema } from "./run_schema.ts";

/** Names of the files in a run folder. */
export const RUN_FILES = {
  run: "run.json",
  lock: "lock",
  images: "images",
  episode: "episode.json",
  steps: "steps.jsonl",
  transcript: "transcript.jsonl",
} as const;

/** A run folder open for playing; this process alone writes into it. */
export class RunFolder {
  readonly #images = new Map<string, Promise<void>>();

  private constructor(readonly path: string, private readonly lock: RunLock) {}

  /**
   * Creates the folder where it is missing, takes its lock and sweeps up what a killed process left half written.
   *
   * @throws BenchError when another process plays into it, or it cannot be written
   */
  static async open(out: string, bench: string, setting: string): Promise<RunFolder> {
    const path = join(out, diskName(bench), diskName(setting));
    const images = join(path, RUN_FILES.images);
    await writing(images, () => Deno.mkdir(images, { recursive: true }));
    const folder = new RunFolder(path, await takeRunLock(join(path, RUN_FILES.lock)));
    for (const place of [path, images]) {
      await writing(place, async () => {
        for await (const { name, isFile } of Deno.readDir(place)) {
          if (isFile && name.endsWith(".tmp")) await Deno.remove(join(place, name));
        }
      });
    }
    return folder;
  }

  /** The process that held the lock last and died; null after a clean end. */
  get takenOverFrom(): string | null {
    return this.lock.takenOverFrom;
  }

  /** What earlier commands recorded of this run; null for a new folder, and for an empty file. */
  async readRun(): Promise<RunRecord | null> {
    return await readWhole(join(this.path, RUN_FILES.run), runRecordSchema);
  }

  async writeRun(run: RunRecord): Promise<void> {
    const text = JSON.stringify(runRecordSchema.parse(run), null, 2);
    await writeWhole(join(this.path, RUN_FILES.run), text + "\n");
  }

  episode(id: string): EpisodeFolder {
    return new EpisodeFolder(join(this.path, diskName(id)), id, (key, image) => this.#putImage(key, image));
  }

  close(): void {
    this.lock.release();
  }

  /** Stores a picture once, however many steps and episodes show it. */
  #putImage(key: string, image: Image): Promise<void> {
    const stored = this.#images.get(key) ??
      storeImage(join(this.path, RUN_FILES.images, `${key}.png`), key, image);
    this.#images.set(key, stored);
    return stored;
  }
}

/** What an episode's files hold so far. */
export interface RecordedPlay {
  steps: StepRecord[];
  transcript: TranscriptLine[];
  /** Names of the files whose last line was torn and is cut off now. */
  cut: string[];
}

/** The folder of one episode, open for playing. */
export class EpisodeFolder {
  #steps: LineWriter | null = null;
  #transcript: LineWriter | null = null;

  constructor(
    readonly path: string,
    readonly id: string,
    private readonly putImage: (key: string, image: Image) => Promise<void>,
  ) {}

  /**
   * The record of the finished episode; null while there is none.
   *
   * @throws UnreadableFile when it is damaged, or that of another episode whose id has the same name on disk
   */
  async record(): Promise<EpisodeRecord | null> {
    const record = await readWhole(join(this.path, RUN_FILES.episode), episodeRecordSchema);
    if (record !== null && record.episode_id !== this.id) {
      throw new UnreadableFile({
        what: `Cannot play ${this.id} into ${this.path}`,
        why: `the folder holds ${record.episode_id}`,
        fix: "Choose another folder with --out",
      });
    }
    return record;
  }

  /**
   * Reads what is recorded, cutting off torn last lines, and opens the files for more.
   *
   * @throws UnreadableFile naming file and line
   * @throws BenchError where they cannot be written
   */
  async open(): Promise<RecordedPlay> {
    await writing(this.path, () => Deno.mkdir(this.path, { recursive: true }));
    const steps = join(this.path, RUN_FILES.steps);
    const transcript = join(this.path, RUN_FILES.transcript);
    const readSteps = await readJsonLines(steps, stepRecordSchema, "cut");
    const readTranscript = await readJsonLines(transcript, transcriptLineSchema, "cut");
    this.#steps = new LineWriter(steps);
    this.#transcript = new LineWriter(transcript);
    return {
      steps: readSteps.lines,
      transcript: readTranscript.lines,
      cut: [readSteps.cut ? RUN_FILES.steps : "", readTranscript.cut ? RUN_FILES.transcript : ""]
        .filter((name) => name !== ""),
    };
  }

  /** Appends a step; its picture is on disk before the line that names it. */
  async appendStep(step: StepRecord, image: Image | null): Promise<void> {
    await this.storeImage(step.image, image);
    this.#steps?.append(stepRecordSchema.parse(step));
  }

  async storeImage(key: string | null, image: Image | null): Promise<void> {
    if (key !== null && image !== null) await this.putImage(key, image);
  }

  appendMessage(line: TranscriptLine): void {
    this.#transcript?.append(transcriptLineSchema.parse(line));
  }

  /** The episode is over: from now on it is never played again. */
  async finish(record: EpisodeRecord): Promise<void> {
    this.close();
    const text = JSON.stringify(episodeRecordSchema.parse(record));
    await writeWhole(join(this.path, RUN_FILES.episode), text + "\n");
  }

  /** Forgets that the episode ended, so that it goes on where it stopped. */
  async reopen(): Promise<void> {
    const path = join(this.path, RUN_FILES.episode);
    await writing(path, () => Deno.remove(path));
  }

  /** Moves what is recorded out of the way, and returns where to. */
  async setAside(): Promise<string> {
    this.close();
    return await writing(this.path, async () => {
      for (let n = 1;; n++) {
        const aside = join(this.path, `set_aside_${n}`);
        try {
          await Deno.mkdir(aside);
        } catch (error) {
          if (error instanceof Deno.errors.AlreadyExists) continue;
          throw error;
        }
        for (const name of [RUN_FILES.steps, RUN_FILES.transcript]) {
          if (await readOrNull(join(this.path, name)) === null) continue;
          await Deno.rename(join(this.path, name), join(aside, name));
        }
        return aside;
      }
    });
  }

  close(): void {
    this.#steps?.close();
    this.#transcript?.close();
    this.#steps = null;
    this.#transcript = null;
  }
}

/**
 * The name of a folder for an id, safe on every file system: `/` becomes `__`, other odd characters `_`, and an
 * over-long name ends in its hash.
 */
export function diskName(id: string): string {
  const name = id.replaceAll("/", "__").replaceAll(/[^A-Za-z0-9._@+=-]/g, "_").replace(/^\.+/, "_");
  return name.length <= 200 ? name : `${name.slice(0, 180)}_${sha256(id).slice(0, 16)}`;
}

async function storeImage(path: string, key: string, image: Image): Promise<void> {
  if (!await shows(path, key)) await writeWhole(path, await encodePng(image));
}

/** Whether a file is the picture of that key; one that is missing, damaged or not to be read is not. */
async function shows(path: string, key: string): Promise<boolean> {
  try {
    const png = await readOrNull(path);
    return png !== null && imageKey(compositeOnWhite(decodePng(png))) === key;
  } catch (error) {
    if (error instanceof BenchError) return false;
    throw error;
  }
}
