/** SplatBench's published leaderboard, to stand beside full scores on the same tasks. */
import { duration, fixed, meanWithInterval } from "./number_format.ts";
import type { SummaryRow } from "./summary.ts";
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
  row("GPT-6 Astra", 49.6, 41.4, 58.0, 1.69, 6.6),
  row("GPT-6.1 Sol", 38.6, 30.6, 46.3, 0.26, 5.1),
  row("Claude Opus 5.5", 25.0, 17.1, 32.6, 0.71, 5.0),
  row("GPT-6 Luna", 8.6, 1.8, 15.2, 0.02, 4.5),
  row("Claude Sonnet 5.5", 5.7, 0.2, 10.6, 0.04, 0.7),
  row("Claude Haiku 5.5", 3.6, -5.8, 12.4, 0.01, 1.9),
  row("Grok 4.7", 2.1, -8.8, 11.8, 1.38, 24.0),
  row("GPT-5.6 Terra", 1.2, -7.4, 9.4, 0.19, 2.1),
];

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

function row(
  modelName: string,
  mean: number,
  low: number,
  high: number,
  costUsd: number,
  minutes: number,
): PublishedRow {
  return { modelName, score: { mean, low, high }, costUsd, minutes };
}
