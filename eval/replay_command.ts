/** `bench replay`: recorded episodes in, differences out. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { count } from "../env/numbers.ts";
import { SCHEMA_VERSION, scoreKindSchema } from "../env/records.ts";
import { forEachAtOnce } from "./at_once.ts";
import type { Difference } from "./difference.ts";
import { BadRow } from "./bad_rows.ts";
import { chosenKeys } from "./find_recordings.ts";
import { jsonLine } from "./json_output.ts";
import { Pace } from "./pace.ts";
import { keepPictures } from "./replay_pictures.ts";
import { replayEpisode, type ReplayReport } from "./replay.ts";
import { findTask, type OpenEnvironment, Stages } from "./replay_stage.ts";
import type { Recording, RecordingKey } from "./recording.ts";
import { RecordingShelf } from "./recording_shelf.ts";
import { noteLine, printLine, showStatus } from "./terminal.ts";

/** The options of the command as the command line gives them. */
export const replayOptionsSchema = z.object({
  /** Globs over episode ids; none means those that `all` says. */
  episodes: z.array(z.string()).default([]),
  settings: z.array(z.string()).default([]),
  /** Whether all are replayed, and not the first of each setting alone. */
  all: z.boolean().default(false),
  /** Folder for pictures that differ; null for none. */
  out: z.string().nullable().default(null),
  /** Name of the conventions to render and measure by; null for those that were recorded. */
  profile: z.string().nullable().default(null),
  /** Null for the kind of score that was recorded. */
  metrics: scoreKindSchema.nullable().default(null),
  /** File of LPIPS weights; null for those fetched before. */
  lpipsWeights: z.string().nullable().default(null),
  /** GLB file of a hand; null for the default hand. */
  hand: z.string().nullable().default(null),
  device: z.string(),
  skipBad: z.boolean().default(false),
  json: z.boolean().default(false),
});
export type ReplayCommandOptions = z.infer<typeof replayOptionsSchema> & { where: readonly string[] };

/**
 * Plays what the options choose again and prints what differs.
 *
 * @returns the exit code
 */
export async function replayCommand(
  openEnvironment: OpenEnvironment,
  options: ReplayCommandOptions,
  stop: AbortSignal,
): Promise<number> {
  const told = new Set<string>();
  const tell = (line: string) => {
    if (!told.has(line)) noteLine(`bench: ${line}`);
    told.add(line);
  };
  const shelf = await RecordingShelf.open(options.where, options.skipBad);
  shelf.checkNotEmpty("replay");
  const chosen = chosenKeys(shelf.keys, options, "replay");
  const sampled = !options.all && options.episodes.length === 0;
  const keys = sampled ? firstOfEachSetting(chosen) : chosen;
  shelf.unreadable.forEach(tell);
  const stages = new Stages(openEnvironment, {
    profile: options.profile,
    handNamed: options.hand !== null,
  });
  const reports: (ReplayReport | Unreadable | typeof LEFT_OUT | null)[] = keys.map(() => null);
  const pace = new Pace(keys.length);
  let next = 0;
  let skipped = 0;
  try {
    await forEachAtOnce(keys, AT_ONCE, async (key, at) => {
      if (stop.aborted) return;
      reports[at] = await replayOne(stages, shelf, key, options.out);
      // In the order of the episodes, whichever ends first.
      for (let report = reports[next]; report; report = reports[next]) {
        if (report === LEFT_OUT) skipped += 1;
        else if ("why" in report) tell(report.why);
        else printReport(report, options);
        next += 1;
      }
      showStatus(`replay: ${next} of ${keys.length} episodes${pace.after(next)}`);
    });
  } finally {
    showStatus("");
    await stages.close();
  }
  const done = reports.filter((report) => report !== null && report !== LEFT_OUT)
    .flatMap((report) => "why" in report ? [] : [report]);
  const unplayed = shelf.unreadable.length + next - skipped - done.length;
  const say = options.json ? noteLine : printLine;
  say(total(done, unplayed));
  const pictures = done.filter(({ finalPicture }) => finalPicture).length;
  if (pictures > 0) {
    noteLine(`replay: final_shadow of ${count(pictures, "episode")} is not compared; the final pose is`);
  }
  const leftOut = shelf.badRows?.total() ?? null;
  if (leftOut !== null) noteLine(`replay: ${leftOut}`);
  if (keys.length < chosen.length) {
    const settings = keys.length === 1 ? "the only setting" : `each of ${keys.length} settings`;
    noteLine(`replay: the first episode of ${settings}; --all replays all ${chosen.length}`);
  }
  if (next < keys.length) return EXIT.interrupted;
  // Where all is left out, nothing was compared.
  if (unplayed > 0 || done.length === 0) return EXIT.usage;
  return done.some(({ differences }) => differences.length > 0) ? EXIT.differences : EXIT.fine;
}

/** An episode whose files or whose task are damaged or gone, and why. */
interface Unreadable {
  why: string;
}

