/** A call that breaks a rule: it changes nothing, and the model reads why. */

/** Why calls are refused, for counting. */
export const REFUSAL_KINDS = [
  "bad_value",
  "unknown_field",
  "unknown_id",
  "duplicate_id",
  "unknown_group",
  "too_many_gaussians",
  "out_of_bounds",
  "no_renders_left",
  "early_submit",
] as const;
export type RefusalKind = typeof REFUSAL_KINDS[number];

export interface Refusal {
  readonly refused: RefusalKind;
  /** One line: which entry, and why. */
  readonly text: string;
}

/** Most problems that one refusal tells. */
export const MOST_TOLD = 3;

export function refuse(refused: RefusalKind, text: string): Refusal {
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
