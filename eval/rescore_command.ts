/** `bench rescore`: recorded episodes in, drift of their scores out. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { count } from "../env/numbers.ts";
import { scoreKindSchema } from "../env/records.ts";
import { chosenKeys } from "./find_recordings.ts";
import { Pace } from "./pace.ts";
import type { OpenEnvironment } from "./replay_stage.ts";
import { Stages } from "./replay_stage.ts";
import type { Recording, RecordingKey } from "./recording.ts";
import { RecordingShelf } from "./recording_shelf.ts";
import { type Left, rescoreBatch, type Rescored } from "./rescore.ts";
import { driftOf, type DriftReport, printDrift } from "./rescore_report.ts";
import { FileResults, MemoryResults } from "./rescore_results.ts";
import { checkShapes, writeShapes } from "./rescore_shapes.ts";
import { noteLine, showStatus } from "./terminal.ts";

/** The options of the command as the command line gives them. */
export const rescoreOptionsSchema = z.object({
  /** Globs over episode ids; none means all. */
  episodes: z.array(z.string()).default([]),
  settings: z.array(z.string()).default([]),
  /** Points; null for what the digits of the data allow. */
  tolerance: z.number().nullable().default(null),
  /** How many of the worst episodes are listed. */
  worst: z.number(),
  /** File of results; null to keep none. */
  state: z.string().nullable().default(null),
  shape: z.boolean().default(false),
  out: z.string().nullable().default(null),
  profile: z.string().nullable().default(null),
  /** Null for the kind of score that was recorded. */
  metrics: scoreKindSchema.nullable().default(null),
  lpipsWeights: z.string().nullable().default(null),
  /** GLB file of a hand; null for the default hand. */
  hand: z.string().nullable().default(null),
  device: z.string(),
  skipBad: z.boolean().default(false),
  json: z.boolean().default(false),
});
export type RescoreCommandOptions = z.infer<typeof rescoreOptionsSchema> & { where: readonly string[] };

/** Episodes whose states are in memory at a time. */
const BATCH = 64;

/**
 * Scores what the options choose again and prints how far the scores are from the recorded ones.
 *
 * @returns the exit code
 */
export async function rescoreCommand(
  openEnvironment: OpenEnvironment,
  options: RescoreCommandOptions,
  stop: AbortSignal,
): Promise<number> {
  checkShapeOptions(options);
  const shelf = await RecordingShelf.open(options.where, options.skipBad);
  shelf.checkNotEmpty("rescore");
  const keys = chosenKeys(shelf.keys, options, "rescore");
  if (options.shape && options.out !== null) await checkShapes(keys, options.out);
  const { results, stopped } = await rescoreAll(openEnvironment, shelf, keys, options, stop);
  const rescored = results.filter((result): result is Rescored => !("kind" in result));
  const left = results.filter((result): result is Left => "kind" in result);
  for (const why of shelf.unreadable) noteLine(`bench: ${why}`);
  for (const { record, why } of left.filter(({ kind }) => kind === "bad")) {
    noteLine(`bench: Cannot rescore ${record.setting} ${record.episode_id}: ${why}`);
  }
  noteLeft(left);
  const ofLastStep = rescored.filter((episode) => episode.ofLastStep).length;
  if (ofLastStep > 0) {
    noteLine(`${count(ofLastStep, "episode")} without a final state: the state of the last step was scored`);
  }
  const reports = driftOf(rescored, options.tolerance);
  printDrift(reports, options);
  const leftOut = shelf.badRows?.total() ?? null;
  if (leftOut !== null) noteLine(`rescore: ${leftOut}`);
  if (options.shape && options.out !== null) await writeShapes(shelf, rescored, options.out);
  if (stopped) return EXIT.interrupted;
  const bad = shelf.unreadable.length + left.filter(({ kind }) => kind === "bad").length;
  return exitCode(reports, bad, left, leftOut);
}

async function rescoreAll(
  openEnvironment: OpenEnvironment,
  shelf: RecordingShelf,
  keys: readonly RecordingKey[],
  { profile, hand, state, shape }: RescoreCommandOptions,
  stop: AbortSignal,
): Promise<{ results: (Rescored | Left)[]; stopped: boolean }> {
  const stages = new Stages(openEnvironment, { profile, handNamed: hand !== null });
  const pace = new Pace(keys.length);
  let done = 0;
  const onDone = (episodes: number) => {
    done += episodes;
    showStatus(`rescore: ${done} of ${keys.length} episodes${pace.after(done)}`);
  };
  const results: (Rescored | Left)[] = [];
  using store = state === null ? new MemoryResults() : await FileResults.open(state);
  const options = { results: store, badRows: shelf.badRows, shape, onDone };
  let stopped = false;
  try {
    let batch: Recording[] = [];
    const flush = async () => {
      results.push(...await rescoreBatch(stages, batch, options));
      batch = [];
    };
    for await (const recording of shelf.readAll(keys)) {
      stopped = stop.aborted;
      if (stopped) break;
      batch.push(recording);
      if (batch.length === BATCH) await flush();
    }
    stopped ||= stop.aborted && batch.length > 0;
    if (!stopped) await flush();
  } finally {
    showStatus("");
    await stages.close();
  }
  return { results, stopped };
}

function checkShapeOptions({ shape, out, where }: RescoreCommandOptions): void {
  if (shape === (out !== null) && (!shape || where.length === 1)) return;
  throw new BenchError({
    what: "Cannot measure shapes",
    why: !shape
      ? "--out is where --shape writes, and nothing else is written"
      : out === null
      ? "nothing says where the episodes with the column shape go"
      : "one run or data set at a time becomes another",
    fix: "Name one place, and use --shape with --out FOLDER",
  });
}

function noteLeft(left: readonly Left[]): void {
  const others = Map.groupBy(left.filter(({ kind }) => kind === "other"), ({ why }) => why);
  for (const [why, of] of others) {
    noteLine(`${count(of.length, "episode")}: ${why} (bench replay checks the log)`);
  }
  const unscored = left.filter(({ kind }) => kind === "unscored").length;
  if (unscored > 0) noteLine(`${count(unscored, "episode")} without a score`);
}

function exitCode(
  reports: readonly DriftReport[],
  bad: number,
  left: readonly Left[],
  leftOut: string | null,
): number {
  if (bad > 0) return EXIT.usage;
  if (reports.length === 0 && left.every(({ kind }) => kind !== "other")) {
    throw new BenchError({
      what: "Cannot rescore",
      why: leftOut === null
        ? "none of the episodes has a score to compare with"
        : `none of the episodes has a score to compare with, and ${leftOut}`,
      fix: "Name a place with episodes that have come to their end",
    });
  }
  return reports.some(({ beyond }) => beyond.length > 0) ? EXIT.differences : EXIT.fine;
}
