/** Which models overtake a better one by reasoning more, and for what share of its cost. */
import { interval, number, resultTable, type TableOrOmission, text } from "../result_table.ts";
import { byModel, effortsOf, inSetting, REFERENCE_SETTING } from "../settings.ts";
import { costUsd, meanOrNull, paired, taskMeans } from "../task_means.ts";
import type { TableContext } from "./context.ts";
import { onCommonTasks } from "./effort_table.ts";

/**
 * Model A at an effort against model B in the reference setting, on the tasks that both have there: every pair in which
 * A at the effort is better and A in the reference setting is not.
 */
export function overtakes({ bench, scoreKind, episodes, interval: over }: TableContext): TableOrOmission {
  const id = "overtakes";
  const efforts = effortsOf(episodes).filter((effort) => effort !== REFERENCE_SETTING);
  const models = byModel(episodes);
  const rows = efforts.flatMap((effort) =>
    models.flatMap(([model, all]) =>
      models.filter(([other]) => other !== model).flatMap(([other, others]) => {
        const own = onCommonTasks(all, [REFERENCE_SETTING, effort]);
        const base = taskMeans(inSetting(own, REFERENCE_SETTING));
        const rival = inSetting(others, REFERENCE_SETTING);
        const before = paired(taskMeans(rival), base);
        const after = paired(taskMeans(rival), taskMeans(inSetting(own, effort)));
        const [was, is] = [meanOrNull(before.gains), meanOrNull(after.gains)];
        if (was === null || is === null || was > 0 || is <= 0) return [];
        const shared = rival.filter(({ task }) => after.tasks.includes(task));
        const [cost, rivalCost] = [costUsd(inSetting(own, effort)), costUsd(shared)];
        return [{
          model,
          effort,
          other,
          after,
          cost: cost === null || rivalCost === null || rivalCost === 0 ? null : 100 * cost / rivalCost,
        }];
      })
    )
  );
  if (rows.length === 0) return { id, why: "no model overtakes a better one by reasoning more" };
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: `Models that overtake a better one (in ${REFERENCE_SETTING}) by reasoning more`,
    },
    rows,
    [
      text("model", "Model", ({ model }) => model),
      text("setting", "Setting", ({ effort }) => effort),
      text("overtakes", "Overtakes", ({ other }) => other),
      number("score", "Score", 1, ({ after }) => meanOrNull(after.after)),
      number("other_score", "Other's score", 1, ({ after }) => meanOrNull(after.before)),
      interval("difference", "Difference", ({ after }) => over(after.gains), { signed: true }),
      {
        key: "cost_percent",
        title: "Share of its cost",
        format: { kind: "percent", digits: 0 },
        cell: ({ cost }) => cost,
      },
    ],
  );
}
