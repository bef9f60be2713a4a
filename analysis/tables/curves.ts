/** The hidden score after every call: what an episode would have had, had it been submitted there. */
import { mean } from "../numpy_math.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import { type ColumnOf, count, number, resultTable, type TableOrOmission, text } from "../result_table.ts";
import { bySettingAndModel, type ModelInSetting } from "../settings.ts";
import { completeOf, taskMeans } from "../task_means.ts";
import type { TableContext } from "./context.ts";

export interface ScoreCurve extends ModelInSetting {
  /** Episodes with a curve. */
  readonly counted: number;
  /** [calls + 1] mean over tasks after so many calls; null where no episode has a score yet. */
  readonly scores: readonly (number | null)[];
}

/** @param calls of the longest episode are what a curve runs to; a shorter episode keeps its last score */
export function scoreCurves({ episodes }: Pick<TableContext, "episodes">): ScoreCurve[] {
  const calls = longest(episodes);
  return bySettingAndModel(episodes).flatMap((group): ScoreCurve[] => {
    const drawn = completeOf(group.episodes).filter(({ curve }) => curve !== null && curve.length > 0);
    if (drawn.length === 0) return [];
    const after = new Map(drawn.map((episode) => [episode, scoresAfter(episode, calls)]));
    const scores = Array.from({ length: calls + 1 }, (_, call) => {
      const means = taskMeans(drawn, (episode) => after.get(episode)?.[call] ?? null);
      return means.size === 0 ? null : mean([...means.values()]);
    });
    return [{ ...group, counted: drawn.length, scores }];
  });
}

/** Shown at about ten places, the end among them. */
export function curveTable(context: TableContext, curves: readonly ScoreCurve[]): TableOrOmission {
  const id = "curves";
  if (curves.length === 0) return { id, why: "the episodes have no column curve" };
  const last = curves[0].scores.length - 1;
  const places = curvePlaces(last);
  return resultTable(
    {
      bench: context.bench,
      scoreKind: context.scoreKind,
      id,
      title: "Hidden score after so many calls",
      notes: ["An episode that ended keeps its last score."],
    },
    curves,
    [
      text("setting", "Setting", ({ setting }) => setting),
      text("model", "Model", ({ model }) => model),
      count("episodes", "Episodes", ({ counted }) => counted),
      ...places.map((call): ColumnOf<ScoreCurve> =>
        number(`after_${call}`, String(call), 1, ({ scores }) => scores[call])
      ),
    ],
  );
}

/** [calls + 1] */
function scoresAfter({ curve }: PlayedEpisode, calls: number): (number | null)[] {
  const scores: (number | null)[] = [];
  let score: number | null = null;
  let at = 0;
  for (let call = 0; call <= calls; call++) {
    for (; curve !== null && at < curve.length && curve[at].step <= call; at++) {
      score = curve[at].score ?? score;
    }
    scores.push(score);
  }
  return scores;
}

function longest(episodes: readonly PlayedEpisode[]): number {
  return Math.max(0, ...episodes.map(({ curve }) => curve?.at(-1)?.step ?? 0));
}

/** 0, then steps of 1, 2 or 5 times a power of ten, then the last call. */
function curvePlaces(last: number): number[] {
  const step = [1, 2, 5, 10, 20, 50, 100].find((size) => last / size <= 10) ?? Math.ceil(last / 10);
  const places = Array.from({ length: Math.floor(last / step) + 1 }, (_, i) => i * step);
  return places.at(-1) === last ? places : [...places, last];
}
