/** `bench baselines`: scores the named fixed points of each task, and compares them with recorded ones. */
import { z } from "zod";
import type { EnvironmentDefinition, TaskInfo } from "../env/environment.ts";
import { EXIT } from "../env/errors.ts";
import { type Metrics, SCHEMA_VERSION, scoreKindSchema } from "../env/records.ts";
import { forEachAtOnce } from "./at_once.ts";
import { jsonLine } from "./json_output.ts";
import { noteLine, printLine, showStatus } from "./terminal.ts";

/** The options of the command as the command line gives them. */
export const baselinesOptionsSchema = z.object({
  tasks: z.array(z.string()).default([]),
  /** Data set whose tasks are meant; absent for the embedded ones. */
  data: z.string().optional(),
  profile: z.string().nullable().default(null),
  /** Null for what is possible. */
  metrics: scoreKindSchema.nullable().default(null),
  lpipsWeights: z.string().nullable().default(null),
  /** GLB file of a hand; null for the default hand. */
  hand: z.string().nullable().default(null),
  device: z.string(),
  /** Of the blind search among ShadowBench's baselines. */
  evaluations: z.number().int().nonnegative(),
  seed: z.number().int(),
  json: z.boolean().default(false),
});
export type BaselinesCommandOptions = z.infer<typeof baselinesOptionsSchema>;

/** One fixed point of one task. */
export interface BaselineRow {
  taskId: string;
  baseline: string;
  score: number | null;
  metrics: Metrics;
  /** The score that the task's own table records, of the same kind; null where it has none. */
  recorded: number | null;
}

/** The mean of a fixed point over the tasks that have it. */
export interface BaselineMean {
  baseline: string;
  tasks: number;
  /** Over the tasks that have a score; null where none has. */
  score: number | null;
  metrics: Metrics;
}

/** What `analysis` makes of the rows: the tables for people. `cli.ts` hands it over. */
export type BaselineTables = (
  rows: readonly BaselineRow[],
  means: readonly BaselineMean[],
  columns: EnvironmentDefinition["columns"],
) => string;

/** Recorded scores are given to a hundredth; renderers that agree differ by less than this. */
const AGREES_WITHIN = 0.05;
/** Tasks at a time, all of a benchmark's own: they share the device's batches. */
const AT_ONCE = 20;

/**
 * Scores every baseline of the tasks that the options choose, and prints them.
 *
 * @returns the exit code: 1 when a recorded score differs
 */
export async function baselinesCommand(
  environment: EnvironmentDefinition,
  { tasks: selectors, json }: BaselinesCommandOptions,
  tables: BaselineTables,
  stop: AbortSignal,
): Promise<number> {
  const tasks = await environment.findTasks(selectors);
  const byTask: BaselineRow[][] = tasks.map(() => []);
  let done = 0;
  await forEachAtOnce([...tasks.entries()], AT_ONCE, async ([at, task]) => {
    if (stop.aborted) return;
    byTask[at] = await scoreBaselines(environment, task, stop);
    showStatus(`${environment.title}: baselines of ${++done} of ${tasks.length} tasks`);
  });
  showStatus("");
  if (stop.aborted) return EXIT.interrupted;
  const rows = byTask.flat();
  const means = meansOf(rows);
  if (json) printJson(environment, rows, means);
  else printLine(tables(rows, means, environment.columns));
  return compare(environment, rows);
}

async function scoreBaselines(
  environment: EnvironmentDefinition,
  task: TaskInfo,
  stop: AbortSignal,
): Promise<BaselineRow[]> {
  const named = await Promise.all(
    Object.entries(environment.baselines).map(async ([name, state]) => ({
      name,
      state: await state(task, stop),
    })),
  );
  const present = named.filter(({ state }) => state !== null);
  const scored = await environment.scoreStates(task, present.map(({ state }) => state));
  return scored.map(({ score, metrics }, at) => {
    const baseline = present[at].name;
    const recorded = recordedScore(task, baseline, metrics);
    return { taskId: task.id, baseline, score, metrics, recorded };
  });
}

/** Only scores that are made of the same metrics stand beside each other. */
function recordedScore({ baselines }: TaskInfo, name: string, metrics: Metrics): number | null {
  const recorded = baselines?.[name];
  if (recorded === undefined) return null;
  const keys = (of: Metrics) => Object.keys(of).sort().join();
  return keys(recorded.metrics) === keys(metrics) ? recorded.score : null;
}

function meansOf(rows: readonly BaselineRow[]): BaselineMean[] {
  return [...Map.groupBy(rows, ({ baseline }) => baseline)].map(([baseline, own]) => {
    const scores = own.flatMap(({ score }) => score ?? []);
    const names = Object.keys(own[0].metrics);
    return {
      baseline,
      tasks: own.length,
      score: scores.length === 0 ? null : mean(scores),
      metrics: Object.fromEntries(names.map((name) => [name, mean(own.map(({ metrics }) => metrics[name]))])),
    };
  });
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function printJson(
  { id, scoreKind }: EnvironmentDefinition,
  rows: readonly BaselineRow[],
  means: readonly BaselineMean[],
): void {
  const common = { schema_version: SCHEMA_VERSION, bench: id, score_kind: scoreKind } as const;
  for (const { taskId, ...row } of rows) {
    printLine(jsonLine({ kind: "baseline", ...common, task_id: taskId, ...row }));
  }
  for (const row of means) printLine(jsonLine({ kind: "baseline_mean", ...common, ...row }));
}

function compare({ title }: EnvironmentDefinition, rows: readonly BaselineRow[]): number {
  const recorded = rows.filter((row) => row.recorded !== null);
  if (recorded.length === 0) return EXIT.fine;
  const differing = recorded.filter(({ score, recorded }) =>
    score === null || recorded === null || !(Math.abs(score - recorded) <= AGREES_WITHIN)
  );
  for (const { taskId, baseline, score, recorded } of differing) {
    noteLine(`${taskId}, ${baseline}: recorded ${recorded?.toFixed(2)}, now ${score?.toFixed(2) ?? "none"}`);
  }
  noteLine(`${title}: ${recorded.length - differing.length} of ${recorded.length} recorded scores agree`);
  return differing.length > 0 ? EXIT.differences : EXIT.fine;
}
