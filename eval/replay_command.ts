/** `bench replay`: recorded runs in, differences out. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { SCHEMA_VERSION, scoreKindSchema } from "../env/records.ts";
import { globPattern } from "../tasks/glob.ts";
import { readRun, type RecordedEpisode, type RecordedRun } from "../tasks/run_reader.ts";
import { forEachAtOnce } from "./at_once.ts";
import { jsonLine } from "./json_output.ts";
import { auditEpisode, replayEpisode, type ReplayReport } from "./replay.ts";
import { findTask, type OpenEnvironment, Stages } from "./replay_stage.ts";
import type { Difference } from "./difference.ts";
import { noteLine, printLine, showStatus } from "./terminal.ts";

/** The options of the command as the command line gives them. */
export const replayOptionsSchema = z.object({
  /** Glob over episode ids; null means all. */
  episodes: z.string().nullable().default(null),
  /** Whether every difference is listed, instead of each episode's first. */
  all: z.boolean().default(false),
  /** Name of the conventions to render and measure by; null for those that each run recorded. */
  profile: z.string().nullable().default(null),
  /** Null for the kind of score that each run recorded. */
  metrics: scoreKindSchema.nullable().default(null),
  /** File of LPIPS weights; null for those fetched before. */
  lpipsWeights: z.string().nullable().default(null),
  /** GLB file of a hand; null for the default hand. */
  hand: z.string().nullable().default(null),
  device: z.string(),
  json: z.boolean().default(false),
});
export type ReplayCommandOptions = z.infer<typeof replayOptionsSchema> & { runs: readonly string[] };

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
  const { episodes, unreadable } = await chosenEpisodes(options);
  const stages = new Stages(openEnvironment, options.profile);
  const reports: (ReplayReport | Unreadable | null)[] = episodes.map(() => null);
  const told = new Set<string>();
  const tell = (line: string) => {
    if (!told.has(line)) noteLine(`bench: ${line}`);
    told.add(line);
  };
  unreadable.forEach(tell);
  let next = 0;
  try {
    await forEachAtOnce(episodes, AT_ONCE, async (recorded, at) => {
      if (stop.aborted) return;
      reports[at] = await replayOne(stages, recorded);
      // In the order of the folders, whichever ends first.
      for (let report = reports[next]; report; report = reports[next]) {
        if ("why" in report) tell(report.why);
        else printReport(report, options);
        next += 1;
      }
      showStatus(`replay: ${next} of ${episodes.length} episodes`);
    });
  } finally {
    showStatus("");
    await stages.close();
  }
  const done = reports.flatMap((report) => report === null || "why" in report ? [] : [report]);
  const unplayed = unreadable.length + next - done.length;
  const line = total(done, unplayed);
  if (options.json) noteLine(line);
  else printLine(line);
  if (next < episodes.length) return EXIT.interrupted;
  if (unplayed > 0) return EXIT.usage;
  return done.some(({ differences }) => differences.length > 0) ? EXIT.differences : EXIT.fine;
}

/** An episode whose files or whose task are damaged or gone, and why. */
interface Unreadable {
  why: string;
}

/** Episodes at a time: they share the device's batches. */
const AT_ONCE = 8;

