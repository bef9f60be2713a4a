/** One line of the bench: a ratio measured within one run. */
export interface BenchRow {
  name: string;
  ratio: number;
  /** Smallest ratio the project asks for; null for a figure that is only reported. */
  wanted: number | null;
  detail: string;
}