/** An episode with a bad row, which was told. */
const LEFT_OUT = "left out";

/** Episodes at a time: they share the device's batches. */
const AT_ONCE = 8;

function firstOfEachSetting(keys: readonly RecordingKey[]): RecordingKey[] {
  const seen = new Set<string>();
  return keys.filter(({ bench, setting }) => {
    const first = !seen.has(`${bench}/${setting}`);
    seen.add(`${bench}/${setting}`);
    return first;
  });
}

function total(reports: readonly ReplayReport[], unplayed: number): string {
  const sum = (of: (report: ReplayReport) => number) => reports.reduce((all, report) => all + of(report), 0);
  const notRun = sum((report) => report.callsNotRun);
  const calls = notRun === 0 ? "" : `; ${count(notRun, "call")} never ran and had nothing to replay`;
  const differing = sum((report) => report.differences.length > 0 ? 1 : 0);
  const verdict = reports.length === 0
    ? "nothing to compare"
    : differing === 0
    ? "no differences"
    : `${differing} ${differing === 1 ? "differs" : "differ"} (${byField(reports)})`;
  const steps = count(sum((report) => report.steps), "step");
  const rest = unplayed === 0 ? "" : `; ${unplayed} could not be replayed`;
  return `${count(reports.length, "episode")}, ${steps} ${how(reports)}: ${verdict}${calls}${rest}`;
}

function how(reports: readonly ReplayReport[]): string {
  const checked = reports.filter(({ notComparable }) => notComparable !== null).length;
  if (checked === 0) return "replayed";
  if (checked === reports.length) return "checked in the log alone";
  return `replayed, of ${count(checked, "episode")} checked in the log alone`;
}

/** How often each field differs, without the place in it, the most frequent first. */
function byField(reports: readonly ReplayReport[]): string {
  const counts = new Map<string, number>();
  for (const { field } of reports.flatMap(({ differences }) => differences)) {
    const name = field.replace(/[.[:\d].*$/, "").trim();
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1]).map(([name, times]) => `${name} ${times}×`).join(", ");
}

/** Bad data of one episode says nothing about the others; a device that fails does. */
async function replayOne(
  stages: Stages,
  shelf: RecordingShelf,
  key: RecordingKey,
  out: string | null,
): Promise<ReplayReport | Unreadable | typeof LEFT_OUT> {
  try {
    const recording = await shelf.read(key);
    if (recording === null) return LEFT_OUT;
    const stage = await stages.of(recording);
    const task = await findTask(stage, recording);
    const other = otherTask(recording, task.contentHash);
    if (other === null) {
      const onPictures = out === null ? undefined : keepPictures(out, recording.record);
      return await replayEpisode(stage.environment, stage.identity, task, recording, {
        audit: stage.audit,
        notDefault: stage.notDefault,
        onPictures,
      });
    }
    // Played again on another task, every step would differ for a reason that none of them shows.
    const now = `a task of other content under that id, from ${task.source}`;
    return {
      record: recording.record,
      notComparable: stage.audit?.why ?? null,
      notDefault: stage.notDefault,
      steps: 0,
      callsNotRun: 0,
      finalPicture: false,
      exact: recording.record.device === stage.identity.device,
      differences: [{ step: null, field: "task", recorded: other, now }],
    };
  } catch (error) {
    if (error instanceof BadRow && shelf.badRows !== null) {
      shelf.badRows.leaveOut(error);
      return LEFT_OUT;
    }
    if (error instanceof BenchError && error.exitCode === EXIT.usage) return { why: error.message };
    throw error;
  }
}

/** The id of the task where it has other content now. */
function otherTask({ record: { task_id }, run }: Recording, contentHash: string): string | null {
  return run === null || contentHash === run.options.task_hashes[task_id] ? null : task_id;
}

function printReport(report: ReplayReport, { json }: ReplayCommandOptions): void {
  const { record: { episode_id, bench, setting }, differences } = report;
  if (json) {
    printLine(jsonLine({
      kind: "replay",
      schema_version: SCHEMA_VERSION,
      episode_id,
      bench,
      setting,
      steps: report.steps,
      calls_not_run: report.callsNotRun,
      exact: report.exact,
      not_comparable: report.notComparable,
      not_default: [...report.notDefault],
      differences,
    }));
    return;
  }
  if (report.notComparable !== null) {
    const found = differences.length === 0
      ? "its log keeps all budgets and limits"
      : "its log breaks the rules:";
    printLine(`${episode_id}: ${report.notComparable}; ${found}`);
  }
  for (const difference of differences.slice(0, 1)) printLine(`${episode_id}: ${sideBySide(difference)}`);
  if (differences.length > 1) printLine(`${" ".repeat(4)}${differences.length - 1} more, --json lists them`);
}

function sideBySide({ step, field, recorded, now }: Difference): string {
  const place = `${step === null ? "end" : `step ${step}`}: ${field}`;
  return `${place}\n    recorded  ${recorded}\n    now       ${now}`;
}
