/** The statistics under every table: means over tasks of means over runs, and paired differences of them. */
import { bootstrapper, type BootstrapRecipe, DEFAULT_RECIPE } from "./bootstrap.ts";
import { mean } from "./numpy_math.ts";
import { byText, type PlayedEpisode } from "./played_episode.ts";
import type { Share } from "./result_table.ts";
import type { MeanOverTasks } from "./summary.ts";

/** A value for each task, in code-unit order of the ids. */
export type TaskMeans = ReadonlyMap<string, number>;

export type IntervalOf = (values: readonly number[]) => MeanOverTasks | null;

/** Null for no task; no bounds for one, since resampling it tells nothing. */
export function intervalOf(recipe: BootstrapRecipe = DEFAULT_RECIPE): IntervalOf {
  const interval = bootstrapper(recipe);
  return (values) => {
    if (values.length === 0) return null;
    const drawn = interval(values);
    return values.length === 1 ? { ...drawn, low: null, high: null } : drawn;
  };
}

/** Mean over the runs of each task, of the complete episodes that have a value. */
export function taskMeans(
  episodes: readonly PlayedEpisode[],
  valueOf: (episode: PlayedEpisode) => number | null = ({ score }) => score,
): TaskMeans {
  const measured = completeOf(episodes).flatMap((episode) => {
    const value = valueOf(episode);
    return value === null || !Number.isFinite(value) ? [] : [{ task: episode.task, value }];
  });
  return new Map(
    [...Map.groupBy(measured, ({ task }) => task)]
      .map(([task, runs]): [string, number] => [task, mean(runs.map(({ value }) => value))])
      .sort(([a], [b]) => byText(a, b)),
  );
}

/** Differences by task, of the tasks that both have. */
export interface Paired {
  readonly tasks: readonly string[];
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** `after` less `before`. */
  readonly gains: readonly number[];
  /** Tasks that `after` is better on. */
  readonly better: Share;
}

export function paired(before: TaskMeans, after: TaskMeans): Paired {
  const pairs = [...before].flatMap(([task, value]) => {
    const then = after.get(task);
    return then === undefined ? [] : [{ task, before: value, after: then }];
  });
  const gains = pairs.map(({ before, after }) => after - before);
  return {
    tasks: pairs.map(({ task }) => task),
    before: pairs.map(({ before }) => before),
    after: pairs.map(({ after }) => after),
    gains,
    better: { count: gains.filter((gain) => gain > 0).length, of: gains.length },
  };
}

export function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : mean(values);
}

/** Mean over complete episodes; null when there is none or one of them has no value. */
export function episodeMean(
  episodes: readonly PlayedEpisode[],
  valueOf: (episode: PlayedEpisode) => number | null,
): number | null {
  const complete = completeOf(episodes);
  const values = complete.flatMap((episode) => valueOf(episode) ?? []).filter(Number.isFinite);
  return values.length < complete.length ? null : meanOrNull(values);
}

/** Of the complete episodes for which it is known. */
export function shareOf(
  episodes: readonly PlayedEpisode[],
  holds: (episode: PlayedEpisode) => boolean | null,
): Share | null {
  const known = completeOf(episodes).flatMap((episode) => holds(episode) ?? []);
  return known.length === 0 ? null : { count: known.filter(Boolean).length, of: known.length };
}

export function completeOf(episodes: readonly PlayedEpisode[]): PlayedEpisode[] {
  return episodes.filter(({ complete }) => complete);
}

export function minutes(episodes: readonly PlayedEpisode[]): number | null {
  const seconds = episodeMean(episodes, (episode) => episode.seconds);
  return seconds === null ? null : seconds / 60;
}

export function costUsd(episodes: readonly PlayedEpisode[]): number | null {
  return episodeMean(episodes, (episode) => episode.costUsd);
}
