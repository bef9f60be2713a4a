/** Tables of text for a terminal and for Markdown; a cell is one short line, control characters in it are visible. */
import { plainLine } from "../env/plain_text.ts";

export interface TextColumn {
  readonly title: string;
  readonly align: "left" | "right";
}

/** Columns two spaces apart, a rule under the titles, no trailing blanks. `rows` is [rows, columns]. */
export function textTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const titles = columns.map(({ title }) => plainLine(title));
  const lines = rows.map((row) => row.map(oneLine));
  const widths = titles.map((title, i) => Math.max(width(title), ...lines.map((row) => width(row[i]))));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => pad(cell, widths[i], columns[i].align)).join("  ").trimEnd();
  return [
    line(titles),
    line(widths.map((count) => "─".repeat(count))),
    ...lines.map(line),
  ].join("\n");
}

/** The same as a Markdown table. */
export function markdownTable(columns: readonly TextColumn[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(({ title }) => escaped(title))),
    line(columns.map(({ align }) => align === "left" ? "---" : "---:")),
    ...rows.map((row) => line(row.map(escaped))),
  ].join("\n");
}

function escaped(cell: string): string {
  return oneLine(cell).replaceAll("|", "\\|");
}

/** Most characters of a cell: no name is longer but one made to spoil a table. Files of other forms have it whole. */
const LONGEST = 160;

function oneLine(cell: string): string {
  const line = plainLine(cell);
  return width(line) > LONGEST ? `${[...line].slice(0, LONGEST - 1).join("")}…` : line;
}

function pad(text: string, to: number, align: TextColumn["align"]): string {
  const blanks = " ".repeat(to - width(text));
  return align === "left" ? text + blanks : blanks + text;
}

/** Characters, not UTF-16 units. */
function width(text: string): number {
  return [...text].length;
}
