/** `bench replay`: recorded runs in, differences out. */
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { SCHEMA_VERSION } from "../env/records.ts";
import { globPattern } from "../tasks/glob.ts";
import { readRun, type RecordedEpisode } from "../tasks/run_reader.ts";
import { forEachAtOnce } from "./at_once.ts";
import { jsonLine } from "./json_output.ts";
import { replayEpisode, type ReplayReport } from "./replay.ts";
import { findTask, type OpenEnvironment, type Stage, Stages } from "./replay_stage.ts";
import type { Difference } from "./step_differences.ts";
import { noteLine, printLine, showStatus } from "./terminal.ts";

/** The options of the command as the command line gives them. */
export const replayOptionsSchema = z.object({
  /** Glob over episode ids; null means all. */
  episodes: z.string().nullable().default(null),
  /** Whether every difference is listed, instead of each episode's first. */
  all: z.boolean().default(false),
  /** Name of the conventions to render and measure by; null for those that each run recorded. */
  profile: z.string().nullable().default(null),
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
  const episodes = await chosenEpisodes(options);
  const stages = new Stages(openEnvironment, options.profile);
  const reports: (ReplayReport | null)[] = episodes.map(() => null);
  const done: ReplayReport[] = [];
  try {
    await forEachAtOnce(episodes, AT_ONCE, async (recorded, at) => {
      if (stop.aborted) return;
      reports[at] = await replayOne(await stages.of(recorded), recorded);
      // In the order of the folders, whichever ends first.
      for (let report = reports[done.length]; report; report = reports[done.length]) {
        done.push(report);
        printReport(report, options);
      }
      showStatus(`replay: ${done.length} of ${episodes.length} episodes`);
    });
  } finally {
    showStatus("");
    await stages.close();
  }
  const line = total(done);
  if (options.json) noteLine(line);
  else printLine(line);
  if (done.length < episodes.length) return EXIT.interrupted;
  return done.some(({ differences }) => differences.length > 0) ? EXIT.differences : EXIT.fine;
}

/** Episodes at a time: they share the device's batches. */
const AT_ONCE = 8;

function total(reports: readonly ReplayReport[]): string {
  const sum = (of: (report: ReplayReport) => number) => reports.reduce((all, report) => all + of(report), 0);
  const notRun = sum((report) => report.callsNotRun);
  const calls = notRun === 0 ? "" : `; ${count(notRun, "call")} never ran and had nothing to replay`;
  const differing = sum((report) => report.differences.length > 0 ? 1 : 0);
  const verdict = differing === 0
    ? "no differences"
    : `${differing} ${differing === 1 ? "differs" : "differ"}`;
  const steps = count(sum((report) => report.steps), "step");
  return `${count(reports.length, "episode")}, ${steps} replayed: ${verdict}${calls}`;
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

async function chosenEpisodes({ runs, episodes: glob }: ReplayCommandOptions): Promise<RecordedEpisode[]> {
  const found: RecordedEpisode[] = [];
  for (const folder of runs) {
    const { episodes, unfinished } = await readRun(folder);
    found.push(...episodes);
    if (unfinished.length > 0) {
      noteLine(`${folder}: leaves out ${unfinished.length} unfinished episodes, ${unfinished[0]} the first`);
    }
  }
  const pattern = glob === null ? null : globPattern(glob);
  const chosen = pattern === null ? found : found.filter(({ record }) => pattern.test(record.episode_id));
  if (chosen.length > 0) return chosen;
  throw new BenchError({
    what: "Cannot replay",
    why: glob === null
      ? "no episode has come to its end yet"
      : `none of ${found.length} episodes matches ${glob}`,
    fix: found.length === 0
      ? "Finish the run first"
      : `An episode's id is like ${found[0].record.episode_id}`,
  });
}

async function replayOne(stage: Stage, recorded: RecordedEpisode): Promise<ReplayReport> {
  const { record, run: { options } } = recorded;
  const source = options.task_sources[record.task_id] ?? null;
  const hash = options.task_hashes[record.task_id] ?? null;
  const task = await findTask(stage, record.task_id, source);
  if (task !== null && task.contentHash === hash) {
    return await replayEpisode(stage.environment, stage.identity, task, recorded);
  }
  // Played again on another task, every step would differ for a reason that none of them shows.
  const gone = source === null ? "no such task" : `not found; it was ${source}`;
  const now = task === null ? gone : `a task of other content under that id, from ${task.source}`;
  return {
    episode: record,
    steps: 0,
    callsNotRun: 0,
    exact: record.device === stage.identity.device,
    differences: [{ step: null, field: "task", recorded: record.task_id, now }],
  };
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
      differences: all ? differences : differences.slice(0, 1),
    }));
    return;
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
