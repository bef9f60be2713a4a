/**
 * numpy's `SeedSequence`: mixes an integer of any size into a pool of four words, from which generators take their
 * initial state (numpy/random/bit_generator.pyx, after O'Neill's `seed_seq`).
 */
import { BenchError } from "../env/errors.ts";

const POOL_WORDS = 4;

/**
 * `SeedSequence(seed).generate_state(count)`.
 *
 * @param seed any non-negative integer; numpy's `spawn_key` is not covered
 * @returns [count] 32-bit words
 * @throws BenchError for a negative seed
 */
export function seedWords(seed: bigint, count: number): Uint32Array {
  const pool = mixedPool(integerWords(seed));
  const hash = hasher(0x8b51f9dd, 0x58f38ded);
  return Uint32Array.from({ length: count }, (_, i) => hash(pool[i % POOL_WORDS]));
}

/** The 32-bit words of an integer, lowest first; 0 is one word. Python's `random` seeds with the same words. */
export function integerWords(seed: bigint): number[] {
  if (seed < 0n) {
    throw new BenchError({
      what: "Cannot seed a generator",
      why: `the seed is ${seed}, wanted an integer of at least 0`,
    });
  }
  const words = [Number(seed & 0xffffffffn)];
  for (let rest = seed >> 32n; rest > 0n; rest >>= 32n) words.push(Number(rest & 0xffffffffn));
  return words;
}

function mixedPool(entropy: readonly number[]): Uint32Array {
  const hash = hasher(0x43b0d7e5, 0x931e8875);
  const pool = new Uint32Array(POOL_WORDS);
  for (let i = 0; i < POOL_WORDS; i++) pool[i] = hash(i < entropy.length ? entropy[i] : 0);
  for (let from = 0; from < POOL_WORDS; from++) {
    for (let to = 0; to < POOL_WORDS; to++) {
      if (from !== to) pool[to] = mix(pool[to], hash(pool[from]));
    }
  }
  for (let from = POOL_WORDS; from < entropy.length; from++) {
    for (let to = 0; to < POOL_WORDS; to++) pool[to] = mix(pool[to], hash(entropy[from]));
  }
  return pool;
}

/** A hash whose constant moves on with every word. */
function hasher(initial: number, multiplier: number): (word: number) => number {
  let constant = initial;
  return (word) => {
    const keyed = word ^ constant;
    constant = Math.imul(constant, multiplier);
    const product = Math.imul(keyed, constant);
    return (product ^ (product >>> 16)) >>> 0;
  };
}

function mix(x: number, y: number): number {
  const mixed = Math.imul(0xca01f9dd, x) - Math.imul(0x4973f715, y) | 0;
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
