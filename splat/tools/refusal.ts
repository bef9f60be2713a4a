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

export function refuse(refused: RefusalKind, text: string): Refusal {
  return { refused, text };
}

export function isRefusal(outcome: object): outcome is Refusal {
  return "refused" in outcome;
}
