/** Every table of ShadowBench. */
import type { TableOrOmission } from "../result_table.ts";
import { effortsOf, REFERENCE_SETTING, settingTitle } from "../settings.ts";
import { bestEpisodes } from "../tables/best_episodes.ts";
import { budgetUse, refusalCounts, toolUse } from "../tables/budget_use.ts";
import { curveTable, scoreCurves } from "../tables/curves.ts";
import { dataCounts } from "../tables/data_counts.ts";
import { effortTable } from "../tables/effort_table.ts";
import { gainTable } from "../tables/gain_table.ts";
import { modelPairs } from "../tables/model_pairs.ts";
import { referenceTable } from "../tables/reference_table.ts";
import { type SettingRow, settingsTable } from "../tables/settings_table.ts";
import { taskResults } from "../tables/task_results.ts";
import { componentTable } from "./components.ts";
import type { ShadowContext } from "./context.ts";
import { handsApart } from "./hands_apart.ts";
import { knowledgeTable } from "./knowledge.ts";
import { moveTable, submissionTable } from "./moves.ts";
import { refusalCauses } from "./refusal_causes.ts";

/** @param settings rows of `settingRows` of the same episodes */
export function shadowTables(context: ShadowContext, settings: readonly SettingRow[]): TableOrOmission[] {
  const highest = effortsOf(context.episodes).at(-1) ?? REFERENCE_SETTING;
  return [
    effortTable(context, { id: "leaderboard", title: "Leaderboard by effort", atLeast: 1 }),
    referenceTable(context),
    effortGain(context, highest),
    modelPairs(context, highest),
    handsApart(context),
    moveTable(context),
    submissionTable(context),
    knowledgeTable(context),
    refusalCauses(context),
    componentTable(context),
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

function effortGain(context: ShadowContext, highest: string): TableOrOmission {
  const id = "effort_gain";
  if (highest === REFERENCE_SETTING) return { id, why: `there is no effort above ${REFERENCE_SETTING}` };
  const [low, high] = [settingTitle(REFERENCE_SETTING), settingTitle(highest)];
  return gainTable(context, {
    id,
    title: `${high} minus ${low.toLowerCase()} effort on the same plates`,
    before: { setting: REFERENCE_SETTING, title: low },
    after: { setting: highest, title: high },
    gainTitle: `${high} minus ${low.toLowerCase()}`,
    sortBy: "gain",
  });
}
