/** Compares the record of an episode with what its turns and steps add up to now. */
import type { MetricColumn } from "../env/environment.ts";
import type { EpisodeRecord } from "../env/records.ts";
import { jsonDifference, metricThatDisagrees, numbersAgree, valueAt } from "./agreement.ts";
import { brief, type Difference } from "./difference.ts";

/** Every difference, in the order of the record's fields. */
export function compareRecords(
  was: EpisodeRecord,
  is: EpisodeRecord,
  columns: readonly MetricColumn[],
  exact: boolean,
): Difference[] {
  const differences: Difference[] = [];
  const differ = (field: string, recorded: unknown, now: unknown) =>
    differences.push({ step: null, field, recorded: brief(recorded), now: brief(now) });
  for (const field of IDENTICAL) {
    const place = jsonDifference(was[field], is[field]);
    if (place !== null) differ(field + place, valueAt(was[field], place), valueAt(is[field], place));
  }
  for (const field of ["score", "reward"] as const) {
    if (!numbersAgree(was[field], is[field], columns[0].digits, exact)) differ(field, was[field], is[field]);
  }
  const metric = metricThatDisagrees(was.metrics, is.metrics, columns, exact);
  if (metric !== null) differ(`metric ${metric}`, was.metrics[metric], is.metrics[metric]);
  // What an environment did in the call that broke it is nowhere recorded.
  const ended = was.status === "complete" ? ["budget_used", "final_state"] as const : [];
  for (const field of exact ? [...ended, "details"] as const : ended) {
    const place = jsonDifference(was[field], is[field]);
    if (place !== null) differ(field + place, valueAt(was[field], place), valueAt(is[field], place));
  }
  return differences;
}

/** All fields but wall time, the device, and those that may differ a little on another one. */
const IDENTICAL = [
  "episode_id",
  "bench",
  "model_name",
  "task_id",
  "setting",
  "protocol",
  "run",
  "effort_subset",
  "status",
  "ended_by",
  "error",
  "score_kind",
  "steps",
  "calls",
  "tool_calls",
  "refusals",
  "calls_not_run",
  "curve",
  "plans",
  "closing_message",
  "usage",
  "cost_usd",
  "context_compacted",
  "env_fingerprint",
  "profile_hash",
] as const;
