/** Why calls are refused in ShadowBench, for counting. */
import { FAULT_KINDS } from "../fault.ts";

export const REFUSAL_KINDS = [
  ...FAULT_KINDS,
  "bad_value",
  "unknown_field",
  "unknown_tool",
  "no_plan",
  "nothing_to_undo",
  "no_looks_left",
  "no_peeks_left",
] as const;
