/** Why calls are refused in SplatBench, for counting. */
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
