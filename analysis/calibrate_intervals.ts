/** The bootstrap recipe that a leaderboard's printed bounds were made by. */
import { type BootstrapRecipe, DEFAULT_RECIPE, DRAW_NAMES, resampler } from "./bootstrap.ts";
import { mean, percentiles } from "./numpy_math.ts";
import { byText } from "./played_episode.ts";

/** One row of a leaderboard, and the scores behind it. */
export interface BoundsRow {
  readonly low: number;
  readonly high: number;
  /** Scores of the runs of each task, in the order the data have them. */
  readonly tasks: ReadonlyMap<string, readonly number[]>;
}

/** `BootstrapRecipe`, and what ours never vary. */
export interface IntervalRecipe extends BootstrapRecipe {
  /** What is resampled: the tasks' means, or single episodes. */
  readonly unit: "tasks" | "episodes";
  /** Of the tasks: by id, or as the data have them. */
  readonly order: "by id" | "as recorded";
  /** numpy's linear percentile, or entry ⌊p n⌋ of the sorted means. */
  readonly percentile: "linear" | "sorted index";
}

export type IntervalKnob = keyof IntervalRecipe;

export interface IntervalFinding {
  readonly knob: IntervalKnob;
  /** `decided` where every recipe that gives the bounds has this value, and none of them does so by chance. */
  readonly verdict: "decided" | "undecided" | "unexplained";
  /** Of the recipe nearest to ours that gives the bounds; else of the one nearest to the bounds. */
  readonly value: string;
  /** `gap`: median |bound − recorded| with the other knobs as in the best recipe. */
  readonly evidence: readonly { readonly label: string; readonly possible: boolean; readonly gap: number }[];
}

export interface IntervalCalibration {
  readonly findings: readonly IntervalFinding[];
  readonly recipe: IntervalRecipe;
  /** Recipes that give every bound. */
  readonly agreeing: number;
  readonly tried: number;
  /** How many recipes would give every bound by chance. */
  readonly byChance: number;
}

/** Values to try of each knob. */
export type IntervalValues = { readonly [Knob in IntervalKnob]: readonly IntervalRecipe[Knob][] };

/** Ours first. */
export const INTERVAL_VALUES: IntervalValues = {
  draw: DRAW_NAMES,
  seed: [0n, 1n, 2n, 3n, 7n, 13n, 42n, 100n, 123n, 1234n, 12345n, 1337n, 2024n, 2025n, 2026n],
  resamples: [10_000, 1000, 2000, 5000, 20_000],
  shape: ["rows", "columns"],
  generator: ["per-interval", "shared"],
  unit: ["tasks", "episodes"],
  order: ["by id", "as recorded"],
  percentile: ["linear", "sorted index"],
};

export const OUR_RECIPE: IntervalRecipe = {
  ...DEFAULT_RECIPE,
  unit: "tasks",
  order: "by id",
  percentile: "linear",
};

/** With more chance agreements than this expected, an agreement shows nothing. */
const MOST_BY_CHANCE = 0.01;

/**
 * Tries every recipe, most of them on the first row alone.
 *
 * @param rows at least one, in the order of the table: recipes may share one generator between them
 * @param status told of each generator and seed
 */
export function calibrateIntervals(
  rows: readonly BoundsRow[],
  decimals: number,
  status: (text: string) => void = () => {},
  values: IntervalValues = INTERVAL_VALUES,
): IntervalCalibration {
  const tolerance = 0.5 * 10 ** -decimals + 1e-9;
  const agreeing: IntervalRecipe[] = [];
  let nearest = { recipe: OUR_RECIPE, gap: Infinity };
  let [tried, hits, misses] = [0, 0, 0];
  for (const family of families(values)) {
    status(`${family.draw}, seed ${family.seed}, ${family.resamples} resamples`);
    const resample = resampler(family);
    for (const sample of samples(family, values)) {
      const means = resample(valuesOf(sample, rows[0])).sort();
      for (const recipe of members(sample, values)) {
        tried++;
        const gaps = gapsOf(rows[0], percentileBounds(recipe, means));
        const within = gaps.filter((gap) => gap <= tolerance).length;
        if (Math.max(...gaps) < nearest.gap) nearest = { recipe, gap: Math.max(...gaps) };
        if (within === gaps.length && agreesWith(recipe, rows, tolerance)) agreeing.push(recipe);
        else [hits, misses] = [hits + within, misses + gaps.length - within];
      }
    }
  }
  const byChance = tried * (hits / Math.max(1, hits + misses)) ** (2 * rows.length);
  const recipe = agreeing.toSorted((a, b) => changes(a) - changes(b)).at(0) ?? nearest.recipe;
  const findings = knobs().map((knob): IntervalFinding => {
    const left = new Set(agreeing.map((own) => String(own[knob])));
    const sure = left.size === 1 && byChance <= MOST_BY_CHANCE;
    return {
      knob,
      verdict: agreeing.length === 0 ? "unexplained" : sure ? "decided" : "undecided",
      value: String(recipe[knob]),
      evidence: variants(recipe, knob, values).map((other) => ({
        label: String(other[knob]),
        possible: left.has(String(other[knob])),
        gap: percentiles(allGaps(other, rows), [50])[0],
      })),
    };
  });
  return { findings, recipe, agreeing: agreeing.length, tried, byChance };
}

