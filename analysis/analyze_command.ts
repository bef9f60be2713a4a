/** `bench analyze`: from a data set to its tables as text, files and plots. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BenchError, EXIT } from "../env/errors.ts";
import { writing } from "../tasks/file_errors.ts";
import { columnTypes, type Fields } from "../tasks/column_types.ts";
import { arrowWriter } from "../tasks/export_arrow.ts";
import { parquetWriter } from "../tasks/export_parquet.ts";
import { writeWhole } from "../tasks/json_lines.ts";
import { LEADERBOARD_SPLIT } from "../tasks/tables.ts";
import { type Analysis, analyze } from "./analyze.ts";
import { loadInput } from "./load_input.ts";
import { againstPublished } from "./published/against.ts";
import { tableCsv, tableJson, tableText } from "./render_table.ts";
import { flatColumns, flatRows, type ResultTable } from "./result_table.ts";

export const ANALYZE_FORMATS = ["text", "md", "csv", "json", "arrow", "parquet"] as const;
type Format = (typeof ANALYZE_FORMATS)[number];

export const analyzeOptionsSchema = z.object({
  bench: z.string().nullable().default(null),
  format: z.enum(ANALYZE_FORMATS).default("text"),
  /** Ids of the tables wanted; none means all. */
  table: z.array(z.string()).default([]),
  /** Folder for files; null prints to stdout. */
  out: z.string().nullable().default(null),
  plots: z.boolean().default(false),
  against: z.enum(["published"]).nullable().default(null),
  skipBad: z.boolean().default(false),
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
  const { bench, skipBad, against } = options;
  const analyses = analyze(await loadInput(where, { bench, skipBad, notice: said.notice }));
  if (against !== null) {
    const { tables, differing } = againstPublished(analyses);
    await deliver(tables, options, said);
    return differing > 0 ? EXIT.differences : EXIT.fine;
  }
  await deliver(wanted(analyses, options), options, said);
  for (const analysis of analyses) {
    if (options.table.length === 0) noteOmissions(analysis, said);
    if (options.out !== null) await writeLeaderboard(analysis, options.out, said);
    if (options.plots && options.out !== null) {
      const { writePlots } = await import("./plots/write_plots.ts");
      for (const file of await writePlots(analysis, options.out)) said.notice(`Wrote ${file}`);
    }
  }
  return EXIT.fine;
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

/** The tables asked for. */
function wanted(analyses: readonly Analysis[], { table: ids }: AnalyzeOptions): ResultTable[] {
  const tables = analyses.flatMap(({ tables }) => tables);
  if (ids.length === 0) return tables;
  const omissions = analyses.flatMap(({ omissions }) => omissions);
  for (const id of ids) {
    if (tables.some((table) => table.id === id)) continue;
    const omitted = omissions.find((omission) => omission.id === id);
    throw new BenchError({
      what: `Cannot show the table ${id}`,
      why: omitted?.why ?? "there is no such table",
      fix: `There is ${tables.map(({ id }) => id).join(", ")}`,
    });
  }
  return tables.filter(({ id }) => ids.includes(id));
}

async function deliver(tables: readonly ResultTable[], options: AnalyzeOptions, said: Said): Promise<void> {
  const { format, out } = options;
  if (out !== null) {
    for (const table of tables) said.notice(`Wrote ${await writeTable(table, format, out)}`);
  } else if (format === "csv") {
    said.print(tableCsv(onlyOne(tables)));
  } else if (format === "json") {
    for (const table of tables) said.print(tableJson(table));
  } else {
    said.print(tables.map((table) => tableText(table, format === "md" ? "md" : "text")).join("\n\n"));
  }
}

function onlyOne(tables: readonly ResultTable[]): ResultTable {
  if (tables.length === 1) return tables[0];
  throw new BenchError({
    what: "Cannot print CSV",
    why: `there are ${tables.length} tables, and a file of CSV holds one`,
    fix: "Choose one with --table, or write a file for each with --out",
  });
}

/** @returns the path */
async function writeTable(table: ResultTable, format: Format, out: string): Promise<string> {
  const kind = table.scoreKind === "partial" ? "_partial" : "";
  const path = join(out, `${table.id}${kind}.${format === "text" ? "txt" : format}`);
  if (format === "arrow" || format === "parquet") {
    const fields = Object.fromEntries(flatColumns(table).map(({ name, type }) => [name, type]));
    await writeRows(path, format, fields, flatRows(table));
  } else {
    await writing(out, () => mkdir(out, { recursive: true }));
    await writeWhole(path, `${textOf(table, format)}\n`);
  }
  return path;
}

function textOf(table: ResultTable, format: Exclude<Format, "arrow" | "parquet">): string {
  if (format === "csv") return tableCsv(table);
  return format === "json" ? tableJson(table) : tableText(table, format);
}

async function writeRows(
  path: string,
  format: "arrow" | "parquet",
  fields: Fields,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const writer = await (format === "arrow" ? arrowWriter : parquetWriter)(path, fields);
  for (const row of rows) await writer.write(row);
  await writer.finish();
}

/** The config as a published data set has it; partial scores go to a split of their own. */
async function writeLeaderboard(analysis: Analysis, out: string, said: Said): Promise<void> {
  if (analysis.leaderboard.length === 0) return;
  const split = analysis.scoreKind === "full" ? LEADERBOARD_SPLIT : `${LEADERBOARD_SPLIT}_partial`;
  const path = join(out, "leaderboard", `${split}-00000-of-00001.parquet`);
  await writeRows(
    path,
    "parquet",
    columnTypes(analysis.bench, "leaderboard"),
    analysis.leaderboard.map((row) => ({ ...row })),
  );
  said.notice(`Wrote ${path}`);
}

function noteOmissions({ omissions }: Analysis, said: Said): void {
  for (const { id, why } of omissions) said.notice(`No table ${id}: ${why}`);
}
