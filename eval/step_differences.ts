/** Compares the step log of an episode with what its calls give now. */
import type { MetricColumn } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { imageKey } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import type { StepRecord } from "../env/records.ts";
import {
  jsonDifference,
  metricThatDisagrees,
  numbersAgree,
  pictureDifference,
  textsAgree,
  valueAt,
} from "./agreement.ts";
import { brief, type Difference } from "./difference.ts";

export interface StepComparison {
  recorded: readonly StepRecord[];
  now: readonly StepRecord[];
  /** Reads a stored picture; throws BenchError when it cannot. */
  recordedImage(key: string): Promise<Image>;
  imageNow(step: number): Image | null;
  columns: readonly MetricColumn[];
  /** Whether everything must be identical: the device is the one that recorded it. */
  exact: boolean;
}

/** Every difference, in the order of steps. */
export async function compareSteps(comparison: StepComparison): Promise<Difference[]> {
  const { recorded, now } = comparison;
  const differences: Difference[] = [];
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    if (at >= recorded.length) {
      differences.push({ step: at, field: "step", recorded: "missing", now: now[at].tool });
    } else if (at >= now.length) {
      differences.push({ step: at, field: "step", recorded: recorded[at].tool, now: "missing" });
    } else {
      differences.push(...compareFields(recorded[at], now[at], comparison));
      differences.push(...await comparePicture(recorded[at], now[at], comparison));
    }
  }
  return differences;
}

function compareFields(was: StepRecord, is: StepRecord, { columns, exact }: StepComparison): Difference[] {
  const differences: Difference[] = [];
  const differ = (field: string, recorded: unknown, now: unknown) =>
    differences.push({ step: is.step, field, recorded: brief(recorded), now: brief(now) });
  for (const field of ["step", "episode_id", "tool", "accepted", "refusal", "done"] as const) {
    if (was[field] !== is[field]) differ(field, was[field], is[field]);
  }
  for (const field of ["arguments", "state", "budgets"] as const) {
    const place = jsonDifference(was[field], is[field]);
    if (place !== null) differ(field + place, valueAt(was[field], place), valueAt(is[field], place));
  }
  if (!textsAgree(was.response, is.response, exact)) differ("response", was.response, is.response);
  const metric = metricThatDisagrees(was.hidden, is.hidden, columns, exact);
  if (metric !== null) differ(`hidden ${metric}`, was.hidden[metric], is.hidden[metric]);
  for (const field of ["hidden_score", "score_before_peeks"] as const) {
    if (!numbersAgree(was[field], is[field], columns[0].digits, exact)) differ(field, was[field], is[field]);
  }
  return differences;
}

async function comparePicture(
  was: StepRecord,
  is: StepRecord,
  { recordedImage, imageNow, exact }: StepComparison,
): Promise<Difference[]> {
  const differ = (recorded: string, now: string) => [{ step: is.step, field: "picture", recorded, now }];
  const now = imageNow(is.step);
  if (was.image === null || now === null) {
    if (was.image === null && now === null) return [];
    return differ(was.image === null ? "none" : "a picture", now === null ? "none" : "a picture");
  }
  let stored: Image;
  try {
    stored = await recordedImage(was.image);
  } catch (error) {
    if (error instanceof BenchError) return differ(error.message, "a picture");
    throw error;
  }
  const pixels = pictureDifference(stored, now, exact);
  if (pixels !== null) return differ(`images/${was.image}.png`, pixels);
  // A picture that was exchanged for another agreeing one still is not the one that its name promises.
  return imageKey(stored) === was.image
    ? []
    : differ(`images/${was.image}.png`, "its pixels are not those of its name");
}
