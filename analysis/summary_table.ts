/** The table that `eval` prints: summary rows as text, with what was left out said below it. */
import { scoreKindSchema } from "../env/records.ts";
import { duration, fixed, meanWithInterval, money } from "./number_format.ts";
import { isComparable, leaderboardTable } from "./published.ts";
import type { SummaryRow } from "./summary.ts";
import { markdownTable, type TextColumn, textTable } from "./text_table.ts";

/**
 * A table for each kind of score (no table mixes kinds), full scores first, its rows in the order given. The published
 * leaderboard follows where a row can be compared with it.
 *
 * @param rows of one benchmark, with the same metrics
 */
export function summaryText(rows: readonly SummaryRow[], format: "text" | "markdown" = "text"): string {
  const draw = format === "text" ? textTable : markdownTable;
  const byKind = scoreKindSchema.options.map((kind) => rows.filter(({ scoreKind }) => scoreKind === kind));
  return byKind.filter((shown) => shown.length > 0).map((shown) => {
    const cells = cellsOf(shown);
    const columns: TextColumn[] = cells.map(([title], i) => ({ title, align: i < 2 ? "left" : "right" }));
    const table = draw(columns, shown.map((_, row) => cells.map(([, values]) => values[row])));
    const published = shown.some(isComparable) ? ["", leaderboardTable(draw)] : [];
    return [table, "", ...notes(shown), ...published].join("\n");
  }).join("\n\n");
}

/** Column by column: title and values. */
function cellsOf(rows: readonly SummaryRow[]): [title: string, values: string[]][] {
  const metrics = rows[0].metrics.map(({ column }, i): [string, string[]] => [
    `${column.title} [95% CI]`,
    rows.map((row) => meanWithInterval(row.metrics[i].interval, column.digits)),
  ]);
  return [
    ["Model", rows.map((row) => row.modelName)],
    ["Setting", rows.map((row) => row.setting)],
    ...metrics,
    ["Tasks", rows.map((row) => String(row.taskIds.length))],
    ["Errors", rows.map((row) => `${row.errors} of ${row.episodes}`)],
    ["Calls", rows.map((row) => fixed(row.calls, 1))],
    [rows[0].bench === "shadow" ? "Looks" : "Renders", rows.map((row) => fixed(row.renders, 1))],
    ["Refused", rows.map((row) => fixed(row.refused, 1))],
    ["Cost", rows.map((row) => money(row.costUsd))],
    ["Time", rows.map((row) => duration(row.seconds))],
  ];
}

function notes(rows: readonly SummaryRow[]): string[] {
  // Where nothing has a value the table's dash says so already.
  const left = rows.flatMap(({ modelName, setting, metrics }) =>
    metrics.filter(({ interval, missing }) => interval !== null && missing > 0)
      .map(({ column, missing }) =>
        `${column.title} is missing from ${episodes(missing)} of ${modelName}, ${setting}.`
      )
  );
  const failed = rows.some(({ errors }) => errors > 0)
    ? ["Episodes under Errors failed for infrastructure reasons; no other figure counts them."]
    : [];
  const partial = rows[0].bench === "splat" && rows[0].scoreKind === "partial"
    ? [
      "Scores are partial, of PSNR and SSIM alone: they do not compare with published ones, which have LPIPS, too.",
    ]
    : [];
  const single = rows.some(({ metrics }) => metrics.some(({ tasks }) => tasks === 1))
    ? " (none for a single task)"
    : "";
  return [
    ...partial,
    `Means over tasks with 95% bootstrap intervals${single}; calls, cost and time are means an episode.`,
    ...failed,
    ...left,
  ];
}

function episodes(count: number): string {
  return count === 1 ? "1 episode" : `${count} episodes`;
}
