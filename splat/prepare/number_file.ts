/** Text files of numbers. */
import { badCapture } from "./capture.ts";
import { readSourceText } from "./source_files.ts";

/** Lines of numbers parted by white space; empty lines and `#` comments are left out. @throws BenchError with file and line */
export async function readNumberRows(path: string): Promise<number[][]> {
  const lines = (await readSourceText(path)).split(/\r?\n/);
  return lines.flatMap((line, i) => {
    const words = line.replace(/#.*/, "").split(/\s+/).filter((word) => word !== "");
    return words.length === 0 ? [] : [words.map((word) => toNumber(word, path, `line ${i + 1}`))];
  });
}

/** A matrix of 4 × 4. @throws BenchError naming the file */
export async function readMatrix4(path: string): Promise<number[][]> {
  const rows = await readNumberRows(path);
  if (rows.length === 4 && rows.every((row) => row.length === 4)) return rows;
  throw badCapture(path, null, `a matrix of 4 × 4 is needed, its rows have ${sizes(rows)} numbers`);
}

/** @throws BenchError for a word that is no finite number */
export function toNumber(word: string, path: string, field: string): number {
  const value = Number(word);
  if (word !== "" && Number.isFinite(value)) return value;
  throw badCapture(path, field, `${JSON.stringify(word)} is no number`);
}

/** Row lengths for errors: `4, 4, 3`. */
export function sizes(rows: readonly (readonly number[])[]): string {
  return rows.length === 0 ? "no" : rows.map((row) => row.length).join(", ");
}
