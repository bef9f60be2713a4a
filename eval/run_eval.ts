/** Plays every planned episode that is not on disk yet, many at a time, and returns all of them. */
import type { EnvironmentDefinition, TaskInfo } from "../env/environment.ts";
import type { EpisodeRecord } from "../env/records.ts";
import { UnreadableFile } from "../tasks/file_errors.ts";
import { type EpisodeFolder, RunFolder } from "../tasks/run_folder.ts";
import { forEachAtOnce } from "./at_once.ts";
import { type Controls, playEpisode } from "./episode_driver.ts";
import type { EpisodeJob } from "./episode_job.ts";
import { planEpisodes, type PlannedEpisode } from "./plan.ts";
import type { Player } from "./player.ts";
import { checkIdentity } from "./record_identity.ts";
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
  /** Planned episodes that did not come to their end: the run was stopped, or they cannot be read. */
  missing: number;
  /** Why episodes cannot be read, a line each; they are left as they are. */
  unreadable: string[];
}

/**
 * @throws BenchError before anything is written, when a player cannot play one of the tasks; when the folder belongs to
 *   another process or to other settings, when an endpoint can never answer, or when the device fails: what was played
 *   so far is on disk
 */
export async function runEval(request: EvalRequest): Promise<EvalResult> {
  const { environment, players, tasks, protocol, effort, runs, out, progress } = request;
  const planned = planEpisodes(environment, players, tasks, effort, runs);
  // Who cannot play a task says so here, before anything is opened or written.
  await Promise.all(planned.map(({ player, task, run }) => player.seat(task, run)));
  const setting = environment.setting(protocol, effort);
  // A device that is missing must leave no folder behind.
  const identity = await environment.identity();
  const folder = await RunFolder.open(out, environment.id, setting);
  const unreadable: string[] = [];
  const orUnreadable = async <Value>(action: () => Promise<Value>): Promise<Value | null> => {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      unreadable.push(error.message);
      return null;
    }
  };
  try {
    if (folder.takenOverFrom !== null) {
      progress.note(`${folder.path}: ${folder.takenOverFrom} ended without letting go of it; taken over`);
    }
    const shared = { environment, identity, protocol, setting };
    const found = planned.map((plan) => orUnreadable(() => lookUp(plan, folder, request.retryErrors)));
    const jobs = (await Promise.all(found)).flatMap((job) => job ?? []);
    const open = jobs.filter((job) => job.record === null);
    const promptHashes = await hashPrompts(request, open);
    const recorded = await folder.readRun();
    if (recorded !== null && recorded.device !== identity.device && open.length > 0) {
      progress.note(`${folder.path}: earlier episodes ran on ${recorded.device}, this is ${identity.device}`);
    }
    const wanted = { ...request, identity, setting, promptHashes };
    await folder.writeRun(mergeRun(recorded, wanted, folder.path));
    for (const job of jobs) job.record = await orUnreadable(() => Promise.resolve(ownRecord(job, shared)));

    const fatal = new AbortController();
    const controls: Controls = {
      stop: request.stop,
      abort: fatal.signal,
      note: (line) => progress.note(line),
    };
    progress.begin(planned.length, jobs.length - open.length);
    await forEachAtOnce(open, request.concurrency, async (job) => {
      if (request.stop.aborted || fatal.signal.aborted) return;
      try {
        if (job.retry) await job.folder.reopen();
        job.record = await orUnreadable(() =>
          playEpisode({ ...job.plan, ...shared, folder: job.folder }, controls)
        );
        if (job.record !== null) progress.finished(job.record);
      } catch (error) {
        // The first one is the reason; the others only stopped because of it.
        if (!fatal.signal.aborted) fatal.abort(error);
      }
    });
    progress.end();
    if (fatal.signal.aborted) throw fatal.signal.reason;
    const episodes = jobs.flatMap(({ record }) => record ?? []);
    return { setting, folder: folder.path, episodes, missing: planned.length - episodes.length, unreadable };
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

/** The record of a finished episode, once it is sure to be its own. */
function ownRecord(
  { record, plan, folder }: Job,
  { environment, identity, protocol, setting }: Pick<
    EpisodeJob,
    "environment" | "identity" | "protocol" | "setting"
  >,
): EpisodeRecord | null {
  if (record === null) return null;
  const wanted = {
    bench: environment.id,
    model_name: plan.player.name,
    task_id: plan.task.id,
    setting,
    protocol,
    run: plan.run,
    env_fingerprint: identity.fingerprint,
    profile_hash: identity.profileHash,
  };
  checkIdentity(record, wanted, folder.path);
  return record;
}

async function hashPrompts(request: EvalRequest, jobs: readonly Job[]): Promise<Record<string, string>> {
  const tasks = new Map(jobs.map(({ plan }) => [plan.task.id, plan.task]));
  const hashes = [...tasks.values()].map(async (task) => {
    return [task.id, await promptHash(request.environment, task, request.protocol)] as const;
  });
  return Object.fromEntries(await Promise.all(hashes));
}
