/** From recorded rows to every table of a benchmark: pure, the same rows give the same tables. */
import { type ScoreKind, scoreKindSchema } from "../env/records.ts";
import type { BenchId } from "../tasks/tables.ts";
import type { BootstrapRecipe } from "./bootstrap.ts";
import { type LeaderboardRow, leaderboardRows } from "./leaderboard_rows.ts";
import type { PlayedEpisode } from "./played_episode.ts";
import { isTable, type Omission, type ResultTable } from "./result_table.ts";
import { type FindingDefinitions, FINDINGS } from "./shadow/definitions.ts";
import { shadowTables } from "./shadow/shadow_tables.ts";
import type { StepFacts } from "./shadow/step_facts.ts";
import { splatTables } from "./splat/splat_tables.ts";
import type { References, TableContext } from "./tables/context.ts";
import { type ScoreCurve, scoreCurves } from "./tables/curves.ts";
import { type SettingRow, settingRows } from "./tables/settings_table.ts";
import { intervalOf } from "./task_means.ts";

export interface AnalysisInput {
  readonly bench: BenchId;
  /** In order, as `playedEpisodes` gives them. */
  readonly episodes: readonly PlayedEpisode[];
  /** By kind of score; empty without a table of tasks. */
  readonly references: ReadonlyMap<ScoreKind, References>;
  readonly titles: ReadonlyMap<string, string>;
  /** ShadowBench's; null without a table of steps. */
  readonly steps: StepFacts | null;
}

/** All that is made of the episodes scored in one way. */
export interface Analysis {
  readonly bench: BenchId;
  readonly scoreKind: ScoreKind;
  readonly tables: readonly ResultTable[];
  /** Tables that these data do not give. */
  readonly omissions: readonly Omission[];
  /** Rows of the `leaderboard` config. */
  readonly leaderboard: readonly LeaderboardRow[];
  readonly settings: readonly SettingRow[];
  readonly curves: readonly ScoreCurve[];
}

/** One analysis for each kind of score there is, full ones first; none for no episode. */
export function analyze(
  { bench, episodes, references, titles, steps }: AnalysisInput,
  { recipe, definitions = FINDINGS }: { recipe?: BootstrapRecipe; definitions?: FindingDefinitions } = {},
): Analysis[] {
  return scoreKindSchema.options.flatMap((scoreKind): Analysis[] => {
    const own = episodes.filter((episode) => episode.scoreKind === scoreKind);
    if (own.length === 0) return [];
    const context: TableContext = {
      bench,
      scoreKind,
      episodes: own,
      interval: intervalOf(recipe),
      references: references.get(scoreKind) ?? null,
    };
    const settings = settingRows(context);
    const results = bench === "splat"
      ? splatTables(context, settings)
      : shadowTables({ ...context, definitions, steps, titles }, settings);
    return [{
      bench,
      scoreKind,
      tables: results.filter(isTable),
      omissions: results.flatMap((result) => isTable(result) ? [] : [result]),
      leaderboard: leaderboardRows(context, settings),
      settings,
      curves: scoreCurves(context),
    }];
  });
}
