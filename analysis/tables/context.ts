/** What the tables of one benchmark and one kind of score are made from. */
import type { ScoreKind } from "../../env/records.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import type { IntervalOf } from "../task_means.ts";

/** Scores of fixed points, by task and name. */
export type References = ReadonlyMap<string, Readonly<Record<string, number>>>;

export interface TableContext {
  readonly bench: string;
  readonly scoreKind: ScoreKind;
  /** In order; failed ones too. */
  readonly episodes: readonly PlayedEpisode[];
  readonly interval: IntervalOf;
  /** Null without a table of tasks. */
  readonly references: References | null;
}

/** Better first, those without a value last; ties keep their order. */
export function descending<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => number | null | undefined,
): Row[] {
  return [...rows].sort((a, b) => (valueOf(b) ?? -Infinity) - (valueOf(a) ?? -Infinity) || 0);
}
