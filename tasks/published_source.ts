/** Files of the published layout as the tables of a data set. */
import { BenchError } from "../env/errors.ts";
import { type DataLayout, dataLayout } from "./data_layout.ts";
import type { TableName } from "./data_rows.ts";
import { openRowFile, type RowFile } from "./raw_rows.ts";
import type { Repository } from "./repository.ts";
import type { RowSource } from "./row_source.ts";
import { type BenchId, TABLES } from "./tables.ts";

/** @throws BenchError when it holds no table, or nothing says of which benchmark it is */
export async function publishedSource(repository: Repository, bench?: BenchId): Promise<RowSource> {
  return await layoutSource(repository, await dataLayout(repository), bench);
}

/** As `publishedSource`, where the layout is known. */
export async function layoutSource(
  repository: Repository,
  layout: DataLayout,
  bench?: BenchId,
): Promise<RowSource> {
  const files = (table: TableName, split: string) =>
    (layout.get(table)?.get(split) ?? []).map((path) => async () =>
      await openRowFile(await repository.open(path))
    );
  // A split whose files were not fetched is not there.
  const splits = (table: TableName) =>
    [...layout.get(table) ?? []].filter(([, paths]) => paths.length > 0).map(([split]) => split);
  if (!isTableName([...layout.keys()], splits)) {
    throw new BenchError({
      what: `Cannot read ${repository.name} as a data set`,
      why: layout.size === 0
        ? "it holds neither a run nor files <config>/<split>-*.parquet"
        : `it has none of the tables ${TABLE_NAMES.join(", ")}; it has ${[...layout.keys()].join(", ")}`,
      fix:
        "Name a folder of `hf download` or `bench fetch`, a run folder, an hf:// address, or a file of a table",
    });
  }
  return {
    bench: bench ?? await benchOf(repository, splits, files),
    where: repository.name,
    revision: repository.revision,
    listsTasks: true,
    splits: (table) => Promise.resolve(splits(table)),
    files: (table, split) => Promise.resolve(files(table, split)),
  };
}

export const TABLE_NAMES = ["leaderboard", "episodes", "steps", "transcripts", "tasks"] as const;

function isTableName(configs: readonly string[], splits: (table: TableName) => string[]): boolean {
  return TABLE_NAMES.some((name) => configs.includes(name) && splits(name).length > 0);
}

/** Columns tell the benchmark; where they do not, ids and the name do. */
async function benchOf(
  repository: Repository,
  splits: (table: TableName) => string[],
  files: (table: TableName, split: string) => (() => Promise<RowFile>)[],
): Promise<BenchId> {
  let damage: BenchError | null = null;
  for (const table of ["tasks", "episodes", "steps"] as const) {
    const [open] = splits(table).slice(0, 1).flatMap((split) => files(table, split));
    let columns: readonly string[] = [];
    try {
      columns = (await open?.())?.columns ?? [];
    } catch (error) {
      // Another file may tell; whoever reads this one is told.
      if (!(error instanceof BenchError)) throw error;
      damage ??= error;
    }
    const [splat, shadow] = [onlyIn("splat", "shadow", table), onlyIn("shadow", "splat", table)]
      .map((own) => columns.filter((column) => own.has(column)).length);
    if (splat !== shadow) return splat > shadow ? "splat" : "shadow";
  }
  if (/splat/i.test(repository.name)) return "splat";
  if (/shadow/i.test(repository.name)) return "shadow";
  if (damage !== null) throw damage;
  throw new BenchError({
    what: `Cannot tell whether ${repository.name} is of splat or shadow`,
    why: "neither columns nor names say so",
    fix: "Name the benchmark on the command line",
  });
}

/** Names that columns of one benchmark have and those of the other do not. */
function onlyIn(bench: BenchId, other: BenchId, table: TableName): ReadonlySet<string> {
  const names = (of: BenchId) => {
    const { schema, aliases } = TABLES[of][table];
    return new Set([...Object.keys(schema.shape), ...Object.keys(aliases)]);
  };
  return names(bench).difference(names(other));
}
