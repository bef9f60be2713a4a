/**
 * Which profiles agree with recorded numbers: coordinate descent to one that does, then from it to every other that can
 * be reached, so that a value counts as found only where no profile with another value agrees.
 */
import type { Choice } from "./knob.ts";
import { agrees, type RecordedNumber } from "./recorded.ts";

export interface SearchProblem {
  /** Number of values of each knob. */
  readonly sizes: readonly number[];
  /** Profiles to start from; of equally good ones the first is taken. */
  readonly starts: readonly Choice[];
  /** Numbers that are predicted together. Descent looks at the first few groups, agreement at all. */
  readonly groups: readonly (readonly RecordedNumber[])[];
  /** What a profile predicts for a group, in its order. */
  predict(choice: Choice, group: number): Promise<readonly number[]>;
}

export interface SearchResult {
  readonly best: Choice;
  /** Whether `best` agrees with the records, and then which values some agreeing profile has: [knobs][values]. */
  readonly agrees: boolean;
  readonly possible: readonly (readonly boolean[])[];
  /** All predictions of `best` with one value changed: [knobs][values][numbers]. */
  readonly predictions: readonly (readonly (readonly number[])[])[];
}

/** Groups that descent looks at. */
const DESCENT_GROUPS = 4;
/** Most starts that are followed to their end. */
const DESCENTS = 12;
/** Share of the numbers that may be wrong for other reasons. */
const OUTLIERS = 0.02;
/** A change that moves no prediction by more than this share of its tolerance shows nothing, alone or with others. */
const INERT = 0.1;
/** Two changes are tried together unless they would have to interact by more than this many times the smaller one. */
const INTERACTION = 3;

/** Searches a grid too large to visit. */
export async function searchGrid(problem: SearchProblem): Promise<SearchResult> {
  const grid = new Grid(problem);
  const best = await descend(problem, (choice) => grid.cost(choice), problem.starts, {
    done: (choice) => grid.agrees(choice),
  });
  const predictions = await grid.singles(best);
  if (!await grid.agrees(best)) {
    return { best, agrees: false, possible: problem.sizes.map(falses), predictions };
  }
  return { best, agrees: true, possible: await grid.possible(best, predictions), predictions };
}

/** Visits every profile of a small grid. */
export async function searchWholeGrid(problem: SearchProblem): Promise<SearchResult> {
  const grid = new Grid(problem);
  const choices = problem.sizes.reduce<number[][]>(
    (all, size) => all.flatMap((choice) => Array.from({ length: size }, (_, value) => [...choice, value])),
    [[]],
  );
  const possible = problem.sizes.map(falses);
  const agreeing: Choice[] = [];
  for (const choice of choices) {
    if (!await grid.agrees(choice)) continue;
    agreeing.push(choice);
    choice.forEach((value, k) => possible[k][value] = true);
  }
  let [best] = problem.starts;
  if (agreeing.length > 0 && !await grid.agrees(best)) [best] = agreeing;
  for (const choice of agreeing.length > 0 ? agreeing : choices) {
    if (await grid.totalCost(choice) < await grid.totalCost(best) - LEAST_GAIN) best = choice;
  }
  return { best, agrees: agreeing.length > 0, possible, predictions: await grid.singles(best) };
}

/** Costs, in tolerances, that differ by less are equal: a knob that shows nothing keeps its value. */
const LEAST_GAIN = 0.01;

/**
 * Changes one value at a time for as long as the cost falls by more than `leastGain`, from one start after the other,
 * best first, until the end of one is `done`; else the best of all ends.
 */
export async function descend(
  { sizes }: Pick<SearchProblem, "sizes">,
  cost: (choice: Choice) => Promise<number>,
  starts: readonly Choice[],
  { leastGain = LEAST_GAIN, done }: { leastGain?: number; done?: (choice: Choice) => Promise<boolean> } = {},
): Promise<Choice> {
  const costs = await inTurn(starts, cost);
  const nearest = [...costs.keys()].sort((a, b) => costs[a] - costs[b] || a - b).slice(0, DESCENTS);
  let [best, least]: [Choice, number] = [starts[nearest[0]], costs[nearest[0]]];
  for (const at of nearest) {
    const end = await descent(sizes, cost, starts[at], leastGain);
    if (end.cost < least - leastGain) [best, least] = [end.choice, end.cost];
    if (await done?.(best)) break;
  }
  return best;
}

async function descent(
  sizes: readonly number[],
  cost: (choice: Choice) => Promise<number>,
  start: Choice,
  leastGain: number,
): Promise<{ choice: Choice; cost: number }> {
  let [best, least]: [Choice, number] = [start, await cost(start)];
  for (let unchanged = 0, k = 0; unchanged < sizes.length; k = (k + 1) % sizes.length) {
    const before = best;
    for (const next of others(before, k, sizes[k])) {
      const now = await cost(next);
      if (now < least - leastGain) [best, least] = [next, now];
    }
    unchanged = best === before ? unchanged + 1 : 0;
  }
  return { choice: best, cost: least };
}

class Grid {
  readonly #known = new Map<string, readonly number[]>();
  readonly #numbers: readonly RecordedNumber[];

