import assert from "node:assert/strict";
import { stream } from "../../env/random.ts";

const draws = (n: number, ...names: (string | number)[]) => {
  const source = stream(7, ...names);
  return Array.from({ length: n }, () => source.next());
};

Deno.test("stream() repeats for the same names and differs for others", () => {
  assert.deepEqual(draws(5, "a", 1), draws(5, "a", 1));
  assert.notDeepEqual(draws(5, "a", 1), draws(5, "a", 2));
  // Joined names must not run together.
  assert.notDeepEqual(draws(5, "a", 12), draws(5, "a1", 2));
});

Deno.test("stream() draws are uniform to within five standard errors", () => {
  const n = 20000;
  const bins = new Array(10).fill(0);
  for (const value of draws(n, "uniform")) bins[Math.floor(value * 10)]++;
  const standardError = Math.sqrt(n * 0.1 * 0.9);
  for (const count of bins) assert.ok(Math.abs(count - n / 10) < 5 * standardError);
});

Deno.test("stream().normal() has mean 0 and variance 1 to within five standard errors", () => {
  const source = stream(7, "normal");
  const values = Array.from({ length: 20000 }, () => source.normal());
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + value * value, 0) / values.length;
  assert.ok(Math.abs(mean) < 5 / Math.sqrt(20000));
  assert.ok(Math.abs(variance - 1) < 5 * Math.sqrt(2 / 20000));
});

Deno.test("stream().integer() covers its range and nothing else", () => {
  const source = stream(7, "integer");
  const seen = new Set(Array.from({ length: 500 }, () => source.integer(-2, 3)));
  assert.deepEqual([...seen].sort((a, b) => a - b), [-2, -1, 0, 1, 2]);
});
