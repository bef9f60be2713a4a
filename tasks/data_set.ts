/** A data set as those who use it see it. */
import { BenchError } from "../env/errors.ts";
import type {
  EpisodeRow,
  LeaderboardRow,
  Rows,
  StepRow,
  TableName,
  TaskRow,
  TranscriptRow,
} from "./data_rows.ts";
import type { RowSource } from "./row_source.ts";
import { badValue, type Placed, readTable, shownText, type TableOptions } from "./table_reader.ts";
import { type BenchId, LEADERBOARD_SPLIT, SETTINGS, TASKS_SPLIT } from "./tables.ts";

/** `columns` narrows a row to those named, which alone are read. */
export type RowOptions<Column> = Omit<TableOptions<Column>, "onBad">;

/** Rows of either benchmark, checked by `TABLES`; each method throws BenchErrors that name file, row and column. */
export interface DataSet {
  readonly bench: BenchId;
  readonly where: string;
  /** Commit of the data set; null for a run, and for files that nobody dated. */
  readonly revision: string | null;
  /** Splits of `episodes`, published ones first in their order. */
  settings(): Promise<string[]>;
  /** Of every setting when none is named; `setting` is filled in. */
  episodes<Column extends keyof EpisodeRow = keyof EpisodeRow>(
    setting?: string,
    options?: RowOptions<Column>,
  ): AsyncGenerator<Pick<EpisodeRow, Column> & { setting: string }>;
  /** Pictures only where `images` is set. */
  steps<Column extends keyof StepRow = keyof StepRow>(
    setting: string,
    options?: RowOptions<Column>,
  ): AsyncGenerator<Pick<StepRow, Column>>;
  transcripts<Column extends keyof TranscriptRow = keyof TranscriptRow>(
    setting: string,
    options?: RowOptions<Column>,
  ): AsyncGenerator<Pick<TranscriptRow, Column>>;
  /** With their pictures, unless `images` is false or columns are named. */
  tasks<Column extends keyof TaskRow = keyof TaskRow>(
    options?: RowOptions<Column>,
  ): AsyncGenerator<Pick<TaskRow, Column>>;
  leaderboard(): AsyncGenerator<LeaderboardRow>;
  /** Splits of a table that are there; `settings` are those of episodes. */
  splits(table: TableName): Promise<string[]>;
  /** Whether a table is there at all. */
  has(table: TableName): Promise<boolean>;
}

/** @param onBad told of bad rows, which are left out then; without it the first one is thrown */
export function dataSet(source: RowSource, onBad?: (error: BenchError) => void): DataSet {
  const { bench, where, revision } = source;

  async function* rows<Name extends TableName, Column extends keyof Rows[Name]>(
    name: Name,
    split: string,
    options: RowOptions<Column>,
  ): AsyncGenerator<Placed<Pick<Rows[Name], Column>>> {
    yield* readTable(bench, name, await filesOf(source, name, split), { ...options, onBad });
  }

  const splits = async (table: TableName) => {
    const published = Object.keys(SETTINGS[bench]);
    const order = (setting: string) => (published.indexOf(setting) + 1) || published.length + 1;
    const there = await source.splits(table);
    return there.toSorted((a, b) => order(a) - order(b) || (a < b ? -1 : 1));
  };

  const settings = () => splits("episodes");

  let known: Promise<ReadonlySet<string> | null> | undefined;
  const taskIds = async () => {
    if (!source.listsTasks || (await source.splits("tasks")).length === 0) return null;
    const ids = new Set<string>();
    const columns = ["task_id"] as const;
    for await (const { row } of rows("tasks", TASKS_SPLIT, { columns })) ids.add(row.task_id);
    // An empty table says as little as none.
    return ids.size === 0 ? null : ids;
  };

  return {
    bench,
    where,
    revision,
    settings,
    async *episodes(setting, options = {}) {
      for (const split of setting === undefined ? await settings() : [setting]) {
        const ids = await (known ??= taskIds());
        for await (const { row, place } of rows("episodes", split, options)) {
          const contradiction = contradictionOf(bench, row, split, ids);
          if (contradiction === null) yield { ...row, setting: split };
          else {
            const { column, why } = contradiction;
            const error = badValue({ bench, name: "episodes" }, place, column, why);
            if (onBad === undefined) throw error;
            onBad(error);
          }
        }
      }
    },
    async *steps(setting, options = {}) {
      for await (const { row } of rows("steps", setting, options)) yield row;
    },
    async *transcripts(setting, options = {}) {
      for await (const { row } of rows("transcripts", setting, options)) yield row;
    },
    async *tasks(options = {}) {
      for await (const { row } of rows("tasks", TASKS_SPLIT, { images: true, ...options })) yield row;
    },
    async *leaderboard() {
      for await (const { row } of rows("leaderboard", LEADERBOARD_SPLIT, {})) yield row;
    },
    splits,
    has: async (table) => (await source.splits(table)).length > 0,
  };
}

/** What an episode says that the rest of the data set does not. */
function contradictionOf(
  bench: BenchId,
  row: object,
  split: string,
  taskIds: ReadonlySet<string> | null,
): { column: string; why: string } | null {
  if ("task_id" in row && taskIds !== null && !taskIds.has(String(row.task_id))) {
    return { column: "task_id", why: `${shownText(row.task_id)} is not in the table tasks` };
  }
  // A file by itself may have any name.
  const isSetting = Object.hasOwn(SETTINGS[bench], split);
  if (isSetting && "setting" in row && row.setting !== undefined && row.setting !== split) {
    return {
      column: "setting",
      why: `it is ${shownText(row.setting)}, and the row is in the split ${split}`,
    };
  }
  return null;
}

async function filesOf(source: RowSource, table: TableName, split: string) {
  const files = await source.files(table, split);
  if (files.length > 0) return files;
  const splits = await source.splits(table);
  throw new BenchError({
    what: `Cannot read ${table} of ${source.where}`,
    why: splits.length === 0
      ? `it holds no table ${table}`
      : `it has no split ${split}; the splits there are ${splits.join(", ")}`,
    fix: splits.length === 0 ? `Fetch or export it with its ${table}` : "Name one of them",
  });
}
