// deno-lint-ignore-file no-explicit-any
/** Copies of data sets in which something is another. */
import {
  type DataSet,
  type EpisodeRow,
  openData,
  type StepRow,
  type TranscriptRow,
} from "../../tasks/data_source.ts";
import type { TableName } from "../../tasks/data_rows.ts";
import { exportData } from "../../tasks/export_data.ts";

export interface Alterations {
  /** All when absent. */
  settings?: readonly string[];
  /** Tables that the copy lacks. */
  without?: readonly TableName[];
  /** Null leaves the row out. */
  episode?(row: EpisodeRow): EpisodeRow | null;
  step?(row: StepRow): StepRow | null;
  transcript?(row: TranscriptRow): TranscriptRow | null;
}

/** Writes the copy as Parquet files in the published layout. */
export async function alteredCopy(where: string, out: string, alterations: Alterations): Promise<void> {
  const data = await openData(where);
  await exportData(altered(data, alterations), out, { format: "parquet" });
}

function altered(data: DataSet, { settings, without = [], episode, step, transcript }: Alterations): DataSet {
  const same = <Row>(row: Row): Row | null => row;
  return {
    ...data,
    splits: (table) =>
      settings === undefined || table === "tasks" || table === "leaderboard"
        ? data.splits(table)
        : Promise.resolve([...settings]),
    has: async (table) => !without.includes(table) && await data.has(table),
    episodes: (setting, options) => mapped(data.episodes(setting, options) as any, episode ?? same) as any,
    steps: (setting, options) => mapped(data.steps(setting, options) as any, step ?? same) as any,
    transcripts: (setting, options) =>
      mapped(data.transcripts(setting, options) as any, transcript ?? same) as any,
  };
}

async function* mapped<Row>(rows: AsyncIterable<Row>, change: (row: Row) => Row | null): AsyncGenerator<Row> {
  for await (const row of rows) {
    const changed = change(row);
    if (changed !== null) yield changed;
  }
}

/** Every number with three decimals at most, as published scenes have them. */
export function rounded<Value>(value: Value): Value {
  return JSON.parse(
    JSON.stringify(value),
    (_, entry) => typeof entry === "number" ? Number(entry.toFixed(3)) : entry,
  );
}
