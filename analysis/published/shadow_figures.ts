/** Every figure of ShadowBench's report, as printed. */
import { below, type Figure, figures, level, type OtherFigure } from "./figure.ts";

export const SHADOW_FIGURES: readonly Figure[] = [
  ...figures(
    "Results, first table",
    "leaderboard",
    [
      ...["medium", "high", "max", "max_low", "max_high"],
      ...["cost_medium", "cost_high", "cost_max", "minutes_max", "tasks"],
    ],
    `
    Claude Opus 5.5   | 39.8 | 43.6 | 48.8 | 46.3 | 51.9 | 0.85  | 1.27  | 7.13  | 54 | 20
    Claude Sonnet 5.5 | 17.3 | 40.6 | 48.8 | 46.5 | 51.1 | 0.030 | 0.41  | 5.23  | 60 | 20
    GPT-6.1 Terra     | 43.4 | 44.4 | 46.4 | 43.7 | 49.1 | 0.18  | 0.21  | 0.44  | 22 | 20
    GPT-6.1 Sol       | 41.4 | 41.9 | 44.7 | 41.9 | 47.5 | 0.32  | 0.39  | 0.88  | 40 | 20
    Claude Haiku 5.5  | 28.5 | 35.6 | 41.3 | 37.7 | 45.1 | 0.012 | 0.036 | 0.34  | 54 | 20
    GPT-6 Luna        | 31.6 | 35.0 | 35.1 | 31.5 | 38.4 | 0.041 | 0.059 | 0.098 | 24 | 20`,
  ),
  ...figures(
    "Results, references",
    "references",
    ["score", "score_low", "score_high"],
    `
    hull   | 56.9 | 53.4 | 60.6
    cma    | 36.2 | 34.5 | 37.9
    rest   | 12.1 |  9.1 | 15.1`,
  ),
  level(
    "Results, below the references",
    "pairs_max_effort",
    "difference",
    "Claude Opus 5.5",
    "Claude Sonnet 5.5",
  ),
  ...["Claude Opus 5.5", "Claude Sonnet 5.5"].map((model) =>
    below("Results, below the references", "leaderboard", "max", "56.9", model)
  ),
  ...figures(
    "Results, below the references",
    "best_episodes",
    ["score"],
    "1 / Claude Opus 5.5 / max_effort / hilliar_giraffe | 68.3",
  ),
  ...figures("Results", "components", ["solved", "solved_of"], "all / all | 0 | 360"),
  ...figures(
    "Reasoning effort",
    "effort_gain",
    ["gain", "gain_low", "gain_high", "better_on", "better_on_of"],
    `
    Claude Sonnet 5.5 | 31.5 | 25.6 | 36.7 | 19 | 20
    Claude Haiku 5.5  | 12.8 |  9.5 | 15.9 | 19 | 20
    Claude Opus 5.5   |  9.0 |  5.8 | 12.5 | 19 | 20
    GPT-6 Luna        |  3.5 | -0.4 |  7.4 | 14 | 20
    GPT-6.1 Sol       |  3.3 |  0.1 |  6.6 | 14 | 20
    GPT-6.1 Terra     |  3.0 |  0.5 |  5.4 | 16 | 20`,
  ),
  ...figures(
    "Reasoning effort, above the table",
    "submissions",
    ["never_moved", "never_moved_of"],
    "medium_effort / Claude Sonnet 5.5 | 13 | 20",
  ),
  ...figures(
    "What the episodes show, a collage",
    "hands_apart",
    ["poses", "together", "apart_cm", "depth_cm"],
    "all / all | 295 | 7 | 17.8 | 24.7",
  ),
  ...figures(
    "What the episodes show, moves",
    "moves",
    ["moves", "better_percent", "worse_percent", "neither_percent"],
    "all / all | 17,007 | 41 | 32 | 26",
  ),
  ...figures(
    "What the episodes show, moves",
    "submissions",
    ["below_best", "below_best_of"],
    "all / all | 135 | 360",
  ),
  ...figures(
    "What the episodes show, knowledge",
    "knowledge",
    ["named", "named_of", "consulted", "consulted_of"],
    "all / all | 169 | 254 | 318 | 360",
  ),
  ...figures(
    "What the episodes show, anatomy",
    "refusal_causes",
    ["refused"],
    `
    hands through each other | 786
    a hand through itself    | 687
    per-call limits          | 726
    joint ranges             | 171`,
  ),
  ...figures(
    "What this repository contains",
    "data",
    ["models", "tasks", "episodes", "steps", "tool_calls", "never_ran", "by_budget"],
    `
    all           | 6 | 20 | 360 | 30,354 | 29,995 | 1 | 2
    medium_effort | 6 | 20 | 120 |      . |      . | . | .
    high_effort   | 6 | 20 | 120 |      . |      . | . | .
    max_effort    | 6 | 20 | 120 |      . |      . | . | .`,
  ),
];

export const SHADOW_OTHER_FIGURES: readonly OtherFigure[] = [
  {
    place: "What this repository contains",
    what: "rows of the leaderboard config",
    printed: "21",
    checkedBy: "the file that --out writes",
  },
  {
    place: "What this repository contains",
    what: "responses that reached the limit of output tokens and ended without a call",
    printed: "13",
    checkedBy: "the transcripts, which no table here reads",
  },
];
