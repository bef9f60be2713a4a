/** What `eval` asks of `analysis`: the table at the end. `cli.ts` hands it over. */
import type { MetricColumn } from "../env/environment.ts";
import type { EpisodeRecord } from "../env/records.ts";

export interface Summary {
  /** The table, for people. */
  table: string;
  /** A row for each model, for `--json`. */
  rows: readonly Readonly<Record<string, unknown>>[];
  /** Mean of the first column over tasks, by `model_name`; null where no episode has it. */
  headline: Readonly<Record<string, number | null>>;
}

/** Episodes of one setting, failed ones included, to a summary. */
export type Summarize = (
  episodes: readonly EpisodeRecord[],
  columns: readonly MetricColumn[],
) => Summary;
