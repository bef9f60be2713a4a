/** Mean scores of the fixed points, which put the others in context. */
import { byText } from "../played_episode.ts";
import { count, interval, resultTable, type TableOrOmission, text } from "../result_table.ts";
import { descending, type References, type TableContext } from "./context.ts";

export function referenceTable(
  { bench, scoreKind, references, interval: over }: TableContext,
): TableOrOmission {
  const id = "references";
  const scores = byReference(references ?? new Map());
  if (scores.length === 0) return { id, why: "there is no table of tasks with recorded fixed points" };
  const rows = scores.map(([name, values]) => ({ name, tasks: values.length, score: over(values) }));
  return resultTable(
    { bench, scoreKind, id, title: "References" },
    descending(rows, ({ score }) => score?.mean),
    [
      text("reference", "Reference", ({ name }) => name),
      interval("score", "Score", ({ score }) => score),
      count("tasks", "Tasks", ({ tasks }) => tasks),
    ],
  );
}

/** Scores of each reference, in the order of the task ids. */
export function byReference(references: References): [name: string, scores: number[]][] {
  const scores = new Map<string, number[]>();
  for (const [, own] of [...references].sort(([a], [b]) => byText(a, b))) {
    for (const [name, score] of Object.entries(own)) {
      scores.set(name, [...scores.get(name) ?? [], score]);
    }
  }
  return [...scores].sort(([a], [b]) => byText(a, b));
}
