import assert from "node:assert/strict";
import { mean, pairwiseSum, percentiles } from "../../analysis/numpy_math.ts";
import { defaultRng } from "../../analysis/numpy_random.ts";
import fixture from "../fixtures/numpy_random.json" with { type: "json" };

/** The fixture's array; the draws are checked in numpy_random_test.ts. */
const spread = defaultRng(5n).random(10_000).map((value) => value * 2000 - 700);

Deno.test("pairwiseSum() and mean() equal numpy's to the last bit at every block boundary", () => {
  for (const [count, sum] of Object.entries(fixture.sums)) {
    assert.equal(pairwiseSum(spread.slice(0, Number(count))), sum, count);
  }
  for (const [count, wanted] of Object.entries(fixture.means)) {
    assert.equal(mean(Float64Array.from(spread.slice(0, Number(count)))), wanted, count);
  }
});

Deno.test("pairwiseSum() of nothing is 0, mean() of nothing is an error", () => {
  assert.ok(Object.is(pairwiseSum([]), 0));
  assert.throws(() => mean([]), /there are no values/);
});

Deno.test("percentiles() equals numpy's linear method to the last bit", () => {
  for (const [count, wanted] of Object.entries(fixture.percentiles)) {
    assert.deepEqual(percentiles(spread.slice(0, Number(count)), fixture.percents), wanted, count);
  }
  assert.throws(() => percentiles([], [50]), /there are no values/);
});
