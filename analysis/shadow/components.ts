/** What the scores are made of, and solved plates. */
import type { PlayedEpisode } from "../played_episode.ts";
import { number, resultTable, share, type TableOrOmission } from "../result_table.ts";
import { groupColumns } from "../tables/budget_use.ts";
import { episodeMean, meanOrNull, shareOf, taskMeans } from "../task_means.ts";
import { allAndEach, type ShadowContext } from "./context.ts";

export const COMPONENTS = ["iou", "outline_f", "holes", "wrists"] as const;

const TITLES = { iou: "Overlap", outline_f: "Outline F", holes: "Holes", wrists: "Wrists" } as const;

export function componentTable({ bench, scoreKind, episodes, definitions }: ShadowContext): TableOrOmission {
  return resultTable(
    {
      bench,
      scoreKind,
      id: "components",
      title: "Components of the score, means over plates, and solved plates",
      notes: [`Solved: overlap, outline and holes each reach ${100 * definitions.solvedFrom}%.`],
    },
    allAndEach(episodes),
    [
      ...groupColumns,
      ...COMPONENTS.map((key) =>
        number<{ episodes: readonly PlayedEpisode[] }>(
          key,
          TITLES[key],
          3,
          ({ episodes: own }) => componentMean(own, key),
        )
      ),
      number("peeks", "Peeks per episode", 2, ({ episodes: own }) => peeks(own)),
      share(
        "solved",
        "Solved",
        ({ episodes: own }) => shareOf(own, (row) => isSolved(row, definitions.solvedFrom)),
      ),
    ],
  );
}

export function componentMean(
  episodes: readonly PlayedEpisode[],
  key: (typeof COMPONENTS)[number],
): number | null {
  return meanOrNull([...taskMeans(episodes, ({ metrics }) => metrics[key] ?? null).values()]);
}

export function peeks(episodes: readonly PlayedEpisode[]): number | null {
  return episodeMean(
    episodes,
    ({ toolCalls, budgetUsed }) =>
      budgetUsed?.peeks ?? (toolCalls === null ? null : toolCalls.peek_book ?? 0),
  );
}

/** Null where a component is missing. */
function isSolved({ metrics }: PlayedEpisode, from: number): boolean | null {
  const parts = [metrics.iou, metrics.outline_f, metrics.holes];
  return parts.some((part) => part === undefined) ? null : parts.every((part) => part >= from);
}
