/** What `eval` asks of `analysis`: the table at the end. `cli.ts` hands it over. */
import type { MetricColumn } from "../env/environment.ts";
import type { EpisodeRecord } from "../env/records.ts";
import type { SummaryLine } from "./json_output.ts";

export interface Summary {
  /** The table, for people. */
  table: string;
  /** A row for each model: a `--json` line without `missing_episodes`. */
  rows: readonly Omit<SummaryLine, "missing_episodes">[];
  /** Mean of the first column over tasks, by `model_name`; null where no episode has it. */
  headline: Readonly<Record<string, number | null>>;
}

/** Episodes of one setting, failed ones included, to a summary. */
export type Summarize = (
  episodes: readonly EpisodeRecord[],
  columns: readonly MetricColumn[],
) => Summary;
