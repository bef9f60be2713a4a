/** Values that no tool wants, and ways to put them where one is wanted. */
import type { Stream } from "../../env/random.ts";

const POISON: readonly unknown[] = [
  null,
  undefined,
  NaN,
  Infinity,
  -Infinity,
  -0,
  1e308,
  -1e-320,
  2 ** 53,
  "",
  "1",
  "\u0000\n\u202e",
  "#12345g",
  "__proto__",
  true,
  [],
  {},
  [[]],
  [[[[[[[[[[[[1]]]]]]]]]]]],
  10n,
  Symbol("s"),
  () => 1,
  new Float32Array([1, NaN, 2]),
  JSON.parse('{"__proto__":{"id":1},"constructor":{"prototype":1}}'),
  "long ".repeat(5000),
];

export const poison = (draws: Stream): unknown => oneOf(draws, POISON);

export const oneOf = <T>(draws: Stream, values: readonly T[]): T => values[draws.integer(0, values.length)];

/** Puts poison in a random place. */
export function spoil(value: unknown, draws: Stream): unknown {
  if (draws.next() < 0.25 || typeof value !== "object" || value === null) return poison(draws);
  const keys = Object.keys(value);
  if (keys.length === 0) return poison(draws);
  const key = oneOf(draws, keys);
  return Array.isArray(value)
    ? value.map((entry, i) => String(i) === key ? spoil(entry, draws) : entry)
    : { ...value, [key]: spoil(Reflect.get(value, key), draws) };
}

/** Arguments near those that a tool wants, half of them spoiled or replaced by poison under its own `names`. */
export function fuzzed(near: unknown, names: readonly string[], draws: Stream): unknown {
  const chance = draws.next();
  if (chance < 0.5) return near;
  if (chance < 0.9) return spoil(near, draws);
  if (chance < 0.95) return poison(draws);
  return Object.fromEntries(names.map((name) => [name, poison(draws)]));
}
