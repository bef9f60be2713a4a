/** Compares a transcript with the dialogue that its turns lead to now. */
import type { TranscriptLine } from "../tasks/run_schema.ts";
import { jsonDifference, textsAgree, valueAt } from "./agreement.ts";
import { brief, type Difference } from "./difference.ts";

export interface TranscriptComparison {
  recorded: readonly TranscriptLine[];
  now: readonly TranscriptLine[];
  /** Keys of the pictures in the step log, recorded and now: `compareSteps` compares their pixels. */
  pictures: { recorded: ReadonlySet<string>; now: ReadonlySet<string> };
  /** Whether everything must be identical: the device is the one that recorded it. */
  exact: boolean;
}

/** Every line that differs, up to the first one that is another message altogether. */
export function compareTranscripts(comparison: TranscriptComparison): Difference[] {
  const { recorded, now, pictures, exact } = comparison;
  const differences: Difference[] = [];
  const agree = (was: string, is: string) =>
    textsAgree(was, is, exact) || (!exact && pictures.recorded.has(was) && pictures.now.has(is));
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    const differ = (field: string, was: unknown, is: unknown) =>
      differences.push({
        step: null,
        field: `transcript line ${at + 1}${field}`,
        recorded: brief(was),
        now: brief(is),
      });
    const [was, is] = [recorded.at(at)?.message.role ?? "missing", now.at(at)?.message.role ?? "missing"];
    if (was !== is) {
      differ("", was, is);
      break;
    }
    const place = jsonDifference(recorded[at], now[at], agree);
    if (place !== null) differ(`: ${place.slice(1)}`, valueAt(recorded[at], place), valueAt(now[at], place));
  }
  return differences;
}