/** The bounds of rows by a recipe, in turn. */
export function boundsOf(recipe: IntervalRecipe, rows: readonly Pick<BoundsRow, "tasks">[]): Bounds[] {
  const resample = resampler(recipe);
  return rows.map((row) => percentileBounds(recipe, resample(valuesOf(recipe, row)).sort()));
}

type Bounds = readonly [low: number, high: number];

/** What is resampled. */
function valuesOf({ unit, order }: IntervalRecipe, { tasks }: Pick<BoundsRow, "tasks">): number[] {
  const ordered = order === "by id" ? [...tasks].sort(([a], [b]) => byText(a, b)) : [...tasks];
  return ordered.flatMap(([, scores]) => unit === "tasks" ? [mean(scores)] : scores);
}

function percentileBounds({ percentile }: IntervalRecipe, sorted: Float64Array): Bounds {
  if (percentile === "sorted index") {
    return [sorted[Math.floor(0.025 * sorted.length)], sorted[Math.floor(0.975 * sorted.length)]];
  }
  const [low, high] = percentiles(sorted, [2.5, 97.5]);
  return [low, high];
}

/** |bound − recorded| of both bounds. */
function gapsOf(row: BoundsRow, [low, high]: Bounds): [number, number] {
  return [Math.abs(low - row.low), Math.abs(high - row.high)];
}

function allGaps(recipe: IntervalRecipe, rows: readonly BoundsRow[]): number[] {
  return boundsOf(recipe, rows).flatMap((bounds, i) => gapsOf(rows[i], bounds));
}

/** Stops at the first row that does not. */
function agreesWith(recipe: IntervalRecipe, rows: readonly BoundsRow[], tolerance: number): boolean {
  const resample = resampler(recipe);
  return rows.every((row) => {
    const bounds = percentileBounds(recipe, resample(valuesOf(recipe, row)).sort());
    return gapsOf(row, bounds).every((gap) => gap <= tolerance);
  });
}

/** Knobs in which a recipe is not ours. */
function changes(recipe: IntervalRecipe): number {
  return knobs().filter((knob) => recipe[knob] !== OUR_RECIPE[knob]).length;
}

/** Recipes that draw different numbers for the first row. */
function* families(values: IntervalValues): Generator<IntervalRecipe> {
  const { draw: draws, seed: seeds, resamples: counts, shape: shapes } = values;
  for (const resamples of counts) {
    for (const draw of draws) {
      for (const seed of seeds) {
        for (const shape of shapes) yield { ...OUR_RECIPE, draw, seed, resamples, shape };
      }
    }
  }
}

/** Recipes of a family that resample different values. */
function* samples(family: IntervalRecipe, values: IntervalValues): Generator<IntervalRecipe> {
  for (const unit of values.unit) {
    for (const order of values.order) yield { ...family, unit, order };
  }
}

/** Recipes with the same resamples of the first row, where a shared generator is like one of its own. */
function* members(sample: IntervalRecipe, values: IntervalValues): Generator<IntervalRecipe> {
  for (const percentile of values.percentile) {
    for (const generator of values.generator) yield { ...sample, percentile, generator };
  }
}

/** A recipe with each value of one knob. */
function variants(recipe: IntervalRecipe, knob: IntervalKnob, values: IntervalValues): IntervalRecipe[] {
  return values[knob].map((value) => ({ ...recipe, [knob]: value }));
}

function knobs(): IntervalKnob[] {
  return ["unit", "order", "draw", "seed", "resamples", "shape", "generator", "percentile"];
}
