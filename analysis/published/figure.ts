/** A figure of a published report, and where our tables have the same one. */

export interface Figure {
  /** Where the report prints it. */
  readonly place: string;
  readonly table: string;
  /** Leading text cells of the row. */
  readonly row: readonly string[];
  /** Name of the column in files: `score`, `score_low`, `wins_of`. */
  readonly column: string;
  /**
   * `equal` at the printed precision; `below`: less than; `level`: the interval of the column holds 0, and the row's
   * two names may change places.
   */
  readonly test: "equal" | "below" | "level";
  /** As printed, with a plain minus; empty for `level`. */
  readonly printed: string;
}

/**
 * Equal figures of a printed table.
 *
 * @param columns of the text after the name of the row
 * @param text a line a row, cells between bars; the name of the row is one cell for each leading text column, between
 *   slashes; a dot is a cell that was not printed
 */
export function figures(place: string, table: string, columns: readonly string[], text: string): Figure[] {
  return text.trim().split("\n").flatMap((line) => {
    const [name, ...cells] = line.split("|").map((cell) => cell.trim());
    const row = name.split("/").map((part) => part.trim());
    return columns.flatMap((column, at): Figure[] => {
      const printed = cells[at] ?? ".";
      return printed === "." ? [] : [{ place, table, row, column, test: "equal", printed }];
    });
  });
}

/** A difference that the report calls level or within noise. */
export function level(place: string, table: string, column: string, ...row: string[]): Figure {
  return { place, table, row, column, test: "level", printed: "" };
}

/** A cell that the report says is less than a figure. */
export function below(
  place: string,
  table: string,
  column: string,
  printed: string,
  ...row: string[]
): Figure {
  return { place, table, row, column, test: "below", printed };
}

/** A figure as a number. */
export function valueOf({ printed }: Pick<Figure, "printed">): number {
  return Number(printed.replaceAll(",", ""));
}

/** Decimals that it is printed with. */
export function digitsOf({ printed }: Pick<Figure, "printed">): number {
  return printed.split(".")[1]?.length ?? 0;
}

/** A figure that another command checks. */
export interface OtherFigure {
  readonly place: string;
  readonly what: string;
  readonly printed: string;
  readonly checkedBy: string;
}
