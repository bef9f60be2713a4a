/** Scores submitted states again and says how far that is from what was recorded. */
import type { EnvironmentDefinition, MetricColumn, ScoredState, TaskInfo } from "../env/environment.ts";
import { BenchError, EXIT } from "../env/errors.ts";
import { contentHash } from "../env/hash.ts";
import type { Metrics } from "../env/records.ts";
import { isRounded, METRIC_DIGITS } from "./agreement.ts";
import { forEachAtOnce } from "./at_once.ts";
import { BadRow, type BadRows } from "./bad_rows.ts";
import type { RecordColumns, Recording, SubmittedState } from "./recording.ts";
import type { OtherKnob } from "./replay_knobs.ts";
import { type EpisodeStage, findTask, type Stages } from "./replay_stage.ts";

/** An episode that was scored again. */
export interface Rescored {
  place: string;
  source: string;
  record: RecordColumns;
  now: ScoredState;
  /** Points, now minus recorded; null where there was no score to compare with, or is none now. */
  difference: number | null;
  /** Now minus recorded by name; null for a metric that there is no more. */
  metrics: Readonly<Record<string, number | null>>;
  columns: readonly MetricColumn[];
  /** What of its profile is not as the benchmark has it, and was not asked for. */
  notDefault: readonly OtherKnob[];
  /** Whether the log of its steps alone has its state. */
  ofLastStep: boolean;
  /** Whether its state has no more digits than published ones. */
  rounded: boolean;
  /** For `details.shape`; null unless asked for. */
  shape: Record<string, unknown> | null;
}

/** An episode that there is nothing to compare of. */
export interface Left {
  place: string;
  record: RecordColumns;
  why: string;
  /**
   * `bad`: its data is; `skipped`: that was to be left out; `other`: it cannot be compared here; `unscored`: it never
   * had a score.
   */
  kind: "bad" | "skipped" | "other" | "unscored";
}

/** Results by what they depend on; a process that was stopped leaves them to the next. */
export interface ResultStore {
  get(key: string): ScoredState | null;
  set(key: string, episodeId: string, scored: ScoredState): void;
}

export interface RescoreOptions {
  results: ResultStore;
  /** Where bad rows are left out; null where they are errors. */
  badRows: BadRows | null;
  /** Whether shapes are measured, too. */
  shape: boolean;
  /** Told of each batch that is done. */
  onDone(episodes: number): void;
}

/** Tasks at a time: they share the device's batches. */
const TASKS_AT_ONCE = 4;

/** Scores a batch, all states of a task together; in the order given. */
export async function rescoreBatch(
  stages: Stages,
  recordings: readonly Recording[],
  options: RescoreOptions,
): Promise<(Rescored | Left)[]> {
  const results: (Rescored | Left)[] = [];
  const submissions: Submission[] = [];
  for (const [at, recording] of recordings.entries()) {
    const prepared = await prepare(stages, recording, at, options.badRows);
    if ("kind" in prepared) results[at] = prepared;
    else submissions.push(prepared);
  }
  options.onDone(recordings.length - submissions.length);
  const byTask = Map.groupBy(
    submissions,
    ({ stage, task }) => `${stageKey(stage)}\n${task.source}\n${task.id}`,
  );
  await forEachAtOnce([...byTask.values()], TASKS_AT_ONCE, async (ofTask) => {
    const scored = await scoreAll(ofTask, options.results);
    const shapes = options.shape ? await shapesOf(ofTask) : null;
    for (const [i, submission] of ofTask.entries()) {
      const result = scored[i];
      results[submission.at] = "kind" in result ? result : compared(submission, result, shapes?.[i] ?? null);
    }
    options.onDone(ofTask.length);
  });
  return results;
}

interface Submission extends SubmittedState {
  recording: Recording;
  at: number;
  stage: EpisodeStage;
  task: TaskInfo;
}

const STAGE_KEYS = new WeakMap<EnvironmentDefinition, number>();
let stagesSeen = 0;

/** Stages are told apart by their environments. */
function stageKey({ environment }: EpisodeStage): number {
  const known = STAGE_KEYS.get(environment);
  if (known !== undefined) return known;
  STAGE_KEYS.set(environment, ++stagesSeen);
  return stagesSeen;
}

