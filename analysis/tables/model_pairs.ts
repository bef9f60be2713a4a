/** Every model against every other on the same tasks of one setting. */
import { count, interval, resultTable, share, type TableOrOmission, text } from "../result_table.ts";
import { byModel, inSetting, settingTitle } from "../settings.ts";
import { meanOrNull, paired, taskMeans } from "../task_means.ts";
import { descending, type TableContext } from "./context.ts";

/** Each pair once, the better model first; pairs without a task in common are left out. */
export function modelPairs(
  { bench, scoreKind, episodes, interval: over }: TableContext,
  setting: string,
): TableOrOmission {
  const id = `pairs_${setting}`;
  const scored = byModel(inSetting(episodes, setting))
    .map(([model, own]) => ({ model, scores: taskMeans(own) }));
  const ranked = descending(scored, ({ scores }) => meanOrNull([...scores.values()]));
  const rows = ranked.flatMap((better, at) =>
    ranked.slice(at + 1).map((other) => ({
      model: better.model,
      other: other.model,
      pair: paired(other.scores, better.scores),
    }))
  ).filter(({ pair }) => pair.tasks.length > 0);
  if (rows.length === 0) return { id, why: `no two models share a task in ${setting}` };
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: `Model against model, ${settingTitle(setting).toLowerCase()}`,
      notes: ["Paired by task; an interval that holds 0 is within noise."],
    },
    rows,
    [
      text("model", "Model", ({ model }) => model),
      text("against", "Against", ({ other }) => other),
      interval("difference", "Difference", ({ pair }) => over(pair.gains), { signed: true }),
      share("wins", "Better on", ({ pair }) => pair.better),
      count("ties", "Ties", ({ pair }) => pair.gains.filter((gain) => gain === 0).length),
    ],
  );
}
