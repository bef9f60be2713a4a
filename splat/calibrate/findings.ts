/** What a search found out about each knob, with the evidence. */
import type { Knob } from "./knob.ts";
import { agrees, type RecordedNumber } from "./recorded.ts";
import type { SearchResult } from "./search.ts";

/**
 * `decided`: no profile with another value agrees with the records. `undecided`: several values do. `unexplained`: no
 * profile agrees at all, so that nothing can be said; the value is that of the nearest profile.
 */
export type Verdict = "decided" | "undecided" | "unexplained";

export interface Finding {
  readonly knob: string;
  readonly verdict: Verdict;
  /** The value of the best profile. */
  readonly value: string;
  readonly evidence: readonly Evidence[];
}

/** How one value, with the others as in the best profile, stands to the records. */
export interface Evidence {
  readonly label: string;
  /** Whether some profile with this value agrees with the records. */
  readonly possible: boolean;
  /** Recorded numbers that it misses by more than their tolerance. */
  readonly missed: number;
  /** By metric: median of |predicted − recorded|, and the largest change that the value makes to a prediction. */
  readonly gaps: Readonly<Record<string, { readonly median: number; readonly effect: number }>>;
}

/** One finding a knob, in their order. */
export function findingsOf(
  knobs: readonly Pick<Knob<unknown>, "name" | "values">[],
  numbers: readonly RecordedNumber[],
  { best, agrees: explained, possible, predictions }: SearchResult,
): Finding[] {
  return knobs.map(({ name, values }, k) => {
    const base = predictions[k][best[k]];
    const evidence = values.map(({ label }, value): Evidence => ({
      label,
      possible: possible[k][value],
      missed: numbers.filter((number, i) => !agrees(number, predictions[k][value][i])).length,
      gaps: gapsOf(numbers, base, predictions[k][value]),
    }));
    const left = evidence.filter((entry) => entry.possible).length;
    const verdict = !explained ? "unexplained" : left === 1 ? "decided" : "undecided";
    return { knob: name, verdict, value: values[best[k]].label, evidence };
  });
}

function gapsOf(
  numbers: readonly RecordedNumber[],
  base: readonly number[],
  predicted: readonly number[],
): Evidence["gaps"] {
  const places = Map.groupBy(numbers.keys(), (i) => numbers[i].metric);
  return Object.fromEntries(
    [...places].map(([metric, own]) => [metric, {
      median: median(own.map((i) => Math.abs(predicted[i] - numbers[i].value))),
      effect: Math.max(...own.map((i) => Math.abs(predicted[i] - base[i]))),
    }]),
  );
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.floor(middle)] + sorted[Math.ceil(middle) - 1]) / 2;
}
