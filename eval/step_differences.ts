/** Compares the step log of an episode with what its calls give now. */
import type { MetricColumn } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { canonicalJson, imageKey } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import type { StepRecord } from "../env/records.ts";
import {
  isRounded,
  jsonDifference,
  metricThatDisagrees,
  numbersAgree,
  pictureDifference,
  roundsTo,
  textsAgree,
  valueAt,
} from "./agreement.ts";
import { brief, briefly, type Difference } from "./difference.ts";
import type { RecordedStep } from "./recording.ts";

export interface StepComparison {
  recorded: readonly RecordedStep[];
  now: readonly StepRecord[];
  imageNow(step: number): Image | null;
  columns: readonly MetricColumn[];
  /** Whether everything must be identical: the device is the one that recorded it. */
  exact: boolean;
  /** Whether recorded states have all their parts and digits. */
  whole: boolean;
  /** Told of pictures that differ; null where there is none. */
  onPictures?(step: number, recorded: Image | null, now: Image | null): Promise<void>;
}

/** Every difference, in the order of steps; columns that are not recorded are not compared. */
export async function compareSteps(comparison: StepComparison): Promise<Difference[]> {
  const { recorded, now, whole } = comparison;
  const states = new StateComparison(whole, recorded);
  const differences: Difference[] = [];
  for (let at = 0; at < Math.max(recorded.length, now.length); at++) {
    if (at >= recorded.length) {
      differences.push({ step: at, field: "step", recorded: "missing", now: now[at].tool });
    } else if (at >= now.length) {
      const { record: { tool } } = recorded[at];
      differences.push({ step: at, field: "step", recorded: tool ?? "a step", now: "missing" });
    } else {
      differences.push(...compareFields(recorded[at], now[at], comparison, states));
      differences.push(...await comparePicture(recorded[at], now[at], comparison));
    }
  }
  return differences;
}

/** States as they are after each step: a log may leave out one that did not change. */
class StateComparison {
  readonly rounded: boolean;
  #was: unknown = null;
  #is: unknown = null;
  #told = "";

  constructor(private readonly whole: boolean, recorded: readonly RecordedStep[]) {
    this.rounded = !whole && recorded.every(({ record: { state } }) => isRounded(state));
  }

  /** Where they differ; null where they agree, and where the same difference was told at the step before. */
  difference(was: unknown, is: unknown): { place: string; was: unknown; is: unknown } | null {
    if (was === undefined) return null;
    this.#was = was ?? this.#was;
    this.#is = is ?? this.#is;
    const now = this.whole ? this.#is : sameKeys(this.#was, this.#is);
    const place = jsonDifference(this.#was, now, this.rounded ? numbersRound : undefined);
    if (place === null) {
      this.#told = "";
      return null;
    }
    const found = { place, was: valueAt(this.#was, place), is: valueAt(now, place) };
    const told = canonicalJson([place, found.was ?? null, found.is ?? null]);
    if (told === this.#told) return null;
    this.#told = told;
    return found;
  }
}

function numbersRound(was: unknown, is: unknown): boolean {
  return typeof was === "number" && typeof is === "number" && roundsTo(was, is);
}

/** The parts of an object that a table keeps, too. */
export function sameKeys(was: unknown, is: unknown): unknown {
  if (typeof was !== "object" || was === null || Array.isArray(was)) return is;
  if (typeof is !== "object" || is === null) return is;
  return Object.fromEntries(Object.entries(is).filter(([key]) => Object.hasOwn(was, key)));
}

function compareFields(
  { record: was }: RecordedStep,
  is: StepRecord,
  { columns, exact }: StepComparison,
  states: StateComparison,
): Difference[] {
  const { rounded } = states;
  const differences: Difference[] = [];
  const differ = (field: string, recorded: unknown, now: unknown) =>
    differences.push({ step: is.step, field, recorded: brief(recorded), now: brief(now) });
  for (const field of ["step", "episode_id", "tool", "accepted", "refusal", "done"] as const) {
    if (was[field] !== undefined && was[field] !== is[field]) differ(field, was[field], is[field]);
  }
  for (const field of ["arguments", "budgets"] as const) {
    const place = was[field] === undefined ? null : jsonDifference(was[field], is[field]);
    if (place !== null) differ(field + place, valueAt(was[field], place), valueAt(is[field], place));
  }
  const state = states.difference(was.state, is.state);
  if (state !== null) differ(`state${state.place}`, state.was, state.is);
  const metric = was.hidden === undefined
    ? null
    : metricThatDisagrees(was.hidden, is.hidden, columns, exact, rounded);
  if (metric !== null) differ(`hidden ${metric}`, was.hidden?.[metric], is.hidden[metric]);
  for (const field of ["hidden_score", "score_before_peeks"] as const) {
    const recorded = was[field];
    if (recorded === undefined) continue;
    if (!numbersAgree(recorded, is[field], columns[0].digits, exact, rounded)) {
      differ(field, recorded, is[field]);
    }
  }
  if (was.response !== undefined && !textsAgree(was.response, is.response, exact)) {
    differences.push({ step: is.step, field: "response", ...briefly(was.response, is.response) });
  }
  return differences;
}

async function comparePicture(
  { record, picture }: RecordedStep,
  is: StepRecord,
  { imageNow, exact, onPictures }: StepComparison,
): Promise<Difference[]> {
  const differ = (recorded: string, now: string) => [{ step: is.step, field: "picture", recorded, now }];
  const now = imageNow(is.step);
  if (record.image === undefined || (picture === null && now === null)) return [];
  let stored: Image | null = null;
  try {
    stored = await picture?.load() ?? null;
  } catch (error) {
    if (error instanceof BenchError) return differ(error.message, now === null ? "none" : "a picture");
    throw error;
  }
  if (stored === null || now === null || picture === null) {
    await onPictures?.(is.step, stored, now);
    return differ(stored === null ? "none" : "a picture", now === null ? "none" : "a picture");
  }
  const pixels = pictureDifference(stored, now, exact);
  if (pixels !== null) {
    await onPictures?.(is.step, stored, now);
    return differ(picture.name, pixels);
  }
  // A picture that was exchanged for another agreeing one still is not the one that its name promises.
  return picture.key === null || imageKey(stored) === picture.key
    ? []
    : differ(picture.name, "its pixels are not those of its name");
}
