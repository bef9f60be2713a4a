/** Our tables beside the published ones, cell by cell. */
import { BenchError } from "../../env/errors.ts";
import type { Analysis } from "../analyze.ts";
import { fixed } from "../number_format.ts";
import { flatColumns, type Omission, type ResultTable, resultTable, text } from "../result_table.ts";
import { digitsOf, type Figure, type OtherFigure, valueOf } from "./figure.ts";
import { SHADOW_FIGURES, SHADOW_OTHER_FIGURES } from "./shadow_figures.ts";
import { SPLAT_FIGURES, SPLAT_OTHER_FIGURES } from "./splat_figures.ts";

const FIGURES: Readonly<Record<Analysis["bench"], readonly Figure[]>> = {
  splat: SPLAT_FIGURES,
  shadow: SHADOW_FIGURES,
};
const OTHERS: Readonly<Record<Analysis["bench"], readonly OtherFigure[]>> = {
  splat: SPLAT_OTHER_FIGURES,
  shadow: SHADOW_OTHER_FIGURES,
};

/** A figure, what our tables have there, and whether the two agree. */
export interface Comparison {
  readonly figure: Figure;
  /** As printed, at the published precision; null where the table has no such cell. */
  readonly ours: string | null;
  readonly difference: string;
  readonly agrees: boolean;
}

/**
 * Compares the full scores of each benchmark there is; partial ones are others.
 *
 * @param ids of the tables whose figures are compared; none means all
 * @returns for each benchmark a table with a row for each figure whose table there is, and how many of them differ; a
 *   cell that is missing from a table that is there differs
 * @throws BenchError when there is nothing to compare
 */
export function againstPublished(
  analyses: readonly Analysis[],
  ids: readonly string[] = [],
): { tables: ResultTable[]; omissions: Omission[]; differing: number } {
  const tables: ResultTable[] = [];
  const omissions: Omission[] = [];
  let differing = 0;
  for (const [bench, own] of Map.groupBy(analyses, ({ bench }) => bench)) {
    const full = own.find(({ scoreKind }) => scoreKind === "full");
    const compared = full === undefined ? [] : comparisons(full, ids);
    if (full === undefined || compared.length === 0) {
      const why = full === undefined
        ? "the scores are partial, the published ones full"
        : "no table of theirs is here";
      omissions.push({ id: `against_published of ${bench}`, why });
      continue;
    }
    tables.push(againstTable(full, compared, ids));
    differing += compared.filter(({ agrees }) => !agrees).length;
  }
  if (tables.length > 0) return { tables, omissions, differing };
  throw new BenchError({
    what: "Cannot compare with the published tables",
    why: omissions[0]?.why ?? "there is no episode",
    fix: "Name the published data, or a run of the same tasks, models and settings",
  });
}

function againstTable(
  { bench, scoreKind, tables }: Analysis,
  compared: readonly Comparison[],
  ids: readonly string[],
): ResultTable {
  const same = compared.filter(({ agrees }) => agrees).length;
  const present = new Set(tables.map(({ id }) => id));
  const absent = [...new Set(figuresOf(bench, ids).map(({ table }) => table))].filter((id) =>
    !present.has(id)
  );
  return resultTable(
    {
      bench,
      scoreKind,
      id: "against_published",
      title: "Ours and the published figures",
      notes: [
        `${same} of ${compared.length} figures are the same at the printed precision.`,
        ...absent.map((id) => `Not compared, for these data do not give it: the table ${id}.`),
        ...OTHERS[bench].map(({ what, printed, checkedBy }) =>
          `Not compared: ${printed} ${what} (${checkedBy}).`
        ),
      ],
    },
    compared,
    [
      text("table", "Table", ({ figure }) => figure.table),
      text("row", "Row", ({ figure }) => figure.row.join(" / ")),
      text("column", "Column", ({ figure }) => figure.column),
      text("ours", "Ours", ({ ours }) => ours),
      text("published", "Published", ({ figure }) => printedOf(figure)),
      text("difference", "Difference", ({ difference }) => difference),
      text("verdict", "", ({ agrees }) => agrees ? "" : "differs"),
      text("place", "In the report", ({ figure }) => figure.place),
    ],
  );
}

function figuresOf(bench: Analysis["bench"], ids: readonly string[]): Figure[] {
  return FIGURES[bench].filter(({ table }) => ids.length === 0 || ids.includes(table));
}

/** One for each figure whose table there is. */
export function comparisons(
  { bench, tables }: Pick<Analysis, "bench" | "tables">,
  ids: readonly string[] = [],
): Comparison[] {
  return figuresOf(bench, ids).flatMap((figure) => {
    const table = tables.find(({ id }) => id === figure.table);
    return table === undefined ? [] : [compare(figure, table)];
  });
}

function compare(figure: Figure, table: ResultTable): Comparison {
  const columns = new Map(flatColumns(table).map(({ name, values }) => [name, values]));
  const at = rowOf(figure, table);
  const value = (name: string) => {
    const cell = at < 0 ? undefined : columns.get(name)?.[at];
    return typeof cell === "number" ? cell : null;
  };
  if (figure.test === "level") {
    const [low, high] = [value(`${figure.column}_low`), value(`${figure.column}_high`)];
    const ours = low === null || high === null ? null : `${fixed(low, 1)} to ${fixed(high, 1)}`;
    const agrees = low !== null && high !== null && low <= 0 && high >= 0;
    return { figure, ours, difference: "", agrees };
  }
  const digits = digitsOf(figure);
  const [ours, theirs] = [value(figure.column), valueOf(figure)];
  if (ours === null) return { figure, ours, difference: "not there", agrees: false };
  const shown = fixed(ours, digits);
  const agrees = figure.test === "below" ? ours < theirs : shown === fixed(theirs, digits);
  return { figure, ours: shown, difference: fixed(ours - theirs, digits + 1), agrees };
}

/** −1 where the table has no such row. */
function rowOf({ row, test }: Figure, { columns, rows }: ResultTable): number {
  const find = (wanted: readonly string[]) =>
    rows.findIndex((cells) =>
      wanted.every((name, at) => columns[at].format.kind === "text" && sameName(cells[at], name))
    );
  const at = find(row);
  return at < 0 && test === "level" ? find([...row].reverse()) : at;
}

/** `GPT-6.1 Sol` and `gpt-6.1-sol` are one model. */
function sameName(cell: unknown, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replaceAll(" ", "-");
  return typeof cell === "string" && plain(cell) === plain(name);
}

function printedOf({ test, printed }: Figure): string {
  if (test === "level") return "level";
  return `${test === "below" ? "below " : ""}${printed.replace("-", "−")}`;
}
