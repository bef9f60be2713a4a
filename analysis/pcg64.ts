/**
 * PCG64 (XSL-RR 128/64; O'Neill, "PCG", HMC-CS-2014-0905), the generator behind numpy's `default_rng`, seeded as numpy
 * does. A draw costs no BigInt: the 128-bit state lies in eight 16-bit limbs, whose products are exact in float64.
 */
import { seedWords } from "./seed_sequence.ts";

const LIMBS = 8;

/** The multiplier 2549297995355413924·2⁶⁴ + 4865540595714422341 in 16-bit limbs, lowest first. */
const MULTIPLIER = [0xf645, 0x9fcc, 0xdf64, 0x4385, 0x5da4, 0x1fc6, 0xed05, 0x2360];

/** A stream of 64-bit words, handed out as pairs of 32-bit halves. */
export class Pcg64 {
  /** The 64-bit word of the last `step`. */
  high = 0;
  low = 0;

  /** 16-bit limbs, lowest first. */
  readonly #state = new Uint16Array(LIMBS);
  readonly #increment: Uint16Array;
  readonly #next = new Uint16Array(LIMBS);
  #buffered: number | null = null;

  constructor(seed: bigint) {
    // generate_state(4, uint64) is [state high, state low, stream high, stream low], each with its low word first.
    const words = seedWords(seed, 8);
    const initial = limbs([words[2], words[3], words[0], words[1]]);
    const stream = limbs([words[6], words[7], words[4], words[5]]);
    this.#increment = stream.map((limb, i) => limb << 1 | (i === 0 ? 1 : stream[i - 1] >>> 15));
    this.#advance();
    addInPlace(this.#state, initial);
    this.#advance();
  }

  /** Draws the next 64-bit word into `high` and `low`. */
  step(): void {
    this.#advance();
    const s = this.#state;
    const low = (s[0] | s[1] << 16) ^ (s[4] | s[5] << 16);
    const high = (s[2] | s[3] << 16) ^ (s[6] | s[7] << 16);
    const turns = s[7] >>> 10;
    const shift = turns & 31;
    const [to, from] = turns < 32 ? [low, high] : [high, low];
    // Rotation right by shift within (from, to); a shift by 32 is none in JavaScript, hence the second case.
    this.low = shift === 0 ? to >>> 0 : (to >>> shift | from << 32 - shift) >>> 0;
    this.high = shift === 0 ? from >>> 0 : (from >>> shift | to << 32 - shift) >>> 0;
  }

  /** 32 bits: the low half of a word, then its high half, kept for the next call whatever is drawn between. */
  next32(): number {
    if (this.#buffered !== null) {
      const buffered = this.#buffered;
      this.#buffered = null;
      return buffered;
    }
    this.step();
    this.#buffered = this.high;
    return this.low;
  }

  /** 64 bits. */
  next64(): bigint {
    this.step();
    return BigInt(this.high) << 32n | BigInt(this.low);
  }

  /** Uniform in [0, 1) with 53 bits. */
  nextDouble(): number {
    this.step();
    return (this.high * 2097152 + (this.low >>> 11)) / 9007199254740992;
  }

  /** state ← state · multiplier + increment mod 2¹²⁸ */
  #advance(): void {
    const [state, next] = [this.#state, this.#next];
    let carry = 0;
    for (let column = 0; column < LIMBS; column++) {
      let sum = carry + this.#increment[column];
      for (let i = 0; i <= column; i++) sum += state[i] * MULTIPLIER[column - i];
      next[column] = sum % 65536;
      carry = Math.floor(sum / 65536);
    }
    state.set(next);
  }
}

/** Four 32-bit words, lowest first, as eight 16-bit limbs. */
function limbs(words: readonly number[]): Uint16Array {
  return Uint16Array.from(words.flatMap((word) => [word & 0xffff, word >>> 16]));
}

function addInPlace(to: Uint16Array, from: Uint16Array): void {
  let carry = 0;
  for (let i = 0; i < to.length; i++) {
    const sum = to[i] + from[i] + carry;
    to[i] = sum & 0xffff;
    carry = sum >>> 16;
  }
}
