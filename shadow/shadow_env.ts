/** One episode as an object, for scripts and training loops. */
import { appendFile, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BenchError } from "../env/errors.ts";
import type { EpisodeResult, TaskInfo } from "../env/environment.ts";
import type { OnStep } from "../env/step_log.ts";
import type { CallOutcome, Observation } from "../env/observation.ts";
import { encodePng } from "../env/png.ts";
import type { Metrics, StepRecord } from "../env/records.ts";
import { SHADOW_TASKS } from "../tasks/embedded_shadow_tasks.ts";
import { reading, writing } from "../tasks/file_errors.ts";
import { parseShadowTaskFile, type ShadowTaskFile } from "../tasks/shadow_task_file.ts";
import { type ShadowEnvironment, shadowEnvironment, type ShadowOptions } from "./environment.ts";
import type { ShadowEpisode } from "./episode.ts";
import { taskFromFile } from "./load_task.ts";
import type { Pose } from "./pose.ts";
import type { ShadowTask } from "./task.ts";

/** Ids of the embedded tasks. */
export function tasks(): string[] {
  return SHADOW_TASKS.embedded.map(({ id }) => id);
}

export interface CreateOptions extends ShadowOptions {
  /** Folder for `steps.jsonl` and every picture as the model saw it, `000_reset.png`, …; must be new or empty. */
  logDir?: string;
  /** Replaces an environment of its own: several episodes share a device, and `close` leaves it open. */
  environment?: ShadowEnvironment;
}

/**
 * An episode of a task: an embedded id, a task file's path or URL, or a task file's content.
 *
 * ```ts ignore
 * const env = await create("dog");
 * const opening = await env.observe(); // opening.text, opening.image: target | shadow | difference | hands
 * await env.call("plan", { subject: "dog", arrangement: "one flat hand, the thumb as the ear" });
 * await env.call("set_fingers", { hand: "right", joints: { "ring.mcp": 40, "little.mcp": 40 } });
 * const seen = await env.call("look", { view: "front" }); // seen.text, seen.image: what a model receives
 * (await env.metrics()).score; // the hidden score of the pose as it is
 * await env.call("submit", {});
 * const { score, reward } = await env.final; // reward = score / 100
 * env.close();
 * ```
 *
 * @throws BenchError when there is no such task, or the log folder cannot be used
 */
export async function create(task: string | ShadowTaskFile, options: CreateOptions = {}): Promise<ShadowEnv> {
  const { logDir, environment, ...own } = options;
  const shared = environment ?? shadowEnvironment(own);
  try {
    const found = typeof task === "string" ? await oneTask(shared, task) : madeTask(task);
    const id = typeof task === "string" ? task : task.task_id;
    const play = (onStep?: OnStep) => {
      const played = { id, protocol: "standard", onStep };
      return "info" in found ? shared.openTask(found, played) : shared.open(found, played);
    };
    const episode = await (logDir === undefined ? play() : logged(logDir, play));
    return new ShadowEnv(episode, environment === undefined ? shared : null);
  } catch (error) {
    if (environment === undefined) shared.close();
    throw error;
  }
}

/** Hidden numbers of a pose. */
export type HiddenMetrics = Metrics & { score: number; score_before_peeks: number };

/** An episode in play; `create` makes it. A refused call is an outcome with `accepted: false`, nothing is thrown. */
export class ShadowEnv {
  readonly #episode: ShadowEpisode;
  readonly #owned: ShadowEnvironment | null;

  /** @param owned what `close` closes */
  constructor(episode: ShadowEpisode, owned: ShadowEnvironment | null) {
    this.#episode = episode;
    this.#owned = owned;
  }

  /** The opening message and picture: step 0. */
  observe(): Promise<Observation> {
    return this.#episode.observe();
  }

  /** Any tool by its published name, with arguments as a model sends them. */
  call(tool: string, args: unknown = {}): Promise<CallOutcome> {
    return this.#episode.call(tool, args);
  }

  /** The hidden score of the pose as it is, and what it is made of. */
  async metrics(): Promise<HiddenMetrics> {
    const { hidden, hidden_score, score_before_peeks } = await this.#episode.hidden();
    return { ...hidden, score: hidden_score ?? 0, score_before_peeks: score_before_peeks ?? 0 };
  }

  /** The end of the episode: score, metrics, reward = score / 100, final pose. Rejects before the end. */
  get final(): Promise<EpisodeResult> {
    return this.#episode.result();
  }

  /** Every step so far, as the steps table has it. */
  get steps(): Promise<readonly StepRecord[]> {
    return this.#episode.steps();
  }

  /** Whether the episode has ended. */
  get done(): boolean {
    return this.#episode.done;
  }

  /** Where the hands are: a copy. */
  get pose(): Pose {
    return structuredClone(this.#episode.pose);
  }

  /** Frees the device, unless the environment was handed in. */
  close(): void {
    this.#owned?.close();
  }
}

/** A task that comes from no file, as random ones do. */
function madeTask(content: ShadowTaskFile): ShadowTask {
  const where = "made by a program";
  return taskFromFile(parseShadowTaskFile(content, where), where);
}

async function oneTask(environment: ShadowEnvironment, selector: string): Promise<TaskInfo> {
  const found = await environment.findTasks([selector]);
  if (found.length === 1) return found[0];
  throw new BenchError({
    what: `Cannot create one episode from ${selector}`,
    why: `it names ${found.length} tasks`,
    fix: `Name one, e.g. ${found[0].id}`,
  });
}

/** Opens an episode that writes each step and its picture as they happen; one that cannot be opened leaves no log. */
async function logged<Opened>(folder: string, open: (onStep: OnStep) => Promise<Opened>): Promise<Opened> {
  const steps = await reserveLog(folder);
  try {
    return await open(async (step, image) => {
      await writing(steps, () => appendFile(steps, `${JSON.stringify(step)}\n`));
      if (image === null) return;
      const path = join(folder, `${String(step.step).padStart(3, "0")}_${step.tool}.png`);
      const png = await encodePng(image);
      await writing(path, () => writeFile(path, png));
    });
  } catch (error) {
    await rm(steps, { force: true });
    throw error;
  }
}

/** Makes the file of the steps, so that no other episode can be logged beside it. Returns its path. */
async function reserveLog(folder: string): Promise<string> {
  if (folder.trim() === "") throw badLog('""', "it is the name of no folder");
  await writing(folder, () => mkdir(folder, { recursive: true }));
  const [there] = await reading(folder, () => readdir(folder));
  if (there !== undefined) throw badLog(folder, `it holds ${there} already`);
  const steps = join(folder, "steps.jsonl");
  await writing(steps, () => writeFile(steps, "", { flag: "wx" })).catch((error: unknown) => {
    const taken = error instanceof BenchError && isTaken(error.cause);
    throw taken ? badLog(folder, "another episode has begun to be logged there") : error;
  });
  return steps;
}

function isTaken(cause: unknown): boolean {
  return cause instanceof Error && "code" in cause && cause.code === "EEXIST";
}

function badLog(folder: string, why: string): BenchError {
  return new BenchError({
    what: `Cannot log an episode to ${folder}`,
    why,
    fix: "Name a new folder, or an empty one",
  });
}
