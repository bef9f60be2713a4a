/** From episodes to one row a model and setting: means with intervals over tasks, effort, cost and time. */
import type { MetricColumn } from "../env/environment.ts";
import { type EpisodeRecord, SCHEMA_VERSION, type ScoreKind } from "../env/records.ts";
import { bootstrapper, type BootstrapRecipe, DEFAULT_RECIPE, type Interval } from "./bootstrap.ts";
import { mean } from "./numpy_math.ts";

/** What a summary needs of an episode; an `EpisodeRecord` has it all. */
export type SummaryEpisode = Pick<
  EpisodeRecord,
  | "bench"
  | "model_name"
  | "setting"
  | "task_id"
  | "run"
  | "status"
  | "score"
  | "score_kind"
  | "metrics"
  | "calls"
  | "budget_used"
  | "refusals"
  | "cost_usd"
  | "seconds"
>;

/** A mean with its 95% interval; of a single task there is none, since resampling it tells nothing. */
export interface MeanOverTasks {
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
}

/** A metric's mean over tasks; a task's value is the mean over its runs. */
export interface MetricSummary {
  readonly column: MetricColumn;
  /** Null when no episode has a value. */
  readonly interval: MeanOverTasks | null;
  /** Tasks that have a value. */
  readonly tasks: number;
  /** Complete episodes without a value, left out. */
  readonly missing: number;
}

/** The episodes of one model in one setting, scored in one way. Means are over complete episodes. */
export interface SummaryRow {
  readonly bench: string;
  readonly modelName: string;
  readonly setting: string;
  readonly scoreKind: ScoreKind;
  /** All of them, those that failed for infrastructure reasons (`errors`) included. */
  readonly episodes: number;
  readonly errors: number;
  /** Tasks with a complete episode, sorted. */
  readonly taskIds: readonly string[];
  /** In the order of the columns; the first is the headline. */
  readonly metrics: readonly MetricSummary[];
  readonly calls: number | null;
  /** Renders (SplatBench) or looks (ShadowBench) an episode; null where there is no such budget. */
  readonly renders: number | null;
  readonly refused: number | null;
  /** US dollars an episode; null when unknown for any of them. */
  readonly costUsd: number | null;
  readonly seconds: number | null;
}

/**
 * One row for each model, setting and kind of score, best headline first, rows without a headline last, ties by name.
 * The order of the episodes does not matter: tasks are resampled in the order of their ids.
 */
export function summarizeEpisodes(
  episodes: readonly SummaryEpisode[],
  columns: readonly MetricColumn[],
  recipe: BootstrapRecipe = DEFAULT_RECIPE,
): SummaryRow[] {
  const interval = bootstrapper(recipe);
  const ordered = [...episodes].sort((a, b) =>
    byText(a.bench, b.bench) || byText(a.model_name, b.model_name) || byText(a.setting, b.setting) ||
    byText(a.score_kind, b.score_kind) || byText(a.task_id, b.task_id) || a.run - b.run
  );
  const groups = groupBy(
    ordered,
    (episode) => [episode.bench, episode.model_name, episode.setting, episode.score_kind].join("\u0000"),
  );
  return [...groups.values()].map((group) => summarize(group, columns, interval)).sort(byHeadline);
}

/** What `--json` prints of a row, one object a line: finite numbers and nulls only. */
export function summaryToJson(row: SummaryRow) {
  return {
    schema_version: SCHEMA_VERSION,
    kind: "summary" as const,
    bench: row.bench,
    model_name: row.modelName,
    setting: row.setting,
    score_kind: row.scoreKind,
    episodes: row.episodes,
    errors: row.errors,
    tasks: row.taskIds.length,
    /** By key of the metric; `low` and `high` are the 95% interval, null for one task; `missing` counts complete episodes. */
    metrics: Object.fromEntries(
      row.metrics.map(({ column, interval, tasks, missing }) => [column.key, {
        mean: interval?.mean ?? null,
        low: interval?.low ?? null,
        high: interval?.high ?? null,
        tasks,
        missing,
      }]),
    ),
    calls: row.calls,
    renders: row.renders,
    refused: row.refused,
    cost_usd: row.costUsd,
    seconds: row.seconds,
  };
}

function summarize(
  group: readonly SummaryEpisode[],
  columns: readonly MetricColumn[],
  interval: (taskMeans: readonly number[]) => Interval,
): SummaryRow {
  const complete = group.filter((episode) => episode.status === "complete");
  const [{ bench, model_name, setting, score_kind }] = group;
  return {
    bench,
    modelName: model_name,
    setting,
    scoreKind: score_kind,
    episodes: group.length,
    errors: group.length - complete.length,
    taskIds: [...new Set(complete.map((episode) => episode.task_id))].sort(byText),
    metrics: columns.map((column) => summarizeMetric(complete, column, interval)),
    calls: meanOrNull(complete, (episode) => episode.calls),
    renders: meanOrNull(complete, ({ budget_used }) => budget_used.renders ?? budget_used.looks ?? null),
    refused: meanOrNull(
      complete,
      ({ refusals }) => Object.values(refusals).reduce((sum, count) => sum + count, 0),
    ),
    costUsd: meanOrNull(complete, (episode) => episode.cost_usd),
    seconds: meanOrNull(complete, (episode) => episode.seconds),
  };
}

function summarizeMetric(
  episodes: readonly SummaryEpisode[],
  column: MetricColumn,
  interval: (taskMeans: readonly number[]) => Interval,
): MetricSummary {
  const measured = episodes.flatMap((episode) => {
    const value = column.key === "score" ? episode.score : episode.metrics[column.key] ?? null;
    return value === null || !Number.isFinite(value) ? [] : [{ task: episode.task_id, value }];
  });
  const taskMeans = [...groupBy(measured, ({ task }) => task).values()]
    .map((runs) => mean(runs.map(({ value }) => value)));
  // Drawn for a single task, too: a recipe may have all intervals take turns at one generator.
  const drawn = taskMeans.length > 0 ? interval(taskMeans) : null;
  return {
    column,
    interval: drawn !== null && taskMeans.length === 1 ? { ...drawn, low: null, high: null } : drawn,
    tasks: taskMeans.length,
    missing: episodes.length - measured.length,
  };
}

/** The mean over episodes, null when there is none or one of them has no value. */
function meanOrNull(
  episodes: readonly SummaryEpisode[],
  valueOf: (episode: SummaryEpisode) => number | null,
): number | null {
  const values = episodes.flatMap((episode) => valueOf(episode) ?? []).filter(Number.isFinite);
  return values.length === 0 || values.length < episodes.length ? null : mean(values);
}

function byHeadline(a: SummaryRow, b: SummaryRow): number {
  const [first, second] = [a.metrics.at(0)?.interval?.mean, b.metrics.at(0)?.interval?.mean];
  if (first === undefined || second === undefined) {
    return Number(first === undefined) - Number(second === undefined);
  }
  return a.metrics[0].column.higherIsBetter ? second - first : first - second;
}

/** Groups in the order of their first entries. */
function groupBy<Entry>(entries: readonly Entry[], keyOf: (entry: Entry) => string): Map<string, Entry[]> {
  const groups = new Map<string, Entry[]>();
  for (const entry of entries) {
    const group = groups.get(keyOf(entry));
    if (group) group.push(entry);
    else groups.set(keyOf(entry), [entry]);
  }
  return groups;
}

/** Code-unit order: the same on every machine, and Python's for the ids there are. */
function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