async function prepare(
  stages: Stages,
  recording: Recording,
  at: number,
  badRows: BadRows | null,
): Promise<Submission | Left> {
  const { place, record } = recording;
  const left = (kind: Left["kind"], why: string): Left => ({ place, record, why, kind });
  const scoreless = record.score === null && Object.keys(record.metrics ?? {}).length === 0;
  if (record.status === "error" || scoreless) return left("unscored", record.error ?? "it has no score");
  try {
    const { run } = recording;
    if (run !== null && contentHash(run.profile) !== run.profile_hash) {
      return left("bad", "its run.json has another profile than that of its profile_hash");
    }
    const stage = await stages.of(recording);
    if (stage.audit !== null) return left("other", stage.audit.why);
    const task = await findTask(stage, recording);
    const hash = run?.options.task_hashes[record.task_id];
    if (hash !== undefined && hash !== task.contentHash) {
      return left("bad", `the task ${task.id} has other content now, from ${task.source}`);
    }
    const submitted = await recording.submitted();
    return submitted === null
      ? left("bad", "it has a score, and no final state that could be scored again")
      : { recording, at, stage, task, ...submitted };
  } catch (error) {
    if (error instanceof BadRow && badRows !== null) {
      badRows.leaveOut(error);
      return left("skipped", error.message);
    }
    if (error instanceof BenchError && error.exitCode === EXIT.usage) return left("bad", error.message);
    throw error;
  }
}

/** Of submissions of one task; a state that cannot be scored leaves out its episode alone. */
async function scoreAll(
  submissions: readonly Submission[],
  results: ResultStore,
): Promise<(ScoredState | Left)[]> {
  const [{ stage: { environment }, task }] = submissions;
  const keys = submissions.map(resultKey);
  const scored: (ScoredState | Left | null)[] = keys.map((key) => results.get(key));
  const open = [...submissions.entries()].filter(([at]) => scored[at] === null);
  const states = open.map(([, { state }]) => state);
  const now = states.length === 0 ? [] : await environment.scoreStates(task, states)
    .catch((error) => oneByOne(environment, open.map(([, submission]) => submission), error));
  for (const [i, [at, { recording }]] of open.entries()) {
    const result = scored[at] = now[i];
    if (!("kind" in result)) results.set(keys[at], recording.record.episode_id, result);
  }
  return scored.flatMap((result) => result ?? []);
}

async function oneByOne(
  environment: EnvironmentDefinition,
  submissions: readonly Submission[],
  error: unknown,
): Promise<(ScoredState | Left)[]> {
  if (!isBadData(error)) throw error;
  const results: (ScoredState | Left)[] = [];
  for (const { task, state, recording: { place, record } } of submissions) {
    try {
      results.push(...await environment.scoreStates(task, [state]));
    } catch (error) {
      if (!isBadData(error)) throw error;
      results.push({ place, record, why: error.message, kind: "bad" });
    }
  }
  return results;
}

function isBadData(error: unknown): error is BenchError {
  return error instanceof BenchError && error.exitCode === EXIT.usage;
}

/** All that a score depends on. */
function resultKey({ stage: { identity }, task, state, recording }: Submission): string {
  const { fingerprint, profileHash, device } = identity;
  const { score_kind } = recording.record;
  return contentHash([task.contentHash, state, score_kind, fingerprint, profileHash, device]);
}

async function shapesOf(
  submissions: readonly Submission[],
): Promise<(Record<string, unknown> | null)[] | null> {
  const [{ stage: { environment }, task }] = submissions;
  return await environment.shapes?.(task, submissions.map(({ state }) => state)) ?? null;
}

function compared(
  { recording: { place, source, record, whole }, stage: { environment, notDefault }, state, ofLastStep }:
    Submission,
  now: ScoredState,
  shape: Rescored["shape"],
): Rescored {
  const { score } = record;
  return {
    place,
    source,
    record,
    now,
    difference: score === null || now.score === null ? null : now.score - score,
    metrics: metricDifferences(record.metrics ?? {}, now.metrics),
    columns: environment.columns,
    notDefault,
    ofLastStep,
    rounded: !whole && isRounded(state),
    shape,
  };
}

function metricDifferences(recorded: Metrics, now: Metrics): Record<string, number | null> {
  return Object.fromEntries(
    Object.entries(recorded).map(([key, value]) => [key, key in now ? now[key] - value : null]),
  );
}

/** A point of tolerance allows this many units of the last digit that tables print of a metric. */
const UNITS_A_POINT = 20;

/** What is beyond the tolerance: `score`, or names of metrics. A tolerance of 0.25 points is one of 0.05 dB. */
export function beyond({ record, now, difference, metrics, columns }: Rescored, tolerance: number): string[] {
  const tooFar = (value: number | null, allowed: number) => value === null || !(Math.abs(value) <= allowed);
  const scoreGone = record.score !== null && now.score === null;
  const score = scoreGone || (difference !== null && tooFar(difference, tolerance)) ? ["score"] : [];
  const others = Object.entries(metrics).filter(([key, value]) => {
    const digits = columns.find((column) => column.key === key)?.digits ?? METRIC_DIGITS;
    return tooFar(value, tolerance * UNITS_A_POINT * 10 ** -digits);
  });
  return [...score, ...others.map(([key]) => key)];
}
