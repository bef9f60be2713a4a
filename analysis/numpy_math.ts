/** Sums, means and percentiles in numpy's order of operations, so that the last bit agrees too. */
import { BenchError } from "../env/errors.ts";

/** Below this many values numpy adds eight accumulators instead of halving. */
const BLOCK = 128;
/** The accumulators; no sum is under way while another one uses them. */
const LANES = new Float64Array(8);

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
  const blocked = count - count % 8;
  for (let i = 0; i < 8; i++) LANES[i] = values[from + i];
  for (let i = 8; i < blocked; i++) LANES[i & 7] += values[from + i];
  let sum = ((LANES[0] + LANES[1]) + (LANES[2] + LANES[3])) + ((LANES[4] + LANES[5]) + (LANES[6] + LANES[7]));
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
  const sorted = new Float64Array(values).sort();
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
