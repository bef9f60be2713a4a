/** Two settings of each model on the same tasks, and what the second one gains. */
import {
  type ColumnOf,
  count,
  interval,
  number,
  resultTable,
  share,
  type TableOrOmission,
  text,
} from "../result_table.ts";
import type { PlayedEpisode } from "../played_episode.ts";
import { byModel, inSetting } from "../settings.ts";
import { meanOrNull, type Paired, paired, taskMeans } from "../task_means.ts";
import { descending, type TableContext } from "./context.ts";

interface GainRow {
  readonly model: string;
  readonly own: readonly PlayedEpisode[];
  readonly pair: Paired;
}

export interface GainTable {
  readonly id: string;
  readonly title: string;
  readonly before: { readonly setting: string; readonly title: string };
  readonly after: { readonly setting: string; readonly title: string };
  readonly gainTitle: string;
  readonly sortBy: "after" | "gain";
  readonly notes?: readonly string[];
  /** Columns at the end, from all episodes of the model. */
  readonly more?: readonly ColumnOf<readonly PlayedEpisode[]>[];
}

export function gainTable(
  { bench, scoreKind, episodes, interval: over }: TableContext,
  { id, title, before, after, gainTitle, sortBy, notes, more = [] }: GainTable,
): TableOrOmission {
  const rows = byModel(episodes).map(([model, own]): GainRow => ({
    model,
    own,
    pair: paired(
      taskMeans(inSetting(own, before.setting)),
      taskMeans(inSetting(own, after.setting)),
    ),
  })).filter(({ pair }) => pair.tasks.length > 0);
  if (rows.length === 0) {
    return { id, why: `no model has scores on the same tasks in ${before.setting} and ${after.setting}` };
  }
  return resultTable(
    {
      bench,
      scoreKind,
      id,
      title,
      notes,
    },
    descending(rows, ({ pair }) => meanOrNull(sortBy === "gain" ? pair.gains : pair.after)),
    [
      text("model", "Model", ({ model }) => model),
      number("before", before.title, 1, ({ pair }) => meanOrNull(pair.before)),
      number("after", after.title, 1, ({ pair }) => meanOrNull(pair.after)),
      interval("gain", gainTitle, ({ pair }) => over(pair.gains), { signed: true }),
      share("better_on", "Better on", ({ pair }) => pair.better),
      count("tasks", "Tasks", ({ pair }) => pair.tasks.length),
      ...more.map((column) => ({ ...column, cell: (row: GainRow) => column.cell(row.own) })),
    ],
  );
}
