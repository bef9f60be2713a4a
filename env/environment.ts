/**
 * What a benchmark is to everything else: `eval`, the servers and `replay` know an environment only through these
 * interfaces. A third benchmark is one folder that makes an `EnvironmentDefinition`, and one line in `cli.ts`.
 */
import type { Image } from "./image.ts";
import type { CallOutcome, Observation, Prompts, ToolSpec } from "./observation.ts";
import type { Policy } from "./policy.ts";
import type { Metrics, ScoreKind, StepRecord } from "./records.ts";

/** A task as a list shows it; `source` is `embedded`, or where its file was found. */
export interface TaskInfo {
  id: string;
  title: string;
  source: string;
  /** sha256 over all of it that answers or scores depend on, held-out parts included. */
  contentHash: string;
  licence: string;
  /** Whether the high and max efforts and `early_submit_refused` play it. */
  effortSubset: boolean;
  /** Ids of the protocols that make sense for it. */
  protocols: readonly string[];
  /** Fixed points that the task's own table records, by name. */
  baselines?: Readonly<Record<string, ScoredState>>;
}

export interface ProtocolInfo {
  id: string;
  description: string;
}

/** A hidden metric that tables show. */
export interface MetricColumn {
  /** Key in `Metrics`, or `score`. */
  key: string;
  title: string;
  digits: number;
  /** Whether larger is better. */
  higherIsBetter: boolean;
}

export interface Budget {
  used: number;
  limit: number;
}

/** The environment's part of an `EpisodeRecord`; complete only after the episode is done. */
export interface EpisodeResult {
  score: number | null;
  metrics: Metrics;
  reward: number | null;
  /** JSON of the final state in the published shape. */
  finalState: unknown;
  /** Benchmark-specific end of episode, e.g. reassembly part errors. */
  details: Record<string, unknown>;
}

/** A state machine `observe → call* → submit`. Calls run one at a time, in the order made, awaited or not. */
export interface Episode {
  readonly id: string;
  readonly task: TaskInfo;
  readonly protocol: string;
  readonly done: boolean;
  readonly budgets: Readonly<Record<string, Budget>>;
  /** Tools and prompts of this very episode (published tasks bring their own). */
  readonly tools: readonly ToolSpec[];
  readonly prompts: Prompts;

  /** The opening message and picture: step 0. Calling it again returns the same and logs nothing. */
  observe(): Promise<Observation>;

  /** Runs one tool call with decoded arguments. Never throws for anything a model can send. */
  call(tool: string, args: unknown): Promise<CallOutcome>;

  /** Ends the episode from outside, as when the budget runs out; a no-op once done. */
  submit(): Promise<void>;

  /** The state as a structured-cloneable value that `EnvironmentDefinition.scoreStates` takes. */
  state(): unknown;

  /** Every step so far, in order, once all their hidden metrics are known. */
  steps(): Promise<readonly StepRecord[]>;

  /** Waits for hidden metrics still being computed and returns the result; throws before the end. */
  result(): Promise<EpisodeResult>;
}

export interface EpisodeOptions {
  /** `episode_id` of the records. */
  id: string;
  protocol: string;
  /**
   * Called once a step's hidden metrics are known, in step order. `image` is what the model received. An error it
   * throws or rejects with surfaces from `steps()` and `result()`.
   */
  onStep?: (record: StepRecord, image: Image | null) => void | Promise<void>;
}

/** The hidden measurements of one state. */
export interface ScoredState {
  score: number | null;
  metrics: Metrics;
}

/** What results depend on besides the task: written to `run.json`, checked by resume and replay. */
export interface EnvironmentIdentity {
  /** sha256 over environment source, assets and dependency versions. */
  fingerprint: string;
  /** The conventions behind every hidden metric, as JSON: kept in `run.json`, so that a replay can use them again. */
  profile: Readonly<Record<string, unknown>>;
  /** The benchmark's own conventions, in the same form. */
  defaultProfile: Readonly<Record<string, unknown>>;
  /** sha256 of `profile`. */
  profileHash: string;
  /** Adapter in words; differs between machines on purpose and is compared by nobody but `replay`'s pixels. */
  device: string;
}

