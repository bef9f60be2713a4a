/** Every figure of SplatBench's report, as printed. */
import { below, type Figure, figures, level, type OtherFigure } from "./figure.ts";

const scores = ["score", "score_low", "score_high"];

export const SPLAT_FIGURES: readonly Figure[] = [
  ...figures(
    "Results, first table",
    "leaderboard",
    [...scores, "cost_usd", "minutes"],
    `
    GPT-6 Astra       | 49.6 | 41.4 | 58.0 | 1.69 |  6.6
    GPT-6.1 Sol       | 38.6 | 30.6 | 46.3 | 0.26 |  5.1
    Claude Opus 5.5   | 25.0 | 17.1 | 32.6 | 0.71 |  5.0
    GPT-6 Luna        |  8.6 |  1.8 | 15.2 | 0.02 |  4.5
    Claude Sonnet 5.5 |  5.7 |  0.2 | 10.6 | 0.04 |  0.7
    Claude Haiku 5.5  |  3.6 | -5.8 | 12.4 | 0.01 |  1.9
    Grok 4.7          |  2.1 | -8.8 | 11.8 | 1.38 | 24.0
    GPT-5.6 Terra     |  1.2 | -7.4 |  9.4 | 0.19 |  2.1`,
  ),
  ...figures(
    "Results, below the first table",
    "pairs_medium_effort",
    ["wins", "wins_of"],
    `
    GPT-6 Astra / GPT-6.1 Sol     | 29 | 30
    GPT-6.1 Sol / Claude Opus 5.5 | 28 | 30`,
  ),
  below("Results, below the first table", "leaderboard", "score", "67.7", "GPT-6 Astra"),
  ...figures(
    "Reasoning effort",
    "reasoning_effort",
    ["medium", "high", "max", "cost_medium", "cost_max", "tasks"],
    `
    GPT-6 Astra       | 51.8 | 55.8 | 61.6 | 1.90 | 5.15 | 15
    GPT-6.1 Sol       | 43.9 | 47.6 | 56.8 | 0.30 | 0.90 | 15
    Claude Opus 5.5   | 31.5 | 33.1 | 45.4 | 0.75 | 6.53 | 15
    Claude Sonnet 5.5 |  7.4 | 18.7 | 35.3 | 0.02 | 5.00 | 15
    Claude Haiku 5.5  |  9.2 |  6.2 | 20.9 | 0.01 | 0.21 | 15
    GPT-6 Luna        | 17.5 | 14.8 | 20.8 | 0.02 | 0.05 | 15
    GPT-5.6 Terra     |  4.3 | 10.8 | 18.2 | 0.20 | 0.96 | 15`,
  ),
  below(
    "Reasoning effort, below the table",
    "overtakes",
    "cost_percent",
    "50",
    ...["GPT-6.1 Sol", "max_effort", "GPT-6 Astra"],
  ),
  ...figures(
    "One-shot reconstruction",
    "one_shot",
    ["before", "after", "gain", "gain_low", "gain_high", "tasks"],
    `
    GPT-6 Astra       |   4.3 | 44.5 | 40.2 | 26.8 | 57.5 | 15
    GPT-6.1 Sol       |   8.3 | 37.1 | 28.8 | 15.7 | 45.1 | 15
    Claude Opus 5.5   |   9.5 | 27.8 | 18.4 | 13.1 | 23.7 | 15
    GPT-6 Luna        |  -3.3 | 11.3 | 14.7 |  9.6 | 20.2 | 15
    Claude Sonnet 5.5 |  -1.0 |  3.4 |  4.4 |  0.9 |  9.0 | 15
    Claude Haiku 5.5  | -12.5 |  2.5 | 15.0 |  7.7 | 25.6 | 15
    GPT-5.6 Terra     | -23.2 | -1.5 | 21.7 |  9.6 | 34.9 | 15`,
  ),
  ...[
    ["Claude Opus 5.5", "GPT-6.1 Sol"],
    ["Claude Opus 5.5", "GPT-6 Astra"],
    ["GPT-6.1 Sol", "GPT-6 Astra"],
  ].map((pair) => level("One-shot reconstruction, below the table", "pairs_one_shot", "difference", ...pair)),
  ...["Claude Sonnet 5.5", "Claude Haiku 5.5", "GPT-6 Luna", "GPT-5.6 Terra"].flatMap((model): Figure[] => [
    level("Early submit refused", "early_submit", "gain", model),
    ...figures("Early submit refused", "early_submit", ["early_max_effort"], `${model} | 0`),
  ]),
  ...figures(
    "Tasks, SplatScore",
    "references",
    ["score"],
    `
    mean      |   4.2
    fit_64    |  67.7
    scrambled | -51.7`,
  ),
  ...figures(
    "What this repository contains",
    "data",
    ["models", "tasks", "episodes", "steps", "tool_calls", "never_ran", "compacted"],
    `
    all                  | . | 30 | 1,230 | 34,222 | 32,737 | 68 | 90
    medium_effort        | 8 | 30 |   480 |      . |      . |  . |  0
    high_effort          | 7 | 15 |   210 |      . |      . |  . |  2
    max_effort           | 7 | 15 |   210 |      . |      . |  . | 88
    early_submit_refused | 4 | 15 |   120 |      . |      . |  . |  0
    one_shot             | 7 | 15 |   210 |      . |      . |  . |  0`,
  ),
];

export const SPLAT_OTHER_FIGURES: readonly OtherFigure[] = [
  {
    place: "What this repository contains",
    what: "rows of the leaderboard config",
    printed: "33",
    checkedBy: "the file that --out writes",
  },
  {
    place: "Reproduce the results",
    what: "points between recorded and new scores of the leaderboard scenes, mean",
    printed: "0.02",
    checkedBy: "bench rescore",
  },
  {
    place: "Reproduce the results",
    what: "points between recorded and new scores of the leaderboard scenes, most",
    printed: "0.22",
    checkedBy: "bench rescore",
  },
];
