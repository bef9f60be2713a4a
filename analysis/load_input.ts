/** Reads what an analysis needs of a data set: episodes, and what else is there of fixed points, titles and steps. */
import { BenchError } from "../env/errors.ts";
import type { ScoreKind } from "../env/records.ts";
import { type DataOptions, type DataSet, openDataSets, type TaskRow } from "../tasks/data_source.ts";
import { type BenchId, TABLES } from "../tasks/tables.ts";
import type { AnalysisInput } from "./analyze.ts";
import { PLAYED_COLUMNS, type PlayedEpisode, playedEpisodes, type PlayedRow } from "./played_episode.ts";
import { STEP_FACT_COLUMNS, type StepFacts, stepFacts } from "./shadow/step_facts.ts";

export interface LoadOptions {
  /** Null for each that is there. */
  readonly bench: BenchId | null;
  readonly skipBad: boolean;
  /** Told of what is left out. */
  readonly notice: (text: string) => void;
}

type SettingRow = PlayedRow & { readonly setting: string };

/**
 * Of each benchmark that the place holds.
 *
 * @throws BenchError when it holds no episodes, or a bad row and `skipBad` is not set
 */
export async function loadInputs(where: string, options: LoadOptions): Promise<AnalysisInput[]> {
  return await Promise.all((await open(where, options)).map(async (data) => {
    const rows = await episodeRows(data);
    for (const { settings, columns } of absentColumns(data.bench, rows)) {
      options.notice(`Episodes of ${settings} have no column ${columns}; cells that need it are empty`);
    }
    const episodes = playedEpisodes(data.bench, rows);
    return {
      bench: data.bench,
      episodes,
      ...await loadTasks(data, options),
      steps: data.bench === "shadow" ? await loadSteps(data, episodes, options) : null,
    };
  }));
}

/** The episodes alone; throws as `loadInputs` does. */
export async function loadEpisodes(
  where: string,
  options: LoadOptions,
): Promise<Pick<AnalysisInput, "bench" | "episodes">[]> {
  return await Promise.all((await open(where, options)).map(async (data) => ({
    bench: data.bench,
    episodes: playedEpisodes(data.bench, await episodeRows(data)),
  })));
}

async function episodeRows(data: DataSet): Promise<SettingRow[]> {
  const rows = await Array.fromAsync(data.episodes(undefined, { columns: PLAYED_COLUMNS }));
  if (rows.length === 0) throw await noEpisode(data);
  return rows;
}

async function noEpisode(data: DataSet): Promise<BenchError> {
  const there = await data.has("episodes");
  return new BenchError({
    what: `Cannot analyze ${data.where}`,
    why: there ? "it has no episode" : "it has no table episodes",
    fix: there
      ? "Name a folder that `bench eval` or `bench fetch` wrote, or an hf:// address"
      : "Fetch or export it with its episodes",
  });
}

/** Columns that no row of a setting has, and the settings that lack the same ones. */
function absentColumns(
  bench: BenchId,
  rows: readonly SettingRow[],
): { settings: string; columns: string }[] {
  const known = PLAYED_COLUMNS.filter((column) =>
    Object.hasOwn(TABLES[bench].episodes.schema.shape, column) && !UNDERSTOOD.has(column)
  );
  const lacking = [...Map.groupBy(rows, ({ setting }) => setting)].map(([setting, own]) => ({
    setting,
    columns: known.filter((column) => own.every((row) => row[column] === undefined)).join(", "),
  })).filter(({ columns }) => columns !== "");
  return [...Map.groupBy(lacking, ({ columns }) => columns)].map(([columns, own]) => ({
    settings: own.map(({ setting }) => setting).join(", "),
    columns,
  }));
}

/** Without them an episode is complete where it has a score, and its score is full. */
const UNDERSTOOD: ReadonlySet<string> = new Set(["status", "score_kind"]);

async function open(where: string, { bench, skipBad, notice }: LoadOptions): Promise<DataSet[]> {
  const named: DataOptions = bench === null ? {} : { bench };
  const onBad: DataOptions = skipBad ? { onBad: (error) => notice(`Left out: ${error.message}`) } : {};
  return await openDataSets(where, { ...named, ...onBad });
}

/** A run does not depend on its tasks being where they were: without them there are no references. */
async function loadTasks(
  data: DataSet,
  { notice }: LoadOptions,
): Promise<Pick<AnalysisInput, "references" | "titles">> {
  const columns = ["task_id", "title", "baselines"] as const;
  const rows = await orNotice(
    data,
    "tasks",
    notice,
    () => Array.fromAsync(data.tasks({ columns, images: false })),
  );
  return taskFacts(data.bench, rows ?? []);
}

/** Fixed points by kind of score, and titles; a splat score without LPIPS is partial. */
export function taskFacts(
  bench: BenchId,
  rows: Iterable<Pick<TaskRow, "task_id" | "title" | "baselines">>,
): Pick<AnalysisInput, "references" | "titles"> {
  const references = new Map<ScoreKind, Map<string, Record<string, number>>>();
  const titles = new Map<string, string>();
  for (const row of rows) {
    if (row.title !== undefined) titles.set(row.task_id, row.title);
    for (const [name, { score, metrics }] of Object.entries(row.baselines ?? {})) {
      if (score === null) continue;
      const kind = bench === "splat" && metrics.lpips === undefined ? "partial" : "full";
      const ofKind = references.get(kind) ?? new Map<string, Record<string, number>>();
      references.set(kind, ofKind);
      ofKind.set(row.task_id, { ...ofKind.get(row.task_id), [name]: score });
    }
  }
  return { references, titles };
}

/** Null where they are of no episode. */
async function loadSteps(
  data: DataSet,
  episodes: readonly PlayedEpisode[],
  { notice }: LoadOptions,
): Promise<StepFacts | null> {
  const steps = await orNotice(data, "steps", notice, async () => await stepFacts(stepRows(data)));
  if (steps === null) return null;
  if (!episodes.some(({ id }) => steps.has(id))) {
    notice("Without the table steps: it has no step of these episodes");
    return null;
  }
  const without = episodes.filter(({ id, complete }) => complete && !steps.has(id)).length;
  if (without > 0) {
    notice(
      `The table steps lacks ${without} of ${episodes.length} episodes; moves and plans are of the rest`,
    );
  }
  return steps;
}

async function* stepRows(data: DataSet) {
  for (const setting of await data.settings()) yield* data.steps(setting, { columns: STEP_FACT_COLUMNS });
}

/** Null without the table, or where it cannot be read whole, which a notice says. */
async function orNotice<Value>(
  data: DataSet,
  table: "steps" | "tasks",
  notice: (text: string) => void,
  load: () => Promise<Value>,
): Promise<Value | null> {
  if (!await data.has(table)) return null;
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    notice(`Without the table ${table}: ${error.message}`);
    return null;
  }
}
