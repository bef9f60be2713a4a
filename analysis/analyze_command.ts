/** `bench analyze`: from a data set to its tables as text, files and plots. */
import { join } from "node:path";
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { refuseExisting } from "../tasks/existing_files.ts";
import { BENCH_IDS } from "../tasks/tables.ts";
import { type Analysis, analyze } from "./analyze.ts";
import { profileRecipe } from "./interval_profile.ts";
import { loadInputs } from "./load_input.ts";
import { againstPublished } from "./published/against.ts";
import { plotFiles } from "./plots/plot_specs.ts";
import { printedTables, tableCsv, tableJson } from "./render_table.ts";
import type { Omission, ResultTable } from "./result_table.ts";
import { leaderboardFile, TABLE_FORMATS, tableFile, writeLeaderboard, writeTable } from "./table_files.ts";

export const analyzeOptionsSchema = z.object({
  /** Null for each that is there. */
  bench: z.enum(BENCH_IDS).nullable().default(null),
  format: z.enum(TABLE_FORMATS).default("text"),
  /** Ids of the tables wanted; none means all. */
  table: z.array(z.string()).default([]),
  /** Folder for files; null prints to stdout. */
  out: z.string().nullable().default(null),
  /** Whether files that are there already are replaced. */
  force: z.boolean().default(false),
  plots: z.boolean().default(false),
  against: z.enum(["published"]).nullable().default(null),
  skipBad: z.boolean().default(false),
  /** Profile file whose recipe intervals are made by. */
  profile: z.string().nullable().default(null),
});
export type AnalyzeOptions = z.infer<typeof analyzeOptionsSchema>;

export interface Said {
  /** A piece of result. */
  print(text: string): void;
  notice(text: string): void;
}

/** @returns the exit code: 1 where `against` finds a difference */
export async function analyzeCommand(where: string, options: AnalyzeOptions, said: Said): Promise<number> {
  requireFolder(options);
  const { bench, skipBad, against, out, plots } = options;
  const inputs = await loadInputs(where, { bench, skipBad, notice: said.notice });
  const recipe = options.profile === null ? undefined : await profileRecipe(options.profile);
  const analyses = inputs.flatMap((input) => analyze(input, { recipe }));
  const folderOf = (of: string) => out === null || inputs.length === 1 ? out : join(out, of);
  const chosen = wanted(analyses, options.table);
  const { tables, omissions, differing } = against === null
    ? { tables: chosen, omissions: omissionsOf(analyses, options, inputs.length > 1), differing: 0 }
    : againstPublished(analyses, options.table);
  await refuseExisting(filesOf(tables, analyses, options, folderOf), options.force);
  await deliver(tables, options, folderOf, said);
  for (const { id, why } of omissions) said.notice(`No table ${id}: ${why}`);
  for (const analysis of analyses) {
    const folder = folderOf(analysis.bench);
    if (folder === null) continue;
    const board = against === null ? await writeLeaderboard(analysis, folder) : null;
    if (board !== null) said.notice(`Wrote ${board}`);
    if (!plots) continue;
    const { writePlots } = await import("./plots/write_plots.ts");
    for (const file of await writePlots(analysis, folder)) said.notice(`Wrote ${file}`);
  }
  return differing > 0 ? EXIT.differences : EXIT.fine;
}

function requireFolder({ format, out, plots }: AnalyzeOptions): void {
  if (out !== null) return;
  const what = plots ? "plots" : format === "arrow" || format === "parquet" ? format : null;
  if (what === null) return;
  throw new BenchError({
    what: `Cannot print ${what}`,
    why: "that is files, and no folder is named for them",
    fix: "Name one with --out",
  });
}

/** All that will be written. */
function filesOf(
  tables: readonly ResultTable[],
  analyses: readonly Analysis[],
  { format, against, plots }: AnalyzeOptions,
  folderOf: (bench: string) => string | null,
): string[] {
  const inFolder = (bench: string, name: string | null) => {
    const folder = folderOf(bench);
    return folder === null || name === null ? [] : [join(folder, name)];
  };
  return [
    ...tables.flatMap((table) => inFolder(table.bench, tableFile(table, format))),
    ...analyses.flatMap((analysis) => [
      ...(against === null ? inFolder(analysis.bench, leaderboardFile(analysis)) : []),
      ...(plots ? plotFiles(analysis).flatMap((name) => inFolder(analysis.bench, name)) : []),
    ]),
  ];
}

/** The tables asked for. */
function wanted(analyses: readonly Analysis[], ids: readonly string[]): ResultTable[] {
  const tables = analyses.flatMap(({ tables }) => tables);
  if (ids.length === 0) return tables;
  const omissions = analyses.flatMap(({ omissions }) => omissions);
  for (const id of ids) {
    if (tables.some((table) => table.id === id)) continue;
    const omitted = omissions.find((omission) => omission.id === id);
    throw new BenchError({
      what: `Cannot show the table ${id}`,
      why: omitted?.why ?? "there is no such table",
      fix: `There is ${[...new Set(tables.map(({ id }) => id))].join(", ")}`,
    });
  }
  return tables.filter(({ id }) => ids.includes(id));
}

/** Tables that were not asked for are not missed. */
function omissionsOf(
  analyses: readonly Analysis[],
  { table: ids }: AnalyzeOptions,
  named: boolean,
): Omission[] {
  if (ids.length > 0) return [];
  return analyses.flatMap(({ bench, omissions }) =>
    omissions.map(({ id, why }) => ({ id: named ? `${id} of ${bench}` : id, why }))
  );
}

async function deliver(
  tables: readonly ResultTable[],
  { format }: AnalyzeOptions,
  folderOf: (bench: string) => string | null,
  said: Said,
): Promise<void> {
  const files: string[] = [];
  for (const table of tables) {
    const folder = folderOf(table.bench);
    if (folder !== null) files.push(await writeTable(table, format, folder));
  }
  if (files.length > 0) files.forEach((file) => said.notice(`Wrote ${file}`));
  else if (format === "csv") said.print(tableCsv(onlyOne(tables)));
  else if (format === "json") tables.forEach((table) => said.print(tableJson(table)));
  else said.print(printedTables(tables, format === "md" ? "md" : "text"));
}

function onlyOne(tables: readonly ResultTable[]): ResultTable {
  if (tables.length === 1) return tables[0];
  throw new BenchError({
    what: "Cannot print CSV",
    why: `there are ${tables.length} tables, and a file of CSV holds one`,
    fix: "Choose one with --table and a benchmark, or write a file for each with --out",
  });
}
