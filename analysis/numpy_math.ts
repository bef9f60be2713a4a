/** Sums, means and percentiles in numpy's order of operations, so that the last bit agrees too. */
import { BenchError } from "../env/errors.ts";

/** Below this many values numpy adds eight accumulators instead of halving. */
const BLOCK = 128;

/** `numpy.sum` of contiguous float64 (pairwise summation, numpy/_core/src/umath/loops_utils.h.src). */
export function pairwiseSum(values: ArrayLike<number>, from = 0, count = values.length - from): number {
  if (count < 8) {
    let sum = -0;
    for (let i = 0; i < count; i++) sum += values[from + i];
    return count === 0 ? 0 : sum;
  }
  if (count > BLOCK) {
    const half = Math.floor(count / 2) - Math.floor(count / 2) % 8;
    return pairwiseSum(values, from, half) + pairwiseSum(values, from + half, count - half);
  }
  const partial = Array.from({ length: 8 }, (_, lane) => values[from + lane]);
  const blocked = count - count % 8;
  for (let i = 8; i < blocked; i++) partial[i % 8] += values[from + i];
  let sum = ((partial[0] + partial[1]) + (partial[2] + partial[3])) +
    ((partial[4] + partial[5]) + (partial[6] + partial[7]));
  for (let i = blocked; i < count; i++) sum += values[from + i];
  return sum;
}

/** `numpy.mean`; throws BenchError for no values. */
export function mean(values: ArrayLike<number>): number {
  if (values.length === 0) throw noValues("a mean");
  return pairwiseSum(values) / values.length;
}

/**
 * `numpy.percentile(values, percents)` with the default linear method.
 *
 * @param values in any order
 * @param percents in [0, 100]
 * @throws BenchError for no values
 */
export function percentiles(values: ArrayLike<number>, percents: readonly number[]): number[] {
  if (values.length === 0) throw noValues("a percentile");
  const sorted = Float64Array.from(values).sort();
  return percents.map((percent) => {
    const position = percent / 100 * (sorted.length - 1);
    const below = Math.floor(position);
    const [low, high] = [sorted[below], sorted[Math.min(below + 1, sorted.length - 1)]];
    const weight = position - below;
    // numpy interpolates from the nearer end.
    return weight >= 0.5 ? high - (high - low) * (1 - weight) : low + (high - low) * weight;
  });
}

function noValues(of: string): BenchError {
  return new BenchError({ what: `Cannot take ${of}`, why: "there are no values, wanted at least one" });
}
