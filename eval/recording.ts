/** A recorded episode, whether a run folder or a data set keeps it: what `replay` and `rescore` read. */
import type { Image } from "../env/image.ts";
import type { EpisodeRecord, StepRecord } from "../env/records.ts";
import type { DataSet } from "../tasks/data_source.ts";
import type { BenchId } from "../tasks/tables.ts";
import type { MessageRow } from "../tasks/transcript_rows.ts";
import type { RunRecord } from "../tasks/run_schema.ts";

/** Columns of an episode's record; those that its source lacks are absent. */
export type RecordColumns =
  & Partial<EpisodeRecord>
  & Pick<
    EpisodeRecord,
    "episode_id" | "bench" | "setting" | "model_name" | "task_id" | "score" | "score_kind"
  >;

/** A step's record; columns that its source lacks are absent. */
export type StepColumns = Partial<StepRecord> & Pick<StepRecord, "step">;

export interface RecordedPicture {
  /** For people, e.g. `images/<key>.png`. */
  name: string;
  /** `imageKey` of its pixels, where its name promises one. */
  key: string | null;
  /** @throws BenchError when it is missing or no PNG */
  load(): Promise<Image>;
}

export interface RecordedStep {
  record: StepColumns;
  picture: RecordedPicture | null;
}

/** What was said. */
export interface RecordedConversation {
  /** Null where messages are not as our own runs write them: only the calls of the steps are known then. */
  messages: readonly MessageRow[] | null;
  /** Calls that never ran. */
  callsNotRun: number;
}

export interface SubmittedState {
  /** As `scoreStates` takes it. */
  state: unknown;
  /** Whether the log of the steps alone has it. */
  ofLastStep: boolean;
}

export interface Recording {
  /** Where it is, for people; no other recording has the same. */
  readonly place: string;
  /** The run folder or data set that it is of. */
  readonly source: string;
  readonly record: RecordColumns;
  /** What its run was asked for; null where nobody kept that. */
  readonly run: RunRecord | null;
  /** The data set whose tasks it played; null where `run` says which, and for embedded ones. */
  readonly data: string | null;
  /** Whether states have all their parts and digits, as in a run folder. */
  readonly whole: boolean;
  /** In order. @throws BenchError naming file and row of what cannot be read */
  steps(): Promise<RecordedStep[]>;
  /** @throws BenchError naming file and row of what cannot be read */
  conversation(): Promise<RecordedConversation>;
  /** The submitted state; null where none is recorded. */
  submitted(): Promise<SubmittedState | null>;
  /** Whether it has a picture of the final state that no replay draws. */
  finalPicture(): Promise<boolean>;
}

/** What tells a recording among those of a source. */
export interface RecordingKey {
  readonly bench: string;
  readonly setting: string;
  readonly episodeId: string;
  readonly place: string;
}

/** Recordings of one place. */
export interface RecordedSet {
  readonly where: string;
  /** All that can be read, in order. */
  readonly keys: readonly RecordingKey[];
  /** Why others cannot. */
  readonly unreadable: readonly string[];
  /** Folders of episodes that have not ended. */
  readonly unfinished: readonly string[];
  /** Those of the keys, in their order; reads one after another. */
  read(keys: readonly RecordingKey[]): AsyncGenerator<Recording>;
  /** The same as tables. */
  tables(bench: BenchId): Promise<DataSet>;
}
