/** Compares a conversation with the dialogue that its turns lead to now. */
import type { MessageRow } from "../tasks/transcript_rows.ts";
import { jsonDifference, textsAgree, valueAt } from "./agreement.ts";
import { brief, briefly, type Difference } from "./difference.ts";

export interface TranscriptComparison {
  recorded: readonly MessageRow[];
  now: readonly MessageRow[];
  /** Keys of the pictures in the step log, recorded and now: `compareSteps` compares their pixels. */
  pictures: { recorded: ReadonlySet<string>; now: ReadonlySet<string> };
  /** Whether everything must be identical: the device is the one that recorded it. */
  exact: boolean;
}

/** Every message that differs, counted from 1, up to the first one that is another altogether. */
export function compareTranscripts(comparison: TranscriptComparison): Difference[] {
  const { recorded, now, pictures, exact } = comparison;
  const differences: Difference[] = [];
  const agree = (was: unknown, is: unknown) =>
    typeof was === "string" && typeof is === "string" &&
    (textsAgree(was, is, exact) || (!exact && pictures.recorded.has(was) && pictures.now.has(is)));
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    const differ = (field: string, values: { recorded: string; now: string }) =>
      differences.push({ step: null, field: `message ${at + 1}${field}`, ...values });
    const [was, is] = [recorded.at(at)?.role ?? "missing", now.at(at)?.role ?? "missing"];
    if (was !== is) {
      differ("", { recorded: was, now: is });
      break;
    }
    const place = jsonDifference(recorded[at], now[at], agree);
    if (place === null) continue;
    const [a, b] = [valueAt(recorded[at], place), valueAt(now[at], place)];
    const texts = typeof a === "string" && typeof b === "string";
    differ(`: ${place.slice(1)}`, texts ? briefly(a, b) : { recorded: brief(a), now: brief(b) });
  }
  return differences;
}
