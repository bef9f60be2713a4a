/** Seeded randomness: every draw names its stream, so that adding one draw never shifts another. */

/** Uniform and normal draws from one named stream. */
export interface Stream {
  /** Uniform in [0, 1), 32 bits. */
  next(): number;
  /** Uniform integer in [low, high). */
  integer(low: number, high: number): number;
  /** Uniform in [low, high). */
  range(low: number, high: number): number;
  /** Standard normal (Box–Muller). */
  normal(): number;
}

/**
 * The stream of a seed and a name, e.g. `stream(0, "policy", taskId, run)`.
 *
 * sfc32 (Doty-Humphrey, PractRand) seeded by FNV-1a over the joined names; the same on every platform.
 */
export function stream(seed: number, ...names: (string | number)[]): Stream {
  const text = [seed, ...names].join("\u0000");
  let a = fnv1a(text, 0x811c9dc5);
  let b = fnv1a(text, a ^ 0x9e3779b9);
  let c = fnv1a(text, b ^ 0x85ebca6b);
  let counter = 1;
  const word = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 12; i++) word();
  const next = () => word() / 4294967296;
  const range = (low: number, high: number) => low + (high - low) * next();
  return {
    next,
    range,
    integer: (low, high) => low + Math.floor((high - low) * next()),
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  };
}

function fnv1a(text: string, basis: number): number {
  let hash = basis >>> 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}
