/** Result tables and the leaderboard config as files. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { columnTypes, type Fields } from "../tasks/column_types.ts";
import { arrowWriter } from "../tasks/export_arrow.ts";
import { parquetWriter } from "../tasks/export_parquet.ts";
import { writing } from "../tasks/file_errors.ts";
import { writeWhole } from "../tasks/json_lines.ts";
import { LEADERBOARD_SPLIT } from "../tasks/tables.ts";
import type { Analysis } from "./analyze.ts";
import { tableCsv, tableJson, tableText } from "./render_table.ts";
import { flatColumns, flatRows, type ResultTable } from "./result_table.ts";

export const TABLE_FORMATS = ["text", "md", "csv", "json", "arrow", "parquet"] as const;
export type TableFormat = (typeof TABLE_FORMATS)[number];

/** Name of a table's file; tables of partial scores have names of their own. */
export function tableFile({ id, scoreKind }: ResultTable, format: TableFormat): string {
  return `${id}${scoreKind === "partial" ? "_partial" : ""}.${format === "text" ? "txt" : format}`;
}

/** Name of the leaderboard's file; partial scores go to a split of their own. Null without a row. */
export function leaderboardFile({ leaderboard, scoreKind }: Analysis): string | null {
  if (leaderboard.length === 0) return null;
  const split = scoreKind === "full" ? LEADERBOARD_SPLIT : `${LEADERBOARD_SPLIT}_partial`;
  return `leaderboard/${split}-00000-of-00001.parquet`;
}

/** Returns the path. */
export async function writeTable(table: ResultTable, format: TableFormat, folder: string): Promise<string> {
  const path = join(folder, tableFile(table, format));
  if (format === "arrow" || format === "parquet") {
    const fields = Object.fromEntries(flatColumns(table).map(({ name, type }) => [name, type]));
    await writeRows(path, format, fields, flatRows(table));
  } else {
    await writing(folder, () => mkdir(folder, { recursive: true }));
    await writeWhole(path, `${textOf(table, format)}\n`);
  }
  return path;
}

/** The config as a published data set has it. Returns the path; null without a row. */
export async function writeLeaderboard(analysis: Analysis, folder: string): Promise<string | null> {
  const name = leaderboardFile(analysis);
  if (name === null) return null;
  const path = join(folder, name);
  const rows = analysis.leaderboard.map((row) => ({ ...row }));
  await writeRows(path, "parquet", columnTypes(analysis.bench, "leaderboard"), rows);
  return path;
}

function textOf(table: ResultTable, format: Exclude<TableFormat, "arrow" | "parquet">): string {
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
