import assert from "node:assert/strict";
import { findingsOf } from "../../../splat/calibrate/findings.ts";
import type { Choice } from "../../../splat/calibrate/knob.ts";
import { agrees, decimalsOf, recordedNumbers } from "../../../splat/calibrate/recorded.ts";
import { searchGrid, searchWholeGrid } from "../../../splat/calibrate/search.ts";

/** Three numbers of three knobs; the second and third knob only show as their sum, the fourth never. */
const model = ([a, b, c]: Choice): number[] => [10 + a, 20 + 0.1 * (b + c), 30 + a * 0.5 + (b + c) ** 2];
const SIZES = [4, 3, 3, 2];
const KNOBS = ["a", "b", "c", "d"].map((name, k) => ({
  name,
  values: Array.from({ length: SIZES[k] }, (_, value) => ({ label: String(value), change: {} })),
}));

function problem(truth: Choice, predict = model) {
  const recorded = predict(truth).map((value) => ({ metric: "psnr", value, tolerance: 0.01 }));
  return {
    sizes: SIZES,
    starts: [[0, 0, 0, 0]],
    groups: [recorded.slice(0, 2), recorded.slice(2)],
    predict: (choice: Choice, group: number) =>
      Promise.resolve(group === 0 ? predict(choice).slice(0, 2) : predict(choice).slice(2)),
  };
}

const possibleValues = (possible: readonly (readonly boolean[])[]) =>
  possible.map((values) => values.flatMap((is, value) => is ? [value] : []));

for (const search of [searchGrid, searchWholeGrid]) {
  Deno.test(`${search.name}() decides what shows, and leaves open what makes up for each other or shows nothing`, async () => {
    const result = await search(problem([2, 0, 1, 1]));
    assert.equal(result.agrees, true);
    assert.deepEqual(possibleValues(result.possible), [[2], [0, 1], [0, 1], [0, 1]]);
    const numbers = problem([2, 0, 1, 1]).groups.flat();
    const findings = findingsOf(KNOBS, numbers, result);
    assert.deepEqual(findings.map(({ verdict }) => verdict), [
      "decided",
      "undecided",
      "undecided",
      "undecided",
    ]);
    assert.equal(findings[0].value, "2");
    // b with c as it is misses, though it agrees together with another c.
    const open = findings[1].evidence.filter(({ possible, missed }) => possible && missed > 0);
    assert.equal(open.length, 1);
    assert.equal(findings[3].evidence[1].gaps.psnr.effect, 0);
  });

  Deno.test(`${search.name}() decides nothing where no choice agrees with the records`, async () => {
    const off = (choice: Choice) => model(choice).map((value, i) => i === 0 ? value : value + 0.05);
    const { predict } = problem([1, 0, 0, 0]);
    const result = await search({ ...problem([1, 0, 0, 0], off), predict });
    assert.equal(result.agrees, false);
    assert.ok(result.possible.flat().every((is) => !is));
    const numbers = problem([1, 0, 0, 0], off).groups.flat();
    assert.ok(findingsOf(KNOBS, numbers, result).every(({ verdict }) => verdict === "unexplained"));
  });
}

Deno.test("decimalsOf() sees the digits of decimals, in float64 and in float32", () => {
  assert.equal(decimalsOf([17.56, 12, -3.125]), 3);
  assert.equal(decimalsOf([17.56, 12.3].map(Math.fround)), 2);
  assert.equal(decimalsOf([Math.PI]), 6);
  assert.equal(decimalsOf([]), 0);
});

Deno.test("recordedNumbers() allows half a unit of the last decimal, a little drift, and the noise of each number", () => {
  const [first, second] = recordedNumbers("psnr", [17.562, 20.1], [0, 0.01]);
  assert.ok(agrees(first, 17.5624) && !agrees(first, 17.563));
  assert.ok(agrees(second, 20.1104) && !agrees(second, 20.112));
  assert.ok(!agrees(first, NaN));
});