  constructor(private readonly problem: SearchProblem) {
    this.#numbers = problem.groups.flat();
  }

  /** Σ gap / tolerance over the groups of the descent: a sum of squares would follow the worst records alone. */
  cost(choice: Choice): Promise<number> {
    return this.#costOf(choice, DESCENT_GROUPS);
  }

  totalCost(choice: Choice): Promise<number> {
    return this.#costOf(choice, this.problem.groups.length);
  }

  /** Stops at the first group that settles it. */
  async agrees(choice: Choice): Promise<boolean> {
    let left = Math.floor(OUTLIERS * this.#numbers.length);
    for (const [g, group] of this.problem.groups.entries()) {
      const predicted = await this.#predict(choice, g);
      left -= group.filter((number, i) => !agrees(number, predicted[i])).length;
      if (left < 0) return false;
    }
    return true;
  }

  async singles(best: Choice): Promise<number[][][]> {
    return await inTurn(
      this.problem.sizes,
      (size, k) => inTurn([...Array(size).keys()], (value) => this.#all(best.with(k, value))),
    );
  }

  /** Values of the profiles that agree, from the best one by single changes, and from it by two at once. */
  async possible(best: Choice, singles: number[][][]): Promise<boolean[][]> {
    const base = singles[0][best[0]];
    const inert = singles.map((values) => values.map((predicted) => this.#effect(base, predicted) <= INERT));
    const possible = inert.map((values) => [...values]);
    const found: Choice[] = [];
    const seen = new Set<string>();
    const visit = async (choice: Choice) => {
      if (seen.has(choice.join())) return;
      seen.add(choice.join());
      if (!await this.agrees(choice)) return;
      found.push(choice);
      choice.forEach((value, k) => possible[k][value] = true);
    };
    const spread = async (from: number) => {
      for (let at = from; at < found.length; at++) {
        for (const [k, size] of this.problem.sizes.entries()) {
          for (const next of others(found[at], k, size)) if (!inert[k][next[k]]) await visit(next);
        }
      }
    };
    await visit(best);
    await spread(0);
    const moves = (k: number, value: number) => !inert[k][value];
    for (const { next, knobs: [k, l] } of this.#pairs(best, moves)) {
      const known = found.length;
      if (this.#mayAgree(base, singles[k][next[k]], singles[l][next[l]])) await visit(next);
      await spread(known);
    }
    return possible;
  }

  /** The largest change of a prediction in units of its tolerance. */
  #effect(base: readonly number[], changed: readonly number[]): number {
    return Math.max(...this.#numbers.map(({ tolerance }, i) => Math.abs(changed[i] - base[i]) / tolerance));
  }

  /** Whether two changes together could agree, as far as their single effects tell. */
  #mayAgree(base: readonly number[], one: readonly number[], other: readonly number[]): boolean {
    const refuting = this.#numbers.filter(({ value, tolerance }, i) => {
      const [a, b] = [one[i] - base[i], other[i] - base[i]];
      const slack = tolerance + INTERACTION * Math.min(Math.abs(a), Math.abs(b));
      return Math.abs(base[i] + a + b - value) > slack;
    });
    return refuting.length <= OUTLIERS * this.#numbers.length;
  }

  *#pairs(best: Choice, moves: (k: number, value: number) => boolean) {
    const { sizes } = this.problem;
    for (let k = 0; k < sizes.length; k++) {
      for (let l = k + 1; l < sizes.length; l++) {
        for (const first of others(best, k, sizes[k])) {
          if (!moves(k, first[k])) continue;
          for (const next of others(first, l, sizes[l])) if (moves(l, next[l])) yield { next, knobs: [k, l] };
        }
      }
    }
  }

  async #costOf(choice: Choice, groups: number): Promise<number> {
    let cost = 0;
    for (const [g, group] of this.problem.groups.slice(0, groups).entries()) {
      const predicted = await this.#predict(choice, g);
      group.forEach(({ value, tolerance }, i) => cost += Math.abs(predicted[i] - value) / tolerance);
    }
    return cost;
  }

  async #all(choice: Choice): Promise<number[]> {
    return (await inTurn(this.problem.groups, (_, g) => this.#predict(choice, g))).flat();
  }

  async #predict(choice: Choice, group: number): Promise<readonly number[]> {
    const key = `${choice.join()}/${group}`;
    const predicted = this.#known.get(key) ?? await this.problem.predict(choice, group);
    this.#known.set(key, predicted);
    return predicted;
  }
}

function others(choice: Choice, k: number, size: number): Choice[] {
  return Array.from({ length: size }, (_, value) => choice.with(k, value)).filter((next) =>
    next[k] !== choice[k]
  );
}

const falses = (size: number): boolean[] => Array.from({ length: size }, () => false);

/** One after the other: they share a device. */
async function inTurn<From, To>(
  entries: readonly From[],
  work: (entry: From, at: number) => Promise<To>,
): Promise<To[]> {
  const results: To[] = [];
  for (const [at, entry] of entries.entries()) results.push(await work(entry, at));
  return results;
}
