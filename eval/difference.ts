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

const LONGEST = 80;
/** Characters shown before the first one that differs. */
const BEFORE = 30;

/** A value in at most 80 characters of one line. */
export function brief(value: unknown): string {
  const text = plainLine(typeof value === "string" ? value : canonicalJson(value ?? null));
  return text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text;
}

/** Two long texts around the place where they part. */
export function briefly(recorded: string, now: string): { recorded: string; now: string } {
  const [a, b] = [plainLine(recorded), plainLine(now)];
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  if (same < LONGEST - BEFORE) return { recorded: brief(a), now: brief(b) };
  const from = (text: string) => brief(`…${text.slice(same - BEFORE)}`);
  return { recorded: from(a), now: from(b) };
}
