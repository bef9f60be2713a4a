/** A table as values: what every table of `analyze` and `compare` is before it is printed, stored or checked. */
import type { ScoreKind } from "../env/records.ts";
import type { MeanOverTasks } from "./summary.ts";

/** So many of so many. */
export interface Share {
  readonly count: number;
  readonly of: number;
}

export type Cell = string | number | null | MeanOverTasks | Share;

/** How the cells of a column read; the values themselves keep their full precision. */
export type Format =
  | { readonly kind: "text" }
  | { readonly kind: "count" }
  /** Fixed decimals; `signed` writes the plus, too. */
  | { readonly kind: "number" | "interval"; readonly digits: number; readonly signed: boolean }
  | { readonly kind: "share" }
  /** US dollars. */
  | { readonly kind: "money" }
  /** A number from 0 to 100. */
  | { readonly kind: "percent"; readonly digits: number };

export interface ResultColumn {
  /** Name in files; an interval adds `<key>_low` and `<key>_high`, a share `<key>_of`. */
  readonly key: string;
  readonly title: string;
  readonly format: Format;
}

export interface ResultTable {
  readonly bench: string;
  /** Name on the command line and of its file. */
  readonly id: string;
  readonly title: string;
  /** No table mixes kinds. */
  readonly scoreKind: ScoreKind;
  /** The leading text columns name a row. */
  readonly columns: readonly ResultColumn[];
  /** [rows, columns] */
  readonly rows: readonly (readonly Cell[])[];
  readonly notes: readonly string[];
}

/** Why a table is not there. */
export interface Omission {
  readonly id: string;
  readonly why: string;
}

export type TableOrOmission = ResultTable | Omission;

export function isTable(result: TableOrOmission): result is ResultTable {
  return "rows" in result;
}

/** A column and where its cells come from. */
export interface ColumnOf<Row> extends ResultColumn {
  readonly cell: (row: Row) => Cell;
}

export function text<Row>(key: string, title: string, cell: (row: Row) => string | null): ColumnOf<Row> {
  return { key, title, format: { kind: "text" }, cell };
}

export function count<Row>(key: string, title: string, cell: (row: Row) => number | null): ColumnOf<Row> {
  return { key, title, format: { kind: "count" }, cell };
}

export function number<Row>(
  key: string,
  title: string,
  digits: number,
  cell: (row: Row) => number | null,
): ColumnOf<Row> {
  return { key, title, format: { kind: "number", digits, signed: false }, cell };
}

export function interval<Row>(
  key: string,
  title: string,
  cell: (row: Row) => MeanOverTasks | null,
  { digits = 1, signed = false } = {},
): ColumnOf<Row> {
  return { key, title: `${title} [95% CI]`, format: { kind: "interval", digits, signed }, cell };
}

export function share<Row>(key: string, title: string, cell: (row: Row) => Share | null): ColumnOf<Row> {
  return { key, title, format: { kind: "share" }, cell };
}

export function money<Row>(key: string, title: string, cell: (row: Row) => number | null): ColumnOf<Row> {
  return { key, title, format: { kind: "money" }, cell };
}

/** @param cell the share that the per cent are of */
export function percent<Row>(key: string, title: string, cell: (row: Row) => Share | null): ColumnOf<Row> {
  return {
    key,
    title,
    format: { kind: "percent", digits: 0 },
    cell: (row) => {
      const part = cell(row);
      return part === null || part.of === 0 ? null : 100 * part.count / part.of;
    },
  };
}

/** @param rows come before the columns, whose cells are made of them */
export function resultTable<Row>(
  { notes = [], ...head }: Omit<ResultTable, "columns" | "rows" | "notes"> & { notes?: readonly string[] },
  rows: readonly Row[],
  columns: readonly ColumnOf<Row>[],
): ResultTable {
  return {
    ...head,
    columns: columns.map(({ key, title, format }) => ({ key, title, format })),
    rows: rows.map((row) => columns.map(({ cell }) => cell(row))),
    notes,
  };
}

/** A column of a file: text or numbers, null where there is no value. */
export interface PlainColumn {
  readonly name: string;
  readonly type: "text" | "integer" | "number";
  /** [rows] */
  readonly values: readonly (string | number | null)[];
}

/** The table column by column, intervals and shares taken apart. */
export function flatColumns({ columns, rows }: Pick<ResultTable, "columns" | "rows">): PlainColumn[] {
  return columns.flatMap(({ key, format }, at): PlainColumn[] => {
    const cells = rows.map((row) => row[at]);
    const numbers = (name: string, type: PlainColumn["type"], value: (cell: Cell) => number | null) => ({
      name,
      type,
      values: cells.map(value),
    });
    switch (format.kind) {
      case "text":
        return [{
          name: key,
          type: "text",
          values: cells.map((cell) => typeof cell === "string" ? cell : null),
        }];
      case "count":
        return [numbers(key, "integer", plainNumber)];
      case "number":
      case "money":
      case "percent":
        return [numbers(key, "number", plainNumber)];
      case "interval":
        return [
          numbers(key, "number", (cell) => isMean(cell) ? cell.mean : null),
          numbers(`${key}_low`, "number", (cell) => isMean(cell) ? cell.low : null),
          numbers(`${key}_high`, "number", (cell) => isMean(cell) ? cell.high : null),
        ];
      case "share":
        return [
          numbers(key, "integer", (cell) => isShare(cell) ? cell.count : null),
          numbers(`${key}_of`, "integer", (cell) => isShare(cell) ? cell.of : null),
        ];
    }
  });
}

/** Rows as files have them, by name of the column. */
export function flatRows(
  table: Pick<ResultTable, "columns" | "rows">,
): Readonly<Record<string, string | number | null>>[] {
  const columns = flatColumns(table);
  return table.rows.map((_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]]))
  );
}

export function isMean(cell: Cell): cell is MeanOverTasks {
  return typeof cell === "object" && cell !== null && "mean" in cell;
}

export function isShare(cell: Cell): cell is Share {
  return typeof cell === "object" && cell !== null && "of" in cell;
}

function plainNumber(cell: Cell): number | null {
  return typeof cell === "number" ? cell : null;
}
