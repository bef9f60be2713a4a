/** Recorded numbers, and how far a right prediction may lie from them. */

export interface RecordedNumber {
  /** `psnr`, `ssim`, `lpips` or `score`. */
  readonly metric: string;
  readonly value: number;
  /** A prediction further off refutes what it was made with. */
  readonly tolerance: number;
}

/**
 * What the same conventions may differ by between programs that compute in float32. Between our own device and the
 * float64 reference it is a hundredth of that (docs/fidelity.md).
 */
const DRIFT: Readonly<Record<string, number>> = { psnr: 2e-4, ssim: 2e-5, lpips: 1e-4, score: 0.01 };

/** More digits than this are no rounding that anybody did on purpose. */
const MOST_DECIMALS = 6;

/**
 * Recorded numbers of one column, with the tolerance that their digits ask for.
 *
 * @param noise what else each may be off by, of the same length; none by default
 */
export function recordedNumbers(
  metric: string,
  values: readonly number[],
  noise: readonly number[] = values.map(() => 0),
): RecordedNumber[] {
  const rounding = 0.5 * 10 ** -decimalsOf(values);
  return values.map((value, i) => ({ metric, value, tolerance: rounding + (DRIFT[metric] ?? 0) + noise[i] }));
}

/** How many decimals a column was written with, at most six; a column of float32 shows those of its decimal source. */
export function decimalsOf(values: Iterable<number>): number {
  let most = 0;
  for (const value of values) {
    while (most < MOST_DECIMALS && !hasDecimals(value, most)) most++;
  }
  return most;
}

function hasDecimals(value: number, decimals: number): boolean {
  const rounded = Number(value.toFixed(decimals));
  return rounded === value || Math.fround(rounded) === value;
}

/** Whether a prediction agrees with the record. A NaN does not. */
export function agrees({ value, tolerance }: RecordedNumber, predicted: number): boolean {
  return Math.abs(predicted - value) <= tolerance;
}
