/** Result tables as text: for a terminal, as Markdown, CSV and JSON. */
import { plainLine } from "../env/plain_text.ts";
import { SCHEMA_VERSION } from "../env/records.ts";
import { fixed, grouped, meanWithInterval, money, NO_VALUE, signed } from "./number_format.ts";
import {
  type Cell,
  flatColumns,
  flatRows,
  type Format,
  isMean,
  isShare,
  type ResultTable,
} from "./result_table.ts";
import { markdownTable, type TextColumn, textTable } from "./text_table.ts";

export function tableText(table: ResultTable, format: "text" | "md"): string {
  const columns: TextColumn[] = table.columns.map(({ title, format }) => ({
    title,
    align: format.kind === "text" ? "left" : "right",
  }));
  const cells = table.rows.map((row) => row.map((cell, at) => cellText(cell, table.columns[at].format)));
  const partial = table.scoreKind === "partial" ? ", partial scores" : "";
  const heading = `${format === "md" ? "## " : ""}${table.title} (${table.id}${partial})`;
  const drawn = format === "md" ? markdownTable(columns, cells) : textTable(columns, cells);
  return [heading, "", drawn, ...table.notes.flatMap((note) => ["", plainLine(note)])].join("\n");
}

/** Tables one after the other; those of two benchmarks under the benchmarks' names. */
export function printedTables(tables: readonly ResultTable[], format: "text" | "md"): string {
  const groups = [...Map.groupBy(tables, ({ bench }) => bench)];
  return groups.flatMap(([bench, own]) => [
    ...groups.length > 1 ? [`${format === "md" ? "# " : ""}${BENCH_TITLES[bench]}`] : [],
    ...own.map((table) => tableText(table, format)),
  ]).join("\n\n");
}

const BENCH_TITLES: Readonly<Record<string, string>> = { splat: "SplatBench", shadow: "ShadowBench" };

/** RFC 4180 without a heading; numbers in full, nothing where there is no value. */
export function tableCsv(table: ResultTable): string {
  const columns = flatColumns(table);
  const lines = table.rows.map((_, row) => columns.map(({ values }) => values[row]));
  return [columns.map(({ name }) => name), ...lines].map((line) => line.map(csvField).join(",")).join("\n");
}

/** One JSON object, `docs/json_output.md` describes it. */
export function tableJson(table: ResultTable): string {
  const columns = flatColumns(table);
  return JSON.stringify({
    schema_version: SCHEMA_VERSION,
    kind: "table",
    bench: table.bench,
    table: table.id,
    title: table.title,
    score_kind: table.scoreKind,
    columns: columns.map(({ name, type }) => ({ name, type })),
    rows: flatRows(table),
    notes: table.notes,
  });
}

/** A cell as tables show it. */
export function cellText(cell: Cell, format: Format): string {
  if (cell === null) return NO_VALUE;
  if (typeof cell === "string") return cell;
  if (isShare(cell)) return `${grouped(cell.count)} of ${grouped(cell.of)}`;
  if (isMean(cell)) {
    return format.kind === "interval" ? meanWithInterval(cell, format.digits, format.signed) : NO_VALUE;
  }
  switch (format.kind) {
    case "money":
      return money(cell);
    case "count":
      return grouped(cell);
    case "percent":
      return `${fixed(cell, format.digits)}%`;
    case "number":
      return format.signed ? signed(cell, format.digits) : fixed(cell, format.digits);
    default:
      return NO_VALUE;
  }
}

function csvField(value: string | number | null): string {
  const field = value === null ? "" : String(value);
  return /[",\n\r]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field;
}
