import assert from "node:assert/strict";
import {
  boundsOf,
  type BoundsRow,
  calibrateIntervals,
  INTERVAL_VALUES,
  type IntervalRecipe,
  type IntervalValues,
  OUR_RECIPE,
} from "../../analysis/calibrate_intervals.ts";
import { stream } from "../../env/random.ts";
import given from "../fixtures/numpy_intervals.json" with { type: "json" };

/** Enough to be wrong with, and quick. */
const VALUES: IntervalValues = {
  ...INTERVAL_VALUES,
  seed: [0n, 1n, 7n, 42n],
  resamples: [10_000, 1000, 2000],
};
const TABLES = Deno.env.get("BENCH_SOAK") ? 20 : 3;
const DECIMALS = 1;

/** A leaderboard of eight models on twelve tasks, twice each; tasks come in no order. */
function scores(seed: number): Pick<BoundsRow, "tasks">[] {
  const draw = stream(seed, "leaderboard");
  const ids = Array.from({ length: 12 }, (_, task) => `task_${(task * 5) % 12}`);
  return Array.from({ length: 8 }, (_, model) => ({
    tasks: new Map(ids.map((id) => {
      const middle = 8 * model + 30 * draw.normal();
      return [id, [middle + 9 * draw.normal(), middle + 9 * draw.normal()]];
    })),
  }));
}

function printed(rows: readonly Pick<BoundsRow, "tasks">[], recipe: IntervalRecipe): BoundsRow[] {
  const round = (value: number) => Number(value.toFixed(DECIMALS));
  return boundsOf(recipe, rows).map(([low, high], i) => ({ ...rows[i], low: round(low), high: round(high) }));
}

function drawnRecipe(seed: number): IntervalRecipe {
  const draw = stream(seed, "recipe");
  const one = <Value>(values: readonly Value[]): Value => values[draw.integer(0, values.length)];
  return {
    draw: one(VALUES.draw),
    seed: one(VALUES.seed),
    resamples: one(VALUES.resamples),
    shape: one(VALUES.shape),
    generator: one(VALUES.generator),
    unit: one(VALUES.unit),
    order: one(VALUES.order),
    percentile: one(VALUES.percentile),
  };
}

for (let table = 1; table <= TABLES; table++) {
  Deno.test(`calibrateIntervals() finds the recipe of leaderboard ${table} from bounds of one decimal`, () => {
    const truth = drawnRecipe(table);
    const { findings, agreeing } = calibrateIntervals(
      printed(scores(table), truth),
      DECIMALS,
      () => {},
      VALUES,
    );
    assert.ok(agreeing > 0);
    for (const { knob, verdict, value, evidence } of findings) {
      assert.ok(evidence.find(({ label }) => label === String(truth[knob]))?.possible, knob);
      if (verdict === "decided") assert.equal(value, String(truth[knob]), knob);
    }
    const decided = findings.filter(({ verdict }) => verdict === "decided").map(({ knob }) => knob);
    for (const knob of ["unit", "order", "draw", "seed", "resamples"] as const) {
      assert.ok(decided.includes(knob), `${knob} is not decided`);
    }
  });
}

Deno.test("calibrateIntervals() finds the seed and the resamples of bounds that numpy printed", () => {
  for (const [bounds, resamples] of [[given.ten_thousand, 10_000], [given.one_thousand, 1000]] as const) {
    const [low, high] = bounds["42"];
    const tasks = new Map(given.x.map((value, at) => [`t${String(at).padStart(2, "0")}`, [value]]));
    const { recipe, findings } = calibrateIntervals([{ low, high, tasks }], 9, () => {}, VALUES);
    assert.deepEqual(recipe, { ...OUR_RECIPE, seed: 42n, resamples });
    const verdicts = Object.fromEntries(findings.map(({ knob, verdict }) => [knob, verdict]));
    assert.equal(verdicts.seed, "decided");
    // One row has one generator, and one run a task is an episode.
    assert.deepEqual([verdicts.generator, verdicts.unit, verdicts.order], [
      "undecided",
      "undecided",
      "undecided",
    ]);
  }
});

Deno.test("calibrateIntervals() claims nothing where no recipe gives the bounds, or many would by chance", () => {
  const truth = { ...OUR_RECIPE, seed: 7n };
  const without = { ...VALUES, seed: [0n, 1n, 42n] };
  const rows = printed(scores(9), truth);
  const none = calibrateIntervals(rows, DECIMALS, () => {}, without);
  assert.ok(none.findings.every(({ verdict }) => verdict === "unexplained"));
  // Whole numbers, one row: the bounds of nearly any recipe.
  const [row] = rows;
  const coarse = { ...row, low: Math.round(row.low), high: Math.round(row.high) };
  const chance = calibrateIntervals([coarse], 0, () => {}, without);
  assert.ok(chance.agreeing > 0 && chance.byChance > 0.01, `${chance.agreeing}, ${chance.byChance}`);
  assert.ok(chance.findings.every(({ verdict }) => verdict !== "decided"));
});
