import assert from "node:assert/strict";
import { type Stream, stream } from "../../../env/random.ts";
import { cmaConstants, CmaEs, type CmaState, initialCmaState } from "../../../shadow/search/cma_es.ts";
import fixture from "../../fixtures/cma_steps.json" with { type: "json" };

const FUNCTIONS: Record<string, (x: readonly number[]) => number> = {
  sphere: (x) => x.reduce((sum, v) => sum + v * v, 0),
  ellipsoid: (x) => x.reduce((sum, v, i) => sum + 10 ** (6 * i / (x.length - 1)) * v * v, 0),
  rosenbrock: (x) => x.slice(1).reduce((sum, v, i) => sum + 100 * (v - x[i] ** 2) ** 2 + (1 - x[i]) ** 2, 0),
};

function near(actual: readonly number[], wanted: readonly number[], what: string): void {
  const size = Math.max(...wanted.map(Math.abs));
  actual.forEach((value, i) => {
    assert.ok(Math.abs(value - wanted[i]) <= 1e-9 * size, `${what}[${i}]: ${value}, pycma ${wanted[i]}`);
  });
}

Deno.test("cmaConstants() are Hansen's defaults for 58 dimensions", () => {
  const c = cmaConstants(58);
  assert.equal(c.populationSize, 16);
  assert.equal(c.weights.length, 8);
  assert.equal(c.effectiveParents.toFixed(2), "4.84");
  assert.equal(c.stepRate.toFixed(4), "0.1008");
  assert.equal(c.stepDamping.toFixed(3), "1.101");
  assert.equal(c.pathRate.toFixed(4), "0.0657");
  assert.equal(c.rankOneRate.toExponential(2), "5.68e-4");
  assert.equal(c.rankMuRate.toExponential(2), "1.69e-3");
});

for (const { name, mean, step_size, stalls, generations } of fixture.runs) {
  Deno.test(`CmaEs.update() follows pycma step by step: ${name}`, () => {
    assert.equal(stalls > 0, name.includes("too small"), "one of the runs stalls the rank-one update");
    const search = new CmaEs(initialCmaState(mean, step_size));
    for (const { candidates, values, after } of generations) {
      search.update(candidates, values);
      if (after === null) continue;
      const state = search.state();
      near(state.mean, after.mean, "mean");
      near([state.stepSize], [after.step_size], "step size");
      near(state.stepPath, after.step_path, "step path");
      near(state.covariancePath, after.covariance_path, "covariance path");
      near(state.covariance.flat(), after.covariance.flat(), "covariance");
    }
  });
}

Deno.test("CmaEs needs as many evaluations as pycma on sphere, ellipsoid and Rosenbrock", () => {
  for (const { function: name, n, mean, step_size, target, evaluations } of fixture.medians) {
    const counts = Array.from({ length: 11 }, (_, seed) => {
      const search = new CmaEs(initialCmaState(Array(n).fill(mean), step_size));
      for (let asked = 0;;) {
        const candidates = search.sample(stream(seed, "test", asked));
        const values = candidates.map(FUNCTIONS[name]);
        search.update(candidates, values);
        asked += values.length;
        if (Math.min(...values) <= target || asked > 60000) return asked;
      }
    }).sort((a, b) => a - b);
    const ratio = counts[5] / evaluations;
    assert.ok(ratio > 0.85 && ratio < 1.15, `${name}: median ${counts[5]}, pycma ${evaluations}`);
  }
});

/** A generation in which the candidates have one number of axes each, as `draws` says. */
function constantDraws(values: readonly number[]): Stream {
  let at = 0;
  return { ...stream(0, "unused"), normal: () => values[at++ % values.length] };
}

Deno.test("CmaEs.sample() draws candidates whose distance, measured by C, is that of the draws", () => {
  const state: CmaState = {
    ...initialCmaState([1, -2, 3], 0.25),
    // C = A Aᵀ and its inverse, by hand: A lower triangular with rows (2), (1, 1), (0, 0.5, 4).
    covariance: [[4, 2, 0], [2, 2, 0.5], [0, 0.5, 16.25]],
  };
  const draws = [0.5, -1, 2, 0, 0.1, -0.7, 1.5, 3, 0.2];
  for (const [k, candidate] of new CmaEs(state).sample(constantDraws(draws)).entries()) {
    const y = candidate.map((x, i) => (x - state.mean[i]) / state.stepSize);
    // Forward substitution A w = y, so that yᵀ C⁻¹ y = |w|².
    const w0 = y[0] / 2, w1 = y[1] - w0, w2 = (y[2] - 0.5 * w1) / 4;
    const own = [0, 1, 2].map((i) => draws[(3 * k + i) % draws.length]);
    assert.ok(Math.abs(Math.hypot(w0, w1, w2) - Math.hypot(...own)) < 1e-12);
  }
});

Deno.test("CmaEs goes on from its state, through JSON, as if it had never stopped", () => {
  const whole = new CmaEs(initialCmaState([1, 2, 3, 4], 0.5));
  let parts = new CmaEs(initialCmaState([1, 2, 3, 4], 0.5));
  for (let generation = 0; generation < 40; generation++) {
    for (const search of [whole, parts]) {
      const candidates = search.sample(stream(7, "resume", generation));
      search.update(candidates, candidates.map(FUNCTIONS.ellipsoid));
    }
    parts = new CmaEs(JSON.parse(JSON.stringify(parts.state())));
  }
  assert.deepEqual(parts.state(), whole.state());
});

Deno.test("CmaEs depends on ranks alone: a monotone change of the values changes nothing", () => {
  const [plain, squashed] = [0, 1].map(() => new CmaEs(initialCmaState([1, 2, 3], 0.5)));
  for (let generation = 0; generation < 30; generation++) {
    const candidates = plain.sample(stream(1, "ranks", generation));
    const values = candidates.map(FUNCTIONS.rosenbrock);
    plain.update(candidates, values);
    squashed.update(candidates, values.map((value) => Math.log(value) - 5));
  }
  assert.deepEqual(squashed.state(), plain.state());
});