function total(reports: readonly ReplayReport[], unplayed: number): string {
  const sum = (of: (report: ReplayReport) => number) => reports.reduce((all, report) => all + of(report), 0);
  const notRun = sum((report) => report.callsNotRun);
  const calls = notRun === 0 ? "" : `; ${count(notRun, "call")} never ran and had nothing to replay`;
  const differing = sum((report) => report.differences.length > 0 ? 1 : 0);
  const verdict = reports.length === 0
    ? "nothing to compare"
    : differing === 0
    ? "no differences"
    : `${differing} ${differing === 1 ? "differs" : "differ"}`;
  const steps = count(sum((report) => report.steps), "step");
  const audited = sum((report) => report.notComparable === null ? 0 : 1);
  const rest = [
    audited === 0 ? "" : `; of ${audited} the log alone was checked`,
    unplayed === 0 ? "" : `; ${unplayed} could not be replayed`,
  ].join("");
  return `${count(reports.length, "episode")}, ${steps} replayed: ${verdict}${calls}${rest}`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

async function chosenEpisodes(
  { runs, episodes: glob }: ReplayCommandOptions,
): Promise<Pick<RecordedRun, "episodes" | "unreadable">> {
  // A folder may be named twice, or with one above it.
  const found = new Map<string, RecordedEpisode>();
  const unreadable = new Set<string>();
  for (const folder of runs) {
    const run = await readRun(folder);
    for (const episode of run.episodes) found.set(episode.folder, episode);
    for (const why of run.unreadable) unreadable.add(why);
    const { length } = run.unfinished;
    if (length > 0) {
      noteLine(
        `${folder}: leaves out ${count(length, "unfinished episode")}, ${run.unfinished[0]} the first`,
      );
    }
  }
  const pattern = glob === null ? null : globPattern(glob);
  const episodes = [...found.values()].filter(({ record }) => pattern?.test(record.episode_id) ?? true);
  if (episodes.length + unreadable.size > 0) return { episodes, unreadable: [...unreadable] };
  const [first] = found.values();
  throw new BenchError({
    what: "Cannot replay",
    why: first === undefined
      ? "no episode has come to its end yet"
      : `none of ${count(found.size, "episode")} matches ${glob}`,
    fix: first === undefined ? "Finish the run first" : `An episode's id is like ${first.record.episode_id}`,
  });
}

/** Bad data of one episode says nothing about the others; a device that fails does. */
async function replayOne(stages: Stages, recorded: RecordedEpisode): Promise<ReplayReport | Unreadable> {
  const { record, run: { options } } = recorded;
  const id = record.task_id;
  try {
    const stage = await stages.of(recorded);
    if (stage.audit !== null) return await auditEpisode(stage.audit, recorded);
    const task = await findTask(stage, id, options.task_sources[id] ?? null);
    if (task.contentHash === options.task_hashes[id]) {
      return await replayEpisode(stage.environment, stage.identity, task, recorded);
    }
    // Played again on another task, every step would differ for a reason that none of them shows.
    const now = `a task of other content under that id, from ${task.source}`;
    return {
      episode: record,
      notComparable: null,
      steps: 0,
      callsNotRun: 0,
      exact: record.device === stage.identity.device,
      differences: [{ step: null, field: "task", recorded: id, now }],
    };
  } catch (error) {
    if (error instanceof BenchError && error.exitCode === EXIT.usage) return { why: error.message };
    throw error;
  }
}

function printReport(report: ReplayReport, { all, json }: ReplayCommandOptions): void {
  const { episode, differences } = report;
  if (json) {
    printLine(jsonLine({
      kind: "replay",
      schema_version: SCHEMA_VERSION,
      episode_id: episode.episode_id,
      bench: episode.bench,
      setting: episode.setting,
      steps: report.steps,
      calls_not_run: report.callsNotRun,
      exact: report.exact,
      not_comparable: report.notComparable,
      differences: all ? differences : differences.slice(0, 1),
    }));
    return;
  }
  if (report.notComparable !== null) {
    const found = differences.length === 0
      ? "its log keeps all budgets and limits"
      : "its log breaks the rules:";
    printLine(`${episode.episode_id}: ${report.notComparable}; ${found}`);
  }
  for (const difference of all ? differences : differences.slice(0, 1)) {
    printLine(`${episode.episode_id}: ${inWords(difference)}`);
  }
  if (!all && differences.length > 1) {
    printLine(`${episode.episode_id}: ${differences.length - 1} more, --all lists them`);
  }
}

function inWords({ step, field, recorded, now }: Difference): string {
  return `${step === null ? "end" : `step ${step}`}: ${field}: recorded ${recorded}, now ${now}`;
}