/** What a list of tasks tells beyond `TaskInfo`; nothing that is hidden from a model. */
export interface TaskDescription {
  /** JSON by name, in reading order, e.g. `{kind: "build", reference_views: 8}`. */
  facts: Readonly<Record<string, unknown>>;
  /** The opening message of a plain episode, and its picture where that takes no device. */
  opening: Observation;
}

/** A recorded episode, as far as its source has it. */
export interface EpisodeLog {
  /** By its number. */
  step(step: number): Partial<StepRecord> | null;
  /** The picture of a step; null where there is none that can be read. */
  image(step: number): Promise<Image | null>;
  /** Whether the answers are in the words of this program. */
  readonly ownWords: boolean;
}

/** What there is to say of recorded episodes that an environment cannot play again. */
export interface Audit {
  /** Why it cannot, in a few words. */
  why: string;
  /** Opens a task for the recorded calls: what cannot be known here is as the log has it, all else as it must be. */
  open(task: TaskInfo, options: EpisodeOptions, log: EpisodeLog): Promise<Episode>;
}

/**
 * A named fixed point (empty scene, rest pose, …) as a state to score; null for a task that has none of this name, and
 * for one that takes long and was stopped.
 */
export type Baseline = (task: TaskInfo, stop?: AbortSignal) => Promise<unknown>;

export interface EnvironmentDefinition {
  /** `splat`, `shadow`: the word on the command line and the folder under `runs/`. */
  readonly id: string;
  readonly title: string;
  readonly protocols: readonly ProtocolInfo[];
  /** Runs of each task when `--runs` is not given. */
  readonly defaultRuns: number;
  /** What its scores are made of; the same for every episode, failed ones included. */
  readonly scoreKind: ScoreKind;
  /** The first column is the headline. */
  readonly columns: readonly MetricColumn[];
  readonly policies: Readonly<Record<string, (task: TaskInfo, run: number) => Promise<Policy>>>;
  readonly baselines: Readonly<Record<string, Baseline>>;
  /** Policies that a bare `bench eval` plays. */
  readonly demoPolicies: readonly string[];

  /**
   * Tasks that match ids, globs or folders; all embedded ones when none is given.
   *
   * @throws BenchError for a selector that matches nothing.
   */
  findTasks(selectors: readonly string[]): Promise<TaskInfo[]>;

  /** Opens no device. Absent where there is nothing to tell. */
  describeTask?(task: TaskInfo): Promise<TaskDescription>;

  /** Folder name under `runs/<bench>/` and split name of the tables, e.g. `medium_effort`, `one_shot`. */
  setting(protocol: string, effort: string): string;

  /** Published id: splat `<model>__<task>__eval_r<run>`, shadow `<model>@<effort>/<task>`. */
  episodeId(parts: { model: string; task: string; effort: string; run: number }): string;

  open(task: TaskInfo, options: EpisodeOptions): Promise<Episode>;

  /** Scores many states of one task in as few GPU submits as possible; same order as given. */
  scoreStates(task: TaskInfo, states: readonly unknown[]): Promise<ScoredState[]>;

  identity(): Promise<EnvironmentIdentity>;

  /**
   * Null where what was recorded under a profile can be played again here. Absent where it always can.
   *
   * @param profile as `run.json` has it; null where nobody kept it
   */
  audit?(profile: Readonly<Record<string, unknown>> | null): Promise<Audit | null>;

  /**
   * What the shape of many submitted states of one task is like, as JSON for `details.shape`; same order as given,
   * null where it cannot be measured. Absent where shapes are not looked at.
   */
  shapes?(task: TaskInfo, states: readonly unknown[]): Promise<(Record<string, unknown> | null)[]>;

  /** Frees the device. */
  close(): void;
}
