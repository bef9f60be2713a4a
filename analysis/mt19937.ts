/**
 * The Mersenne Twister MT19937 (Matsumoto and Nishimura 1998), behind numpy's legacy `RandomState` and Python's
 * `random`, with both ways of seeding it.
 */

const WORDS = 624;
const MIDDLE = 397;

/** A stream of 32-bit words. */
export class Mt19937 {
  readonly #state: Uint32Array;
  #at = WORDS;

  private constructor(state: Uint32Array) {
    this.#state = state;
  }

  /** `init_genrand`: numpy's `RandomState(seed)`; the seed is one 32-bit word. */
  static fromWord(seed: number): Mt19937 {
    return new Mt19937(seeded(seed));
  }

  /** `init_by_array`: Python's `random.Random(seed)`. */
  static fromWords(key: readonly number[]): Mt19937 {
    const state = seeded(19650218);
    let at = 1;
    const previous = (multiplier: number) =>
      state[at] ^ Math.imul(state[at - 1] ^ state[at - 1] >>> 30, multiplier);
    const forward = () => {
      at++;
      if (at < WORDS) return;
      state[0] = state[WORDS - 1];
      at = 1;
    };
    for (let i = 0; i < Math.max(WORDS, key.length); i++) {
      const word = i % key.length;
      state[at] = previous(1664525) + key[word] + word;
      forward();
    }
    for (let i = 0; i < WORDS - 1; i++) {
      state[at] = previous(1566083941) - at;
      forward();
    }
    state[0] = 0x80000000;
    return new Mt19937(state);
  }

  next32(): number {
    if (this.#at === WORDS) this.#twist();
    let word = this.#state[this.#at++];
    word ^= word >>> 11;
    word ^= word << 7 & 0x9d2c5680;
    word ^= word << 15 & 0xefc60000;
    return (word ^ word >>> 18) >>> 0;
  }

  /** Uniform in [0, 1) with 53 bits. */
  nextDouble(): number {
    const high = this.next32() >>> 5;
    const low = this.next32() >>> 6;
    return (high * 67108864 + low) / 9007199254740992;
  }

  #twist(): void {
    const state = this.#state;
    for (let i = 0; i < WORDS; i++) {
      const pair = state[i] & 0x80000000 | state[(i + 1) % WORDS] & 0x7fffffff;
      state[i] = state[(i + MIDDLE) % WORDS] ^ pair >>> 1 ^ (pair & 1 ? 0x9908b0df : 0);
    }
    this.#at = 0;
  }
}

function seeded(seed: number): Uint32Array {
  const state = new Uint32Array(WORDS);
  state[0] = seed;
  for (let i = 1; i < WORDS; i++) {
    state[i] = Math.imul(1812433253, state[i - 1] ^ state[i - 1] >>> 30) + i;
  }
  return state;
}
