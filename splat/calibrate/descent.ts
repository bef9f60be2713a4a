/** Descent over a grid of choices, one value at a time. */
import type { Choice } from "./knob.ts";

/** Costs that differ by less are equal: a knob that shows nothing keeps its value. */
export const LEAST_GAIN = 1e-3;
/** Most starts that are followed to their end. */
const DESCENTS = 4;

interface Descent {
  /** Changes that gain less are not made. */
  readonly leastGain?: number;
  /** Whether no better choice is looked for. */
  readonly done?: (choice: Choice) => Promise<boolean>;
  /** Where to look next from a choice that no single change betters. */
  readonly jumps?: (choice: Choice) => Promise<readonly Choice[]>;
}

/**
 * Changes one value at a time for as long as the cost falls, from one start after the other, best first, until the end
 * of one is `done`; else the best of all ends. An end that is not done goes on from the best of its `jumps` that betters
 * it.
 *
 * @param sizes number of values of each knob
 */
export async function descend(
  sizes: readonly number[],
  cost: (choice: Choice) => Promise<number>,
  starts: readonly Choice[],
  { leastGain = LEAST_GAIN, done, jumps }: Descent = {},
): Promise<Choice> {
  const nearest = (await costed(starts, cost)).slice(0, DESCENTS);
  let [best] = nearest;
  for (const start of nearest) {
    let end = await descent(sizes, cost, start, leastGain);
    while (!await done?.(end.choice)) {
      const jump = (await costed(await jumps?.(end.choice) ?? [], cost)).at(0);
      if (jump === undefined || jump.cost >= end.cost - leastGain) break;
      end = await descent(sizes, cost, jump, leastGain);
    }
    if (end.cost < best.cost - leastGain) best = end;
    if (await done?.(best.choice)) break;
  }
  return best.choice;
}

export interface Costed {
  readonly choice: Choice;
  readonly cost: number;
}

/** Least cost first; of equal ones the first. */
async function costed(
  choices: readonly Choice[],
  cost: (choice: Choice) => Promise<number>,
): Promise<Costed[]> {
  const all = await inTurn(choices, async (choice) => ({ choice, cost: await cost(choice) }));
  return all.sort((a, b) => a.cost - b.cost);
}

async function descent(
  sizes: readonly number[],
  cost: (choice: Choice) => Promise<number>,
  start: Costed,
  leastGain: number,
): Promise<Costed> {
  let best = start;
  for (let unchanged = 0, k = 0; unchanged < sizes.length; k = (k + 1) % sizes.length) {
    const before = best;
    for (const choice of others(before.choice, k, sizes[k])) {
      const next = { choice, cost: await cost(choice) };
      if (next.cost < best.cost - leastGain) best = next;
    }
    unchanged = best === before ? unchanged + 1 : 0;
  }
  return best;
}

/** The choices with another value of one knob. */
export function others(choice: Choice, k: number, size: number): Choice[] {
  return Array.from({ length: size }, (_, value) => choice.with(k, value)).filter((next) =>
    next[k] !== choice[k]
  );
}

/** One after the other: they share a device. */
export async function inTurn<From, To>(
  entries: readonly From[],
  work: (entry: From, at: number) => Promise<To>,
): Promise<To[]> {
  const results: To[] = [];
  for (const [at, entry] of entries.entries()) results.push(await work(entry, at));
  return results;
}
