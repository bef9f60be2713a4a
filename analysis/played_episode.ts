/** What the tables need of an episode, from a row of either benchmark's `episodes`. */
import type { EndedBy, Metrics, ScoreKind } from "../env/records.ts";
import type { EpisodeRow } from "../tasks/data_rows.ts";
import type { PoseRow } from "../tasks/shadow_rows.ts";

/** The columns read; no scene and no picture. */
export const PLAYED_COLUMNS = [
  ...["episode_id", "model_name", "setting", "task_id", "status", "score", "score_kind", "metrics"] as const,
  ...["cost_usd", "seconds", "output_tokens", "steps", "calls", "ended_by", "budget_used"] as const,
  ...["tool_calls", "refusals", "calls_not_run", "context_compacted", "curve", "details"] as const,
  "final_pose",
] as const;
export type PlayedRow = Pick<EpisodeRow, (typeof PLAYED_COLUMNS)[number]>;

type Counts = Readonly<Record<string, number>>;

export interface CurvePoint {
  readonly step: number;
  readonly score: number | null;
  readonly metrics: Metrics;
}

/** Null where the table lacks the column; a failed episode has no score. */
export interface PlayedEpisode {
  readonly bench: string;
  readonly id: string;
  readonly model: string;
  readonly setting: string;
  readonly task: string;
  /** Whether it came to its end; no figure but the count of failures takes in one that did not. */
  readonly complete: boolean;
  readonly score: number | null;
  readonly scoreKind: ScoreKind;
  readonly metrics: Metrics;
  readonly costUsd: number | null;
  readonly seconds: number | null;
  readonly outputTokens: number | null;
  readonly steps: number | null;
  /** Calls that ran. */
  readonly calls: number | null;
  readonly endedBy: EndedBy | null;
  readonly budgetUsed: Counts | null;
  readonly toolCalls: Counts | null;
  readonly refusals: Counts | null;
  readonly callsNotRun: Counts | null;
  readonly contextCompacted: boolean | null;
  readonly curve: readonly CurvePoint[] | null;
  readonly details: Readonly<Record<string, unknown>>;
  /** Shadow's final pose. */
  readonly pose: PoseRow | null;
}

/**
 * Episodes in the order every table takes them: by model, setting, task, then id.
 *
 * @param rows with their setting, which is the split they come from where they do not name it
 */
export function playedEpisodes(
  bench: string,
  rows: Iterable<PlayedRow & { readonly setting: string }>,
): PlayedEpisode[] {
  return inOrder(Array.from(rows, (row) => played(bench, row)));
}

export function inOrder(episodes: readonly PlayedEpisode[]): PlayedEpisode[] {
  return [...episodes].sort((a, b) =>
    byText(a.model, b.model) || byText(a.setting, b.setting) || byText(a.task, b.task) || byText(a.id, b.id)
  );
}

/** Code-unit order: the same on every machine, and Python's for the ids there are. */
export function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function played(bench: string, row: PlayedRow & { readonly setting: string }): PlayedEpisode {
  const score = row.score !== null && Number.isFinite(row.score) ? row.score : null;
  return {
    bench,
    id: row.episode_id,
    model: row.model_name,
    setting: row.setting,
    task: row.task_id,
    complete: row.status === undefined ? score !== null : row.status === "complete",
    score,
    scoreKind: row.score_kind ?? "full",
    metrics: row.metrics ?? {},
    costUsd: row.cost_usd,
    seconds: row.seconds ?? null,
    outputTokens: row.output_tokens ?? null,
    steps: row.steps ?? null,
    calls: row.calls ?? null,
    endedBy: row.ended_by ?? null,
    budgetUsed: row.budget_used ?? null,
    toolCalls: row.tool_calls ?? null,
    refusals: row.refusals ?? null,
    callsNotRun: row.calls_not_run ?? null,
    contextCompacted: row.context_compacted ?? null,
    curve: row.curve ?? null,
    details: row.details ?? {},
    pose: row.final_pose ?? null,
  };
}
