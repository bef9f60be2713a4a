import assert from "node:assert/strict";
import {
  bootstrapInterval,
  bootstrapper,
  type BootstrapRecipe,
  DEFAULT_RECIPE,
} from "../../analysis/bootstrap.ts";
import given from "../fixtures/numpy_intervals.json" with { type: "json" };
import fixture from "../fixtures/numpy_random.json" with { type: "json" };

/** Whatever a recipe is called in the fixture. */
const RECIPES: Record<string, Partial<BootstrapRecipe>> = {
  "default_rng.integers/rows": {},
  "default_rng.integers/columns": { shape: "columns" },
  "random_state.randint/rows": { draw: "random_state.randint" },
  "random_state.randint/columns": { draw: "random_state.randint", shape: "columns" },
  "python.choices/rows": { draw: "python.choices" },
};

Deno.test("bootstrapInterval() equals numpy's bounds to the last bit for every recipe", () => {
  const scores = new Map(Object.entries(fixture.scores));
  const means = new Map(Object.entries(fixture.score_means));
  let checked = 0;
  for (const [count, bySeed] of Object.entries(fixture.intervals)) {
    for (const [seed, byRecipe] of Object.entries(bySeed)) {
      for (const [name, [low, high]] of Object.entries(byRecipe)) {
        const recipe = { ...DEFAULT_RECIPE, ...RECIPES[name], seed: BigInt(seed) };
        const interval = bootstrapInterval(scores.get(count) ?? [], recipe);
        assert.deepEqual(interval, { mean: means.get(count), low, high }, `${count} ${seed} ${name}`);
        checked++;
      }
    }
  }
  assert.equal(checked, 4 * (2 * 5 + 3));
});

Deno.test("bootstrapInterval() equals numpy's bounds for eleven seeds and two counts of resamples", () => {
  for (const [counts, resamples] of [[given.ten_thousand, 10_000], [given.one_thousand, 1000]] as const) {
    for (const [seed, [low, high]] of Object.entries(counts)) {
      const interval = bootstrapInterval(given.x, { ...DEFAULT_RECIPE, seed: BigInt(seed), resamples });
      assert.deepEqual([interval.low, interval.high], [low, high], `${seed}, ${resamples}`);
    }
  }
});

Deno.test("bootstrapper() takes turns at one generator where the recipe shares it", () => {
  const interval = bootstrapper({ ...DEFAULT_RECIPE, generator: "shared" });
  const bounds = Object.values(fixture.scores).map(interval).map(({ low, high }) => [low, high]);
  assert.deepEqual(bounds, fixture.shared);
});

Deno.test("bootstrapInterval() of one task is the task's value", () => {
  assert.deepEqual(bootstrapInterval([-3.25]), { mean: -3.25, low: -3.25, high: -3.25 });
});

Deno.test("bootstrapInterval() of equal values is that value, of no or non-finite ones an error", () => {
  assert.deepEqual(bootstrapInterval([2.5, 2.5, 2.5]), { mean: 2.5, low: 2.5, high: 2.5 });
  assert.throws(() => bootstrapInterval([]), /there is no task, wanted at least one/);
  assert.throws(() => bootstrapInterval([1, Number.NaN]), /a task mean is NaN, wanted finite numbers/);
});
