/** Percentile bootstrap intervals of a mean over tasks, by a recipe that names every choice behind the numbers. */
import { BenchError } from "../env/errors.ts";
import { defaultRng, pythonRandom, randomState } from "./numpy_random.ts";
import { mean, pairwiseSum, percentiles } from "./numpy_math.ts";

/** Draws [size] indices below `population`, with replacement. */
type Draw = (population: number, size: number) => number[];

/** Calls that draw indices, by the seed of their generator. */
const DRAWS = {
  "default_rng.integers": (seed: bigint): Draw => {
    const rng = defaultRng(seed);
    return (population: number, size: number) => rng.integers(0, population, size);
  },
  "random_state.randint": (seed: bigint): Draw => {
    const rng = randomState(seed);
    return (population: number, size: number) => rng.randint(0, population, size);
  },
  "python.choices": (seed: bigint): Draw => {
    const rng = pythonRandom(seed);
    return (population: number, size: number) => rng.choices(population, size);
  },
};

/** Every choice that changes a bound. Percentiles are numpy's linear ones at 2.5 and 97.5. */
export interface BootstrapRecipe {
  /** numpy's `choice` draws the same indices as the call named here, of either generator. */
  readonly draw: keyof typeof DRAWS;
  readonly seed: bigint;
  readonly resamples: number;
  /**
   * Index array [resamples, tasks] with means along its rows, the same as a loop that draws one resample at a time;
   * or [tasks, resamples] with means down its columns.
   */
  readonly shape: "rows" | "columns";
  /** Whether each interval of a table has a generator of its own or all take turns at one. */
  readonly generator: "per-interval" | "shared";
}

/** What every interval of ours is made by. */
export const DEFAULT_RECIPE: BootstrapRecipe = {
  draw: "default_rng.integers",
  seed: 0n,
  resamples: 10_000,
  shape: "rows",
  generator: "per-interval",
};

/** A mean with its 95% interval. */
export interface Interval {
  mean: number;
  low: number;
  high: number;
}

/**
 * The interval of one sample.
 *
 * @param taskMeans [tasks] one value a task, in the order of the table: the order changes the draws' meaning
 * @returns low = high = mean for one task
 * @throws BenchError for no task and for values that are not finite
 */
export function bootstrapInterval(taskMeans: readonly number[], recipe = DEFAULT_RECIPE): Interval {
  return bootstrapper(recipe)(taskMeans);
}

/** Makes the intervals of a table, in order; the order matters where the recipe shares one generator. */
export function bootstrapper(recipe = DEFAULT_RECIPE): (taskMeans: readonly number[]) => Interval {
  const resample = resampler(recipe);
  return (taskMeans) => {
    const [low, high] = percentiles(resample(taskMeans), [2.5, 97.5]);
    return { mean: mean(taskMeans), low, high };
  };
}

/** Makes the means of resamples, [resamples], of one sample after the other; throws as `bootstrapInterval` does. */
export function resampler(recipe = DEFAULT_RECIPE): (values: readonly number[]) => Float64Array {
  const draw = recipe.generator === "shared" ? DRAWS[recipe.draw](recipe.seed) : freshDraw(recipe);
  return (values) => {
    requireFinite(values);
    return resampledMeans(values, draw, recipe);
  };
}

/** Calls that draw indices. */
export const DRAW_NAMES = ["default_rng.integers", "random_state.randint", "python.choices"] as const;

/** A generator of its own for every call; the indices for one number of tasks are the same each time. */
function freshDraw(recipe: BootstrapRecipe): Draw {
  const drawn = new Map<number, number[]>();
  return (population, size) => {
    const indices = drawn.get(population) ?? DRAWS[recipe.draw](recipe.seed)(population, size);
    drawn.set(population, indices);
    return indices;
  };
}

/** [resamples] */
function resampledMeans(
  values: readonly number[],
  draw: Draw,
  { resamples, shape }: BootstrapRecipe,
): Float64Array {
  const count = values.length;
  const means = new Float64Array(resamples);
  const indices = draw(count, resamples * count);
  if (shape === "rows") {
    const row = new Float64Array(count);
    for (let at = 0; at < resamples; at++) {
      for (let i = 0; i < count; i++) row[i] = values[indices[at * count + i]];
      means[at] = pairwiseSum(row) / count;
    }
    return means;
  }
  // Down columns numpy adds whole rows, so each mean is a plain running sum.
  for (let i = 0; i < count; i++) {
    for (let at = 0; at < resamples; at++) means[at] += values[indices[i * resamples + at]];
  }
  return means.map((sum) => sum / count);
}

function requireFinite(values: readonly number[]): void {
  const what = "Cannot make a bootstrap interval";
  if (values.length === 0) throw new BenchError({ what, why: "there is no task, wanted at least one" });
  const bad = values.find((value) => !Number.isFinite(value));
  if (bad === undefined) return;
  throw new BenchError({
    what,
    why: `a task mean is ${bad}, wanted finite numbers`,
    fix: "Leave out tasks without a value",
  });
}
