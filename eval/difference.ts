/** One thing that a replay found different. */
import { canonicalJson } from "../env/hash.ts";
import { plainLine } from "../env/plain_text.ts";

export interface Difference {
  /** Null for what belongs to the whole episode. */
  step: number | null;
  /** What differs, e.g. `state[3].pos[0]` or `picture`. */
  field: string;
  /** The recorded value, short. */
  recorded: string;
  /** The value now, short. */
  now: string;
}

/** A value in at most 80 characters of one line. */
export function brief(value: unknown): string {
  const text = plainLine(typeof value === "string" ? value : canonicalJson(value ?? null));
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
