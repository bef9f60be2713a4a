/** Where single episodes lie between the references. */
import { percentiles } from "../numpy_math.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import {
  type ColumnOf,
  number,
  resultTable,
  type Share,
  share,
  type TableOrOmission,
} from "../result_table.ts";
import { bySettingAndModel, type ModelInSetting } from "../settings.ts";
import { groupColumns } from "../tables/budget_use.ts";
import type { References, TableContext } from "../tables/context.ts";
import { completeOf } from "../task_means.ts";

const QUANTILES = [0, 25, 50, 75, 100] as const;

/** An empty scene scores 0 and the fit of 300 Gaussians 100 by definition; the others are recorded with the tasks. */
export function scoreDistribution({ bench, scoreKind, episodes, references }: TableContext): TableOrOmission {
  const id = "score_distribution";
  const rows = bySettingAndModel(episodes)
    .map((group) => ({ ...group, scores: scoresOf(group.episodes) }))
    .filter(({ scores }) => scores.length > 0);
  if (rows.length === 0) return { id, why: "no episode has a score" };
  const above = (key: string, title: string, name: string): ColumnOf<ModelInSetting> =>
    share(key, title, ({ episodes: own }) => aboveReference(own, references, name));
  return resultTable(
    { bench, scoreKind, id, title: "Single episodes between the references" },
    rows,
    [
      ...groupColumns,
      ...QUANTILES.map((percent): ColumnOf<{ scores: readonly number[] }> =>
        number(`p${percent}`, `${percent}%`, 1, ({ scores }) => percentiles(scores, [percent])[0])
      ),
      share("above_empty", "Above empty (0)", ({ scores }) => over(scores, 0)),
      above("above_mean", "Above one Gaussian", "mean"),
      above("above_scrambled", "Above the scrambled start", "scrambled"),
      above("above_fit_64", "Above the fit of 64", "fit_64"),
      share("above_fit_300", "Above the fit of 300 (100)", ({ scores }) => over(scores, 100)),
    ],
  );
}

function scoresOf(episodes: readonly PlayedEpisode[]): number[] {
  return completeOf(episodes).flatMap(({ score }) => score ?? []);
}

function over(scores: readonly number[], bound: number): Share {
  return { count: scores.filter((score) => score > bound).length, of: scores.length };
}

/** Of the episodes on tasks that have the reference. */
function aboveReference(
  episodes: readonly PlayedEpisode[],
  references: References | null,
  name: string,
): Share | null {
  const pairs = completeOf(episodes).flatMap(({ task, score }) => {
    const bound = references?.get(task)?.[name];
    return score === null || bound === undefined ? [] : [score > bound];
  });
  return pairs.length === 0 ? null : { count: pairs.filter(Boolean).length, of: pairs.length };
}
