/** Plays every planned episode that is not on disk yet, many at a time, and returns all of them. */
import type { EnvironmentDefinition, TaskInfo } from "../env/environment.ts";
import type { EpisodeRecord } from "../env/records.ts";
import { type EpisodeFolder, RunFolder } from "../tasks/run_folder.ts";
import { forEachAtOnce } from "./at_once.ts";
import { type Controls, playEpisode } from "./episode_driver.ts";
import { planEpisodes, type PlannedEpisode } from "./plan.ts";
import type { Player } from "./player.ts";
import { mergeRun, promptHash } from "./run_settings.ts";

export interface EvalRequest {
  environment: EnvironmentDefinition;
  players: readonly Player[];
  tasks: readonly TaskInfo[];
  protocol: string;
  effort: string;
  runs: number;
  /** Most episodes at a time. */
  concurrency: number;
  /** Folder of all runs. */
  out: string;
  /** Whether episodes that failed for infrastructure reasons go on. */
  retryErrors: boolean;
  /** Aborted by the person who wants to stop: turns under way are finished. */
  stop: AbortSignal;
  progress: Progress;
}

/** Told how the run goes. */
export interface Progress {
  /** One line worth reading. */
  note(line: string): void;
  /** Before the first episode: how many there are, and how many of them are on disk already. */
  begin(total: number, finished: number): void;
  finished(record: EpisodeRecord): void;
  end(): void;
}

export interface EvalResult {
  setting: string;
  /** `<out>/<bench>/<setting>`. */
  folder: string;
  /** Every planned episode that came to its end, now or earlier, by player, task and run. */
  episodes: EpisodeRecord[];
  /** Planned episodes that did not come to their end, because the run was stopped. */
  missing: number;
}

/**
 * @throws BenchError when the folder belongs to another process or to other settings, when an endpoint can never
 *   answer, or when the device fails; what was played so far is on disk
 */
export async function runEval(request: EvalRequest): Promise<EvalResult> {
  const { environment, players, tasks, protocol, effort, runs, out, progress } = request;
  const planned = planEpisodes(environment, players, tasks, effort, runs);
  const setting = environment.setting(protocol, effort);
  const folder = await RunFolder.open(out, environment.id, setting);
  try {
    if (folder.takenOverFrom !== null) {
      progress.note(`${folder.path}: ${folder.takenOverFrom} ended without letting go of it; taken over`);
    }
    const jobs = await Promise.all(planned.map((plan) => lookUp(plan, folder, request.retryErrors)));
    const open = jobs.filter((job) => job.record === null);
    const identity = await environment.identity();
    const promptHashes = await hashPrompts(request, open);
    const recorded = await folder.readRun();
    if (recorded !== null && recorded.device !== identity.device && open.length > 0) {
      progress.note(`${folder.path}: earlier episodes ran on ${recorded.device}, this is ${identity.device}`);
    }
    const wanted = { ...request, identity, setting, promptHashes };
    await folder.writeRun(mergeRun(recorded, wanted, folder.path));

    const fatal = new AbortController();
    const controls: Controls = {
      stop: request.stop,
      abort: fatal.signal,
      note: (line) => progress.note(line),
    };
    progress.begin(jobs.length, jobs.length - open.length);
    await forEachAtOnce(open, request.concurrency, async (job) => {
      if (request.stop.aborted || fatal.signal.aborted) return;
      try {
        if (job.retry) await job.folder.reopen();
        const shared = { environment, identity, protocol, setting };
        job.record = await playEpisode({ ...job.plan, ...shared, folder: job.folder }, controls);
        if (job.record !== null) progress.finished(job.record);
      } catch (error) {
        // The first one is the reason; the others only stopped because of it.
        if (!fatal.signal.aborted) fatal.abort(error);
      }
    });
    progress.end();
    if (fatal.signal.aborted) throw fatal.signal.reason;
    const episodes = jobs.flatMap(({ record }) => record ?? []);
    return { setting, folder: folder.path, episodes, missing: jobs.length - episodes.length };
  } finally {
    folder.close();
  }
}

interface Job {
  plan: PlannedEpisode;
  folder: EpisodeFolder;
  /** Null until the episode has come to its end. */
  record: EpisodeRecord | null;
  /** Whether it failed before and goes on now. */
  retry: boolean;
}

async function lookUp(plan: PlannedEpisode, run: RunFolder, retryErrors: boolean): Promise<Job> {
  const folder = run.episode(plan.id);
  const record = await folder.record();
  const retry = retryErrors && record?.status === "error";
  return { plan, folder, retry, record: retry ? null : record };
}

async function hashPrompts(request: EvalRequest, jobs: readonly Job[]): Promise<Record<string, string>> {
  const tasks = new Map(jobs.map(({ plan }) => [plan.task.id, plan.task]));
  const hashes = [...tasks.values()].map(async (task) => {
    return [task.id, await promptHash(request.environment, task, request.protocol)] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
