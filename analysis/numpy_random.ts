/**
 * Random draws bit for bit as numpy and Python make them, so that intervals can be compared digit for digit with those
 * of a Python script. Draws are in C order: a matrix of [rows, columns] is `rows · columns` draws in a row.
 */
import { BenchError } from "../env/errors.ts";
import { Mt19937 } from "./mt19937.ts";
import { Pcg64 } from "./pcg64.ts";
import { integerWords } from "./seed_sequence.ts";

/** numpy's `Generator`, as far as resampling needs it. */
export interface Generator {
  /** [size] uniform integers in [low, high), as int64 draws: Lemire's method (arXiv 1805.10941). */
  integers(low: number, high: number, size: number): number[];
  /** [size] indices below `population`, with replacement. */
  choice(population: number, size: number): number[];
  /** [size] of the values, with replacement. */
  choice<Value>(population: readonly Value[], size: number): Value[];
  /** [size] uniform in [0, 1). */
  random(size: number): number[];
}

/** numpy's legacy `RandomState`, as far as resampling needs it. */
export interface RandomState {
  /** [size] uniform integers in [low, high), as int64 draws: masked rejection. */
  randint(low: number, high: number, size: number): number[];
  /** [size] indices below `population`, with replacement. */
  choice(population: number, size: number): number[];
  /** [size] of the values, with replacement. */
  choice<Value>(population: readonly Value[], size: number): Value[];
  /** [size] uniform in [0, 1). */
  randomSample(size: number): number[];
}

/** Python's `random.Random`, as far as resampling needs it. */
export interface PythonRandom {
  /** `choices(range(population), k=size)`: [size] indices, with replacement. */
  choices(population: number, size: number): number[];
  /** [size] uniform in [0, 1). */
  random(size: number): number[];
}

/**
 * `numpy.random.default_rng(seed)`.
 *
 * @param seed any non-negative integer, above 64 bits too
 * @throws BenchError for a negative seed; the draws throw for an empty range or one of 2⁵³ and more
 */
export function defaultRng(seed: bigint): Generator {
  const bits = new Pcg64(seed);
  const integers = (low: number, high: number, size: number) =>
    draw(size, bounded(low, high, (last) => lemire(bits, last)));
  return {
    integers,
    choice: chooser(integers),
    random: (size) => draw(size, () => bits.nextDouble()),
  };
}

/**
 * `numpy.random.RandomState(seed)`.
 *
 * @throws BenchError for a seed that is not a 32-bit word; the draws throw for an empty range or one of 2⁵³ and more
 */
export function randomState(seed: bigint): RandomState {
  if (seed < 0n || seed > 0xffffffffn) {
    throw new BenchError({
      what: "Cannot seed RandomState",
      why: `the seed is ${seed}, wanted an integer from 0 to 4294967295`,
    });
  }
  const bits = Mt19937.fromWord(Number(seed));
  const randint = (low: number, high: number, size: number) =>
    draw(size, bounded(low, high, (last) => masked(bits, last)));
  return {
    randint,
    choice: chooser(randint),
    randomSample: (size) => draw(size, () => bits.nextDouble()),
  };
}

/** `random.Random(seed)` of Python 3.2 and later; throws BenchError for a negative seed. */
export function pythonRandom(seed: bigint): PythonRandom {
  const bits = Mt19937.fromWords(integerWords(seed));
  return {
    choices: (population, size) =>
      draw(size, bounded(0, population, (last) => () => Math.floor(bits.nextDouble() * (last + 1)))),
    random: (size) => draw(size, () => bits.nextDouble()),
  };
}

type Integers = (low: number, high: number, size: number) => number[];

function chooser(integers: Integers) {
  function choice(population: number, size: number): number[];
  function choice<Value>(population: readonly Value[], size: number): Value[];
  function choice<Value>(population: number | readonly Value[], size: number): (number | Value)[] {
    if (typeof population === "number") return integers(0, population, size);
    return integers(0, population.length, size).map((index) => population[index]);
  }
  return choice;
}

function draw(size: number, next: () => number): number[] {
  const values = new Array<number>(size);
  for (let i = 0; i < size; i++) values[i] = next();
  return values;
}

/** Draws from [low, high) by a method for [0, last]; a range of one value costs no draw. */
function bounded(low: number, high: number, method: (last: number) => () => number): () => number {
  const last = high - low - 1;
  if (!Number.isSafeInteger(low) || !Number.isSafeInteger(high) || !(last >= 0) || last >= 2 ** 53) {
    throw new BenchError({
      what: "Cannot draw integers",
      why: `the range is [${low}, ${high}), wanted integers with low < high, less than 2^53 apart`,
    });
  }
  if (last === 0) return () => low;
  const next = method(last);
  return () => low + next();
}

const LARGEST_WORD = 0xffffffff;

function lemire(bits: Pcg64, last: number): () => number {
  if (last === LARGEST_WORD) return () => bits.next32();
  if (last > LARGEST_WORD) return lemire64(bits, BigInt(last));
  const range = last + 1;
  const threshold = (LARGEST_WORD - last) % range;
  return () => {
    let word = bits.next32();
    while (Math.imul(word, range) >>> 0 < threshold) word = bits.next32();
    return productHigh(word, range);
  };
}

function lemire64(bits: Pcg64, last: bigint): () => number {
  const largest = (1n << 64n) - 1n;
  const range = last + 1n;
  const threshold = (largest - last) % range;
  return () => {
    let product = bits.next64() * range;
    while ((product & largest) < threshold) product = bits.next64() * range;
    return Number(product >> 64n);
  };
}

/** The upper 32 bits of the product of two 32-bit words. */
function productHigh(a: number, b: number): number {
  const low = (a & 0xffff) * b;
  return Math.floor(((a >>> 16) * b + Math.floor(low / 65536)) / 65536);
}

function masked(bits: Mt19937, last: number): () => number {
  if (last > LARGEST_WORD) return masked64(bits, BigInt(last));
  const mask = LARGEST_WORD >>> Math.clz32(last);
  return () => {
    let value = (bits.next32() & mask) >>> 0;
    while (value > last) value = (bits.next32() & mask) >>> 0;
    return value;
  };
}

function masked64(bits: Mt19937, last: bigint): () => number {
  const mask = (1n << BigInt(last.toString(2).length)) - 1n;
  return () => {
    let value: bigint;
    do value = (BigInt(bits.next32()) << 32n | BigInt(bits.next32())) & mask; while (value > last);
    return Number(value);
  };
}
