/** Every model in every setting, compared with the reference setting on the same tasks. */
import {
  type ColumnOf,
  count,
  interval,
  money,
  number,
  type ResultTable,
  resultTable,
  type Share,
  share,
  text,
} from "../result_table.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import { bySettingAndModel, inSetting, REFERENCE_SETTING } from "../settings.ts";
import type { MeanOverTasks } from "../summary.ts";
import { costUsd, meanOrNull, minutes, paired, taskMeans } from "../task_means.ts";
import type { TableContext } from "./context.ts";

/** One model in one setting. */
export interface SettingRow {
  readonly setting: string;
  readonly model: string;
  readonly episodes: readonly PlayedEpisode[];
  readonly failed: number;
  /** Tasks with a score. */
  readonly tasks: number;
  readonly score: MeanOverTasks | null;
  readonly costUsd: number | null;
  readonly minutes: number | null;
  /** Null in the reference setting, and where it shares no task with this one. */
  readonly against: {
    readonly score: number | null;
    readonly gain: MeanOverTasks | null;
    readonly better: Share;
  } | null;
}

/** Best score first in each setting. */
export function settingRows({ episodes, interval }: TableContext): SettingRow[] {
  const rows = bySettingAndModel(episodes).map(({ setting, model, episodes: own }): SettingRow => {
    const scores = taskMeans(own);
    const reference = episodes.filter((episode) => episode.model === model);
    const pair = paired(taskMeans(inSetting(reference, REFERENCE_SETTING)), scores);
    return {
      setting,
      model,
      episodes: own,
      failed: own.filter(({ complete }) => !complete).length,
      tasks: scores.size,
      score: interval([...scores.values()]),
      costUsd: costUsd(own),
      minutes: minutes(own),
      against: setting === REFERENCE_SETTING || pair.tasks.length === 0 ? null : {
        score: meanOrNull(pair.before),
        gain: interval(pair.gains),
        better: pair.better,
      },
    };
  });
  return [...Map.groupBy(rows, ({ setting }) => setting).values()].flatMap((group) =>
    group.toSorted((a, b) => (b.score?.mean ?? -Infinity) - (a.score?.mean ?? -Infinity) || 0)
  );
}

export function settingsTable(context: TableContext, rows: readonly SettingRow[]): ResultTable {
  return resultTable(
    {
      bench: context.bench,
      scoreKind: context.scoreKind,
      id: "settings",
      title: "Every model in every setting",
      notes: [
        `The reference is ${REFERENCE_SETTING} on the tasks that both settings have. ` +
        "Means over tasks with 95% bootstrap intervals (none for a single task); failed episodes count nowhere else.",
      ],
    },
    rows,
    [
      text("setting", "Setting", ({ setting }) => setting),
      ...scoreColumns(),
      number("reference_score", "Reference", 1, ({ against }) => against?.score ?? null),
      interval("gain", "Gain", ({ against }) => against?.gain ?? null, { signed: true }),
      share("better_on", "Better on", ({ against }) => against?.better ?? null),
    ],
  );
}

/** Model, score, cost and time: the columns of every leaderboard. */
export function scoreColumns(): ColumnOf<SettingRow>[] {
  return [
    text("model", "Model", ({ model }) => model),
    interval("score", "Score", ({ score }) => score),
    money("cost_usd", "Cost per episode", (row) => row.costUsd),
    number("minutes", "Minutes per episode", 1, (row) => row.minutes),
    count("tasks", "Tasks", ({ tasks }) => tasks),
    count("episodes", "Episodes", ({ episodes }) => episodes.length),
    count("failed", "Failed", ({ failed }) => failed),
  ];
}
