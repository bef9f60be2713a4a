/** Compares the record of an episode with what its turns and steps add up to now. */
import type { MetricColumn } from "../env/environment.ts";
import type { EpisodeRecord } from "../env/records.ts";
import {
  isRounded,
  jsonDifference,
  metricThatDisagrees,
  numbersAgree,
  roundsTo,
  valueAt,
} from "./agreement.ts";
import { brief, type Difference } from "./difference.ts";
import { sameKeys } from "./step_differences.ts";

export interface RecordComparison {
  was: Partial<EpisodeRecord>;
  is: EpisodeRecord;
  columns: readonly MetricColumn[];
  /** Whether everything must be identical: the device is the one that recorded it. */
  exact: boolean;
  /** Whether the recorded state has all its parts and digits. */
  whole: boolean;
  /** Whether the model's turns were played again, and not the calls of its steps alone. */
  turns: boolean;
}

/** Every difference, in the order of the record's fields; columns that are not recorded are not compared. */
export function compareRecords({ was, is, columns, exact, whole, turns }: RecordComparison): Difference[] {
  const differences: Difference[] = [];
  const differ = (field: string, recorded: unknown, now: unknown) =>
    differences.push({ step: null, field, recorded: brief(recorded), now: brief(now) });
  const rounded = !whole && isRounded(was.final_state);
  const agree = (a: unknown, b: unknown) =>
    rounded && typeof a === "number" && typeof b === "number" && roundsTo(a, b);
  const compare = (field: keyof EpisodeRecord, recorded: unknown, now: unknown) => {
    const place = recorded === undefined ? null : jsonDifference(recorded, now, agree);
    if (place !== null) differ(field + place, valueAt(recorded, place), valueAt(now, place));
  };
  for (const field of turns ? [...OF_STEPS, ...OF_TURNS] : OF_STEPS) {
    compare(field, was[field], is[field]);
  }
  for (const field of ["score", "reward"] as const) {
    const recorded = was[field];
    if (recorded === undefined) continue;
    if (!numbersAgree(recorded, is[field], columns[0].digits, exact, rounded)) {
      differ(field, recorded, is[field]);
    }
  }
  const metric = was.metrics === undefined
    ? null
    : metricThatDisagrees(was.metrics, is.metrics, columns, exact, rounded);
  if (metric !== null) differ(`metric ${metric}`, was.metrics?.[metric], is.metrics[metric]);
  // What an environment did in the call that broke it is nowhere recorded.
  if ((was.status ?? "complete") !== "complete") return differences;
  compare("budget_used", was.budget_used, is.budget_used);
  compare("final_state", was.final_state, whole ? is.final_state : sameKeys(was.final_state, is.final_state));
  // Others may have added to the details since, as `rescore --shape` does.
  if (exact && was.details !== undefined) compare("details", sameKeys(is.details, was.details), is.details);
  return differences;
}

/** Fields that follow from the steps; hidden metrics in them are compared with those that the steps record. */
const OF_STEPS = [
  "episode_id",
  "bench",
  "model_name",
  "task_id",
  "setting",
  "protocol",
  "run",
  "effort_subset",
  "status",
  "score_kind",
  "steps",
  "calls",
  "tool_calls",
  "refusals",
  "curve",
  "plans",
  "env_fingerprint",
  "profile_hash",
] as const;

/** Fields that follow from the model's turns. */
const OF_TURNS = [
  "ended_by",
  "error",
  "calls_not_run",
  "closing_message",
  "usage",
  "cost_usd",
  "context_compacted",
] as const;
