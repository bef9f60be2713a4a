/** The `leaderboard` config: a row for each model in each setting, and ShadowBench's references. */
import type { z } from "zod";
import { SCHEMA_VERSION } from "../env/records.ts";
import type { SHADOW_TABLES } from "../tasks/shadow_tables.ts";
import { componentMean, COMPONENTS, peeks } from "./shadow/components.ts";
import { REFERENCE_SETTING } from "./settings.ts";
import type { TableContext } from "./tables/context.ts";
import { byReference } from "./tables/reference_table.ts";
import type { SettingRow } from "./tables/settings_table.ts";

/** SplatBench's rows leave ShadowBench's columns out. */
export type LeaderboardRow = z.output<typeof SHADOW_TABLES.leaderboard.schema>;

/** Rows without a score are left out. */
export function leaderboardRows(context: TableContext, settings: readonly SettingRow[]): LeaderboardRow[] {
  const models = settings.flatMap((row) => modelRow(row, context) ?? []);
  return context.bench === "shadow" ? [...models, ...referenceRows(context)] : models;
}

function modelRow(row: SettingRow, { bench, scoreKind }: TableContext): LeaderboardRow | null {
  const { score, against, episodes } = row;
  if (score === null) return null;
  return {
    schema_version: SCHEMA_VERSION,
    model_name: row.model,
    setting: row.setting,
    score: score.mean,
    score_kind: scoreKind,
    ...bounds("score", score),
    episodes: episodes.length,
    tasks: row.tasks,
    ...given("cost_usd", row.costUsd),
    ...given("seconds", row.minutes === null ? null : 60 * row.minutes),
    ...(against === null ? {} : {
      reference_setting: REFERENCE_SETTING,
      ...given("reference_score", against.score),
      ...given("gain", against.gain?.mean ?? null),
      ...(against.gain === null ? {} : bounds("gain", against.gain)),
      better_on: against.better.count,
    }),
    ...(bench !== "shadow" ? {} : {
      ...Object.assign({}, ...COMPONENTS.map((key) => given(key, componentMean(episodes, key)))),
      ...given("peeks", peeks(episodes)),
    }),
  };
}

function referenceRows({ references, interval, scoreKind }: TableContext): LeaderboardRow[] {
  return byReference(references ?? new Map()).flatMap(([name, scores]): LeaderboardRow[] => {
    const score = interval(scores);
    return score === null ? [] : [{
      schema_version: SCHEMA_VERSION,
      model_name: name,
      score: score.mean,
      score_kind: scoreKind,
      ...bounds("score", score),
      tasks: scores.length,
    }];
  });
}

/** A column that is absent where there is no value. */
function given<Key extends string>(key: Key, value: number | null): Partial<Record<Key, number>>;
function given(key: string, value: number | null): Record<string, number> {
  return value === null ? {} : { [key]: value };
}

function bounds<Key extends string>(
  key: Key,
  interval: { low: number | null; high: number | null },
): Partial<Record<`${Key}_low` | `${Key}_high`, number>>;
function bounds(key: string, { low, high }: { low: number | null; high: number | null }) {
  return { ...given(`${key}_low`, low), ...given(`${key}_high`, high) };
}
