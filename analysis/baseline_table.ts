/** The tables of `bench baselines`: the score of each fixed point by task, and the means over tasks. */
import type { MetricColumn } from "../env/environment.ts";
import type { Metrics } from "../env/records.ts";
import { fixed } from "./number_format.ts";
import { type TextColumn, textTable } from "./text_table.ts";

interface Scored {
  readonly baseline: string;
  readonly score: number | null;
  readonly metrics: Metrics;
}

/**
 * @param rows one a task and baseline
 * @param means one a baseline, in the order of the columns of the first table
 * @param columns of the benchmark; the first is the headline, which the first table shows
 */
export function baselineText(
  rows: readonly (Scored & { readonly taskId: string; readonly recorded: number | null })[],
  means: readonly (Scored & { readonly tasks: number })[],
  columns: readonly MetricColumn[],
): string {
  const [headline] = columns;
  const byTask = Map.groupBy(rows, ({ taskId }) => taskId);
  const scores = (scored: readonly Scored[]) =>
    means.map(({ baseline }) => {
      const row = scored.find((row) => row.baseline === baseline);
      return row === undefined ? "" : fixed(valueOf(row, headline), headline.digits);
    });
  const perTask = textTable(
    titles([headline.title, ...means.map(({ baseline }) => baseline)]),
    [...[...byTask].map(([task, own]) => [task, ...scores(own)]), ["mean", ...scores(means)]],
  );
  const overall = textTable(
    titles(["Baseline", ...columns.map(({ title }) => title), "Tasks"]),
    means.map((row) => [
      row.baseline,
      ...columns.map((column) => fixed(valueOf(row, column), column.digits)),
      String(row.tasks),
    ]),
  );
  return `${perTask}\n\nMeans over tasks:\n\n${overall}`;
}

function titles([first, ...others]: readonly string[]): TextColumn[] {
  return [{ title: first, align: "left" }, ...others.map((title): TextColumn => ({ title, align: "right" }))];
}

function valueOf({ score, metrics }: Scored, { key }: MetricColumn): number | null {
  return key === "score" ? score : metrics[key] ?? null;
}
