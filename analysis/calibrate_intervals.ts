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
  /** Of the first recipe that gives the bounds, ours before others; else of the nearest. */
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

/** Values tried, ours first. */
export const INTERVAL_VALUES = {
  draw: DRAW_NAMES,
  seed: [0n, 1n, 2n, 3n, 7n, 13n, 42n, 100n, 123n, 1234n, 12345n, 1337n, 2024n, 2025n, 2026n],
  resamples: [10_000, 1000, 2000, 5000, 20_000],
  shape: ["rows", "columns"],
  generator: ["per-interval", "shared"],
  unit: ["tasks", "episodes"],
  order: ["by id", "as recorded"],
  percentile: ["linear", "sorted index"],
} as const satisfies { readonly [Knob in IntervalKnob]: readonly IntervalRecipe[Knob][] };

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
): IntervalCalibration {
  const tolerance = 0.5 * 10 ** -decimals + 1e-9;
  const agreeing: IntervalRecipe[] = [];
  let nearest = { recipe: OUR_RECIPE, gap: Infinity };
  let [tried, hits, misses] = [0, 0, 0];
  for (const family of families()) {
    status(`${family.draw}, seed ${family.seed}, ${family.resamples} resamples`);
    const resample = resampler(family);
    for (const recipe of members(family)) {
      tried++;
      const gaps = gapsOf(recipe, rows.slice(0, 1), resample);
      const within = gaps.filter((gap) => gap <= tolerance).length;
      if (Math.max(...gaps) < nearest.gap) nearest = { recipe, gap: Math.max(...gaps) };
      if (within === gaps.length && boundsAgree(recipe, rows, tolerance)) agreeing.push(recipe);
      else [hits, misses] = [hits + within, misses + gaps.length - within];
    }
  }
  const byChance = tried * (hits / Math.max(1, hits + misses)) ** (2 * rows.length);
  const recipe = agreeing.at(0) ?? nearest.recipe;
  const findings = knobs().map((knob): IntervalFinding => {
    const left = new Set(agreeing.map((own) => String(own[knob])));
    const sure = left.size === 1 && byChance <= MOST_BY_CHANCE;
    return {
      knob,
      verdict: agreeing.length === 0 ? "unexplained" : sure ? "decided" : "undecided",
      value: String(recipe[knob]),
      evidence: variants(recipe, knob).map((other) => ({
        label: String(other[knob]),
        possible: left.has(String(other[knob])),
        gap: percentiles(gapsOf(other, rows), [50])[0],
      })),
    };
  });
  return { findings, recipe, agreeing: agreeing.length, tried, byChance };
}

/** The bounds of rows by a recipe, in turn. */
export function boundsOf(
  recipe: IntervalRecipe,
  rows: readonly Pick<BoundsRow, "tasks">[],
  resample = resampler(recipe),
): [number, number][] {
  return rows.map(({ tasks }) => {
    const ordered = [...tasks];
    if (recipe.order === "by id") ordered.sort(([a], [b]) => byText(a, b));
    const values = ordered.flatMap(([, scores]) => recipe.unit === "tasks" ? [mean(scores)] : scores);
    const means = resample(values);
    if (recipe.percentile === "linear") {
      const [low, high] = percentiles(means, [2.5, 97.5]);
      return [low, high];
    }
    const sorted = means.toSorted();
    return [sorted[Math.floor(0.025 * sorted.length)], sorted[Math.floor(0.975 * sorted.length)]];
  });
}

/** |bound − recorded|, two a row. */
function gapsOf(recipe: IntervalRecipe, rows: readonly BoundsRow[], resample = resampler(recipe)): number[] {
  return boundsOf(recipe, rows, resample).flatMap(([low, high], i) => [
    Math.abs(low - rows[i].low),
    Math.abs(high - rows[i].high),
  ]);
}

function boundsAgree(recipe: IntervalRecipe, rows: readonly BoundsRow[], tolerance: number): boolean {
  const resample = resampler(recipe);
  return rows.every((row) => gapsOf(recipe, [row], resample).every((gap) => gap <= tolerance));
}

/** Recipes that draw different numbers for the first row. */
function* families(): Generator<IntervalRecipe> {
  const { draw: draws, seed: seeds, resamples: counts, shape: shapes } = INTERVAL_VALUES;
  for (const resamples of counts) {
    for (const draw of draws) {
      for (const seed of seeds) {
        for (const shape of shapes) yield { ...OUR_RECIPE, draw, seed, resamples, shape };
      }
    }
  }
}

/** Recipes of a family. On the first row a shared generator is like one of its own. */
function* members(family: IntervalRecipe): Generator<IntervalRecipe> {
  for (const unit of INTERVAL_VALUES.unit) {
    for (const order of INTERVAL_VALUES.order) {
      for (const percentile of INTERVAL_VALUES.percentile) {
        for (const generator of INTERVAL_VALUES.generator) {
          yield { ...family, unit, order, percentile, generator };
        }
      }
    }
  }
}

/** A recipe with each value of one knob. */
function variants(recipe: IntervalRecipe, knob: IntervalKnob): IntervalRecipe[] {
  return INTERVAL_VALUES[knob].map((value) => ({ ...recipe, [knob]: value }));
}

function knobs(): IntervalKnob[] {
  return ["unit", "order", "draw", "seed", "resamples", "shape", "generator", "percentile"];
}
