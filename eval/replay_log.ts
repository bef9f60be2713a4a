/** A recorded episode as what an environment that cannot play it again goes by. */
import type { EpisodeLog } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import type { EpisodeRecord } from "../env/records.ts";
import type { RecordColumns, RecordedStep } from "./recording.ts";

/** @param ownWords whether its conversation is one of our own */
export function episodeLog(steps: readonly RecordedStep[], ownWords: boolean): EpisodeLog {
  const byNumber = new Map(steps.map((step) => [step.record.step, step]));
  return {
    ownWords,
    step: (step) => byNumber.get(step)?.record ?? null,
    async image(step) {
      try {
        return await byNumber.get(step)?.picture?.load() ?? null;
      } catch (error) {
        // The comparison of pictures tells of it.
        if (error instanceof BenchError) return null;
        throw error;
      }
    },
  };
}

/** What of a record its log can bear out: where steps lack their hidden metrics, nothing that is made of those. */
export function borneOut(record: RecordColumns, steps: readonly RecordedStep[]): Partial<EpisodeRecord> {
  const measured = steps.every(({ record }) =>
    record.hidden !== undefined && record.hidden_score !== undefined
  );
  return measured
    ? record
    : { ...record, curve: undefined, score: undefined, reward: undefined, metrics: undefined };
}
