/** What reasoning effort does: each model at every effort on the tasks that it has at all of them. */
import {
  type ColumnOf,
  count,
  interval,
  money,
  number,
  resultTable,
  type TableOrOmission,
  text,
} from "../result_table.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import { byModel, effortsOf, inSetting, settingTitle } from "../settings.ts";
import type { MeanOverTasks } from "../summary.ts";
import { costUsd, minutes, taskMeans } from "../task_means.ts";
import { descending, type TableContext } from "./context.ts";

interface AtEffort {
  readonly score: MeanOverTasks | null;
  readonly costUsd: number | null;
  readonly minutes: number | null;
}

interface EffortRow {
  readonly model: string;
  readonly tasks: number;
  /** By setting. */
  readonly at: ReadonlyMap<string, AtEffort>;
}

/**
 * Best at the highest effort first.
 *
 * @param atLeast efforts that a model must have played to be shown
 */
export function effortTable(
  { bench, scoreKind, episodes, interval: over }: TableContext,
  { id, title, atLeast }: { id: string; title: string; atLeast: number },
): TableOrOmission {
  const efforts = effortsOf(episodes);
  const rows = byModel(episodes).flatMap(([model, own]) => {
    const played = efforts.filter((effort) => taskMeans(inSetting(own, effort)).size > 0);
    return played.length < atLeast ? [] : [effortRow(model, own, played, over)];
  });
  if (rows.length === 0) {
    return { id, why: `no model has scores at ${atLeast === 1 ? "an effort" : `${atLeast} efforts`}` };
  }
  const last = efforts[efforts.length - 1];
  const at = (setting: string) => ({ at }: EffortRow) => at.get(setting);
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title,
      notes: ["Each model on the tasks that it has at every effort that it played."],
    },
    descending(rows, (row) => at(last)(row)?.score?.mean),
    [
      text("model", "Model", ({ model }) => model),
      ...efforts.map((effort) =>
        interval<EffortRow>(short(effort), settingTitle(effort), (row) => at(effort)(row)?.score ?? null)
      ),
      ...efforts.map((effort): ColumnOf<EffortRow> =>
        money(`cost_${short(effort)}`, `Cost, ${short(effort)}`, (row) => at(effort)(row)?.costUsd ?? null)
      ),
      ...efforts.map((effort): ColumnOf<EffortRow> =>
        number(
          `minutes_${short(effort)}`,
          `Min, ${short(effort)}`,
          1,
          (row) => at(effort)(row)?.minutes ?? null,
        )
      ),
      count("tasks", "Tasks", ({ tasks }) => tasks),
    ],
  );
}

/** Episodes on the tasks that every one of the settings has a score of. */
export function onCommonTasks(
  episodes: readonly PlayedEpisode[],
  settings: readonly string[],
): PlayedEpisode[] {
  const scored = settings.map((setting) => taskMeans(inSetting(episodes, setting)));
  return episodes.filter(({ setting, task }) =>
    settings.includes(setting) && scored.every((means) => means.has(task))
  );
}

function effortRow(
  model: string,
  own: readonly PlayedEpisode[],
  played: readonly string[],
  over: TableContext["interval"],
): EffortRow {
  const common = onCommonTasks(own, played);
  return {
    model,
    tasks: new Set(common.map(({ task }) => task)).size,
    at: new Map(played.map((effort) => {
      const there = inSetting(common, effort);
      return [effort, {
        score: over([...taskMeans(there).values()]),
        costUsd: costUsd(there),
        minutes: minutes(there),
      }];
    })),
  };
}

function short(effort: string): string {
  return effort.replace(/_effort$/, "");
}
