/**
 * Keeps the steps of an episode in order while their hidden metrics are still being computed, and hands each record
 * on once it is whole.
 */
import type { Image } from "./image.ts";
import type { StepRecord } from "./records.ts";

/** The part of a record that may come later. */
export type HiddenPart = Pick<StepRecord, "hidden" | "hidden_score" | "score_before_peeks">;

/** All of a record but its hidden part. */
export type VisiblePart = Omit<StepRecord, keyof HiddenPart>;

export type OnStep = (record: StepRecord, image: Image | null) => void | Promise<void>;

export class StepLog {
  readonly #records: StepRecord[] = [];
  /** Settles when every step added so far is whole and handed on; rejects for good with the first error. */
  #whole: Promise<void> = Promise.resolve();

  /** @param onStep called in step order, never twice at a time */
  constructor(private readonly onStep: OnStep = () => {}) {}

  /** Adds a step; returns at once. */
  add(visible: VisiblePart, hidden: Promise<HiddenPart>, image: Image | null): void {
    // Errors surface from `records()`; until somebody asks, they must not count as unhandled.
    hidden.catch(() => {});
    this.#whole = this.#whole.then(async () => {
      const record = { ...visible, ...await hidden };
      await this.onStep(record, image);
      this.#records.push(record);
    });
    this.#whole.catch(() => {});
  }

  /** Every step added before this call, in order; rejects with an error of the metrics or of `onStep`. */
  async records(): Promise<readonly StepRecord[]> {
    await this.#whole;
    return [...this.#records];
  }
}
