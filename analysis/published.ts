/** SplatBench's published leaderboard, to stand beside full scores on the same tasks. */
import { duration, fixed, meanWithInterval } from "./number_format.ts";
import type { SummaryRow } from "./summary.ts";
import { valueOf } from "./published/figure.ts";
import { SPLAT_FIGURES } from "./published/splat_figures.ts";
import type { TextColumn } from "./text_table.ts";

interface PublishedRow {
  readonly modelName: string;
  readonly score: { readonly mean: number; readonly low: number; readonly high: number };
  /** US dollars and minutes an episode. */
  readonly costUsd: number;
  readonly minutes: number;
}

/** Eight models, 30 tasks twice each at medium effort; as printed in the report of SplatBench. */
export const SPLAT_LEADERBOARD: readonly PublishedRow[] = [
  ...Map.groupBy(
    SPLAT_FIGURES.filter(({ table, test }) => table === "leaderboard" && test === "equal"),
    ({ row }) => row[0],
  ),
].map(([modelName, figures]) => {
  const [mean, low, high, costUsd, minutes] = figures.map(valueOf);
  return { modelName, score: { mean, low, high }, costUsd, minutes };
});

const OBJECTS = [
  ...["snowman", "mushroom", "table", "rocket", "tree", "robot"],
  ...["lego", "chair", "hotdog", "ficus", "mic", "drums"],
  ...["ignatius", "caterpillar", "jade"],
];

/** The tasks behind the leaderboard. */
export const LEADERBOARD_TASKS: readonly string[] = OBJECTS.flatMap((
  object,
) => [`${object}__sculpt`, `${object}__assemble`]).sort();

/** Whether a row's mean means what the leaderboard's means: a full score of the same tasks, effort and rules. */
export function isComparable({ bench, setting, scoreKind, taskIds }: SummaryRow): boolean {
  return bench === "splat" && setting === "medium_effort" && scoreKind === "full" &&
    taskIds.length === LEADERBOARD_TASKS.length && LEADERBOARD_TASKS.every((id, at) => id === taskIds[at]);
}

/** The leaderboard as a table. */
export function leaderboardTable(draw: (columns: TextColumn[], rows: string[][]) => string): string {
  const columns: TextColumn[] = [
    { title: "Published", align: "left" },
    { title: "SplatScore [95% CI]", align: "right" },
    { title: "Cost", align: "right" },
    { title: "Time", align: "right" },
  ];
  const rows = SPLAT_LEADERBOARD.map(({ modelName, score, costUsd, minutes }) => [
    modelName,
    meanWithInterval(score, 1),
    `$${fixed(costUsd, 2)}`,
    duration(60 * minutes),
  ]);
  return draw(columns, rows);
}
