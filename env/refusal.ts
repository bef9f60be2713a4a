/** A call that breaks a rule: it changes nothing, and the model reads why. */

export interface Refusal {
  /** Kind, for counting; each benchmark lists its own. */
  readonly refused: string;
  /** One line: which entry, and why. */
  readonly text: string;
}

/** Most problems that one refusal tells. */
export const MOST_TOLD = 3;

export function refuse(refused: string, text: string): Refusal {
  return { refused, text };
}

/**
 * Several problems of one call as one refusal, so that a model mends them together: the first three, and how many more
 * there are. The first gives the kind.
 *
 * @param problems at least one
 * @param count of all problems, those left out of `problems` included
 * @param hint what helps with all of them, at the end
 */
export function refuseAll(problems: readonly Refusal[], count = problems.length, hint = ""): Refusal {
  const told = problems.slice(0, MOST_TOLD);
  const more = count > told.length ? ` (and ${count - told.length} more)` : "";
  return refuse(problems[0].refused, `${told.map(({ text }) => text).join("; ")}${more}${hint}`);
}

export function isRefusal(outcome: object): outcome is Refusal {
  return "refused" in outcome;
}
