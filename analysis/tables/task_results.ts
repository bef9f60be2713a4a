/** Scores by task, one column a model: what the heat map shows. */
import { type ColumnOf, number, resultTable, type TableOrOmission, text } from "../result_table.ts";
import { byModel, inSetting, settingsOf } from "../settings.ts";
import { meanOrNull, taskMeans } from "../task_means.ts";
import { byText } from "../played_episode.ts";
import { descending, type TableContext } from "./context.ts";

interface TaskRow {
  readonly setting: string;
  readonly task: string;
  /** By model. */
  readonly scores: ReadonlyMap<string, number>;
}

/** Models in the order of their means over everything they have a score of. */
export function taskResults({ bench, scoreKind, episodes }: TableContext): TableOrOmission {
  const id = "task_results";
  const models = descending(
    byModel(episodes),
    ([, own]) => meanOrNull([...taskMeans(own).values()]),
  ).map(([model]) => model);
  const rows = settingsOf(episodes).flatMap((setting): TaskRow[] => {
    const scored = byModel(inSetting(episodes, setting))
      .map(([model, own]) => ({ model, scores: taskMeans(own) }));
    const tasks = [...new Set(scored.flatMap(({ scores }) => [...scores.keys()]))].sort(byText);
    return tasks.map((task) => ({
      setting,
      task,
      scores: new Map(scored.flatMap(({ model, scores }): [string, number][] => {
        const score = scores.get(task);
        return score === undefined ? [] : [[model, score]];
      })),
    }));
  });
  if (rows.length === 0) return { id, why: "no episode has a score" };
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title: "Scores by task",
      notes: ["A task's score is the mean over its runs; the mean at the end is over the models there are."],
    },
    rows,
    [
      text("setting", "Setting", ({ setting }) => setting),
      text("task", "Task", ({ task }) => task),
      ...models.map((model): ColumnOf<TaskRow> =>
        number(model, model, 1, ({ scores }) => scores.get(model) ?? null)
      ),
      number("mean", "Mean", 1, ({ scores }) => meanOrNull([...scores.values()])),
    ],
  );
}
