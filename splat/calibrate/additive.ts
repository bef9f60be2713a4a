/** What choices would predict if the effects of single changes added up. */
import type { Costed } from "./descent.ts";
import type { Choice } from "./knob.ts";
import { mismatch } from "./recorded.ts";

/** Choices looked at to get on from where no single change helps. */
const JUMPS = 16;

/** Another value of a knob, and what it changes, in tolerances. */
export interface Move {
  readonly value: number;
  readonly change: readonly number[];
}

/** Choices of at most one move a knob with the least mismatch of gaps and changes; some of the best. */
export function bestSums(
  from: Choice,
  gaps: readonly number[],
  active: readonly (readonly Move[])[],
): Choice[] {
  let best: Costed[] = [];
  const visit = (k: number, choice: Choice, left: readonly number[]): void => {
    if (k === active.length) {
      const cost = left.reduce((sum, gap) => sum + mismatch(gap), 0);
      if (best.length < JUMPS || cost < best[JUMPS - 1].cost) {
        best = [...best, { choice, cost }].sort((a, b) => a.cost - b.cost).slice(0, JUMPS);
      }
      return;
    }
    visit(k + 1, choice, left);
    for (const { value, change } of active[k]) {
      visit(k + 1, choice.with(k, value), left.map((gap, i) => gap + change[i]));
    }
  };
  visit(0, from, gaps);
  return best.map(({ choice }) => choice);
}
