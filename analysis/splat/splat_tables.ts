/** Every table of SplatBench. */
import { resultTable, type TableOrOmission } from "../result_table.ts";
import { REFERENCE_SETTING, settingTitle } from "../settings.ts";
import { bestEpisodes } from "../tables/best_episodes.ts";
import { budgetUse, refusalCounts, toolUse } from "../tables/budget_use.ts";
import type { TableContext } from "../tables/context.ts";
import { curveTable, scoreCurves } from "../tables/curves.ts";
import { dataCounts } from "../tables/data_counts.ts";
import { effortTable } from "../tables/effort_table.ts";
import { gainTable } from "../tables/gain_table.ts";
import { modelPairs } from "../tables/model_pairs.ts";
import { overtakes } from "../tables/overtakes.ts";
import { referenceTable } from "../tables/reference_table.ts";
import { scoreColumns, type SettingRow, settingsTable } from "../tables/settings_table.ts";
import { taskResults } from "../tables/task_results.ts";
import { earlySubmitTable } from "./early_submits.ts";
import { partErrorTable } from "./part_errors.ts";
import { scoreDistribution } from "./score_distribution.ts";
import { shapeTable } from "./shape_table.ts";

/** @param settings rows of `settingRows` of the same episodes */
export function splatTables(context: TableContext, settings: readonly SettingRow[]): TableOrOmission[] {
  return [
    leaderboard(context, settings),
    effortTable(context, {
      id: "reasoning_effort",
      title: "Reasoning effort",
      atLeast: 2,
    }),
    overtakes(context),
    gainTable(context, {
      id: "one_shot",
      title: "One-shot reconstruction",
      before: { setting: "one_shot", title: "One-shot" },
      after: { setting: REFERENCE_SETTING, title: "Full episode" },
      gainTitle: "Gain from feedback",
      sortBy: "after",
    }),
    earlySubmitTable(context),
    referenceTable(context),
    modelPairs(context, REFERENCE_SETTING),
    modelPairs(context, "one_shot"),
    scoreDistribution(context),
    partErrorTable(context),
    shapeTable(context),
    curveTable(context, scoreCurves(context)),
    budgetUse(context),
    toolUse(context),
    refusalCounts(context),
    settingsTable(context, settings),
    taskResults(context),
    bestEpisodes(context),
    dataCounts(context),
  ];
}

function leaderboard({ bench, scoreKind }: TableContext, settings: readonly SettingRow[]): TableOrOmission {
  const id = "leaderboard";
  const rows = settings.filter(({ setting }) => setting === REFERENCE_SETTING);
  if (rows.length === 0) return { id, why: `there is no episode of ${REFERENCE_SETTING}` };
  return resultTable(
    { bench, scoreKind, id, title: `Leaderboard, ${settingTitle(REFERENCE_SETTING).toLowerCase()} effort` },
    rows,
    scoreColumns(),
  );
}
