/** Plays a recorded episode again in a fresh environment and names what comes out differently. */
import type {
  Audit,
  EnvironmentDefinition,
  EnvironmentIdentity,
  Episode,
  EpisodeOptions,
  TaskInfo,
} from "../env/environment.ts";
import { contentHash } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import { type EpisodeRecord, type StepRecord, stepRecordSchema } from "../env/records.ts";
import type { RunRecord, TranscriptLine } from "../tasks/run_schema.ts";
import { type MessageRow, transcriptRow } from "../tasks/transcript_rows.ts";
import { Dialogue, type DialogueLog } from "./dialogue.ts";
import type { Difference } from "./difference.ts";
import { episodeRecord, EpisodeTally, sumOfSteps } from "./episode_record.ts";
import { ContextOverflow } from "./model.ts";
import { turnOfMessage } from "./own_messages.ts";
import { compareRecords } from "./record_differences.ts";
import type { RecordColumns, RecordedStep, Recording } from "./recording.ts";
import type { OtherKnob } from "./replay_knobs.ts";
import { borneOut, episodeLog } from "./replay_log.ts";
import { compareSteps } from "./step_differences.ts";
import { playSteps } from "./step_player.ts";
import { type TimedTurn, Transcriber } from "./transcriber.ts";
import { compareTranscripts } from "./transcript_difference.ts";

export interface ReplayReport {
  record: RecordColumns;
  /** Why it could not be played again, and its log alone was checked; null where it was. */
  notComparable: string | null;
  /** What of its profile is not as the benchmark has it, and was not asked for. */
  notDefault: readonly OtherKnob[];
  /** Steps that were played again, or checked. */
  steps: number;
  /** Calls that never ran. */
  callsNotRun: number;
  /** Whether it has a picture of the final state, which is not compared: the state is. */
  finalPicture: boolean;
  /** Whether everything had to be identical, pixels too: the device is the one that recorded it. */
  exact: boolean;
  /** In the order of steps; what belongs to the whole episode comes last. */
  differences: Difference[];
}

/** Told of pictures that differ; null where there is none. */
export type OnPictures = (step: number, recorded: Image | null, now: Image | null) => Promise<void>;

export interface ReplayOptions {
  /** For an episode that cannot be played again here: it is played along its log then. */
  audit?: Audit | null;
  notDefault?: readonly OtherKnob[];
  onPictures?: OnPictures;
}

/**
 * @param task the task under the recorded id
 * @throws BenchError naming file and place of what cannot be read
 */
export async function replayEpisode(
  environment: EnvironmentDefinition,
  identity: EnvironmentIdentity,
  task: TaskInfo,
  recording: Recording,
  { audit = null, notDefault = [], onPictures }: ReplayOptions = {},
): Promise<ReplayReport> {
  const { run, whole } = recording;
  const steps = await recording.steps();
  const { messages, callsNotRun } = await recording.conversation();
  const finalPicture = await recording.finalPicture();
  const open = (options: EpisodeOptions) =>
    audit === null
      ? environment.open(task, options)
      : audit.open(task, options, episodeLog(steps, messages !== null));
  const now = await playAgain(environment, identity, task, recording, steps, messages, open);
  const sameDevice = recording.record.device === identity.device;
  // What no device of ours draws or measures is as the log has it.
  const exact = audit !== null || sameDevice;
  const record = audit === null ? recording.record : borneOut(recording.record, steps);
  const { columns } = environment;
  const keys = (of: readonly { image?: string | null }[]) => new Set(of.flatMap(({ image }) => image ?? []));
  const differences = [
    ...now.neverRan,
    ...await compareSteps({
      recorded: steps,
      now: now.steps,
      imageNow: (step) => now.images.get(step) ?? null,
      columns,
      exact,
      whole,
      onPictures,
    }),
    ...compareRecords({ was: record, is: now.record, columns, exact, whole, turns: messages !== null }),
    ...(run === null ? [] : compareWithRun(recording.record, run)),
    ...(messages === null ? [] : compareTranscripts({
      recorded: messages,
      now: now.messages,
      pictures: { recorded: keys(steps.map((step) => step.record)), now: keys(now.steps) },
      exact,
    })),
  ];
  return {
    record: recording.record,
    notComparable: audit?.why ?? null,
    notDefault,
    steps: now.steps.length,
    callsNotRun,
    finalPicture,
    exact: audit === null && sameDevice,
    differences,
  };
}

interface Replayed {
  steps: readonly StepRecord[];
  images: ReadonlyMap<number, Image | null>;
  messages: readonly MessageRow[];
  /** A call that ran then and does not run now. */
  neverRan: Difference[];
  /** What the episode's record should be: its identity from `run.json`, sums from its own step log. */
  record: EpisodeRecord;
}

async function playAgain(
  environment: EnvironmentDefinition,
  identity: EnvironmentIdentity,
  task: TaskInfo,
  { record, run }: Recording,
  steps: readonly RecordedStep[],
  messages: readonly MessageRow[] | null,
  open: (options: EpisodeOptions) => Promise<Episode>,
): Promise<Replayed> {
  const failed = record.status === "error";
  const protocol = run?.options.protocol ?? record.protocol ?? "standard";
  const images = new Map<number, Image | null>();
  const onStep = ({ step }: StepRecord, image: Image | null) => void images.set(step, image);
  const episode = await open({ id: record.episode_id, protocol, onStep });
  const played = messages === null
    ? await playCalls(episode, steps, record)
    : await playTurns(episode, messages, record);
  if (!failed) await episode.submit();
  const all = await episode.steps();
  // The call that broke a failed episode may have more to show now.
  const stepsNow = failed ? all.slice(0, steps.length) : all;
  const { ended_by } = played;
  const ending = {
    ended_by,
    error: ended_by === "error" ? record.error ?? "" : null,
    seconds: record.seconds ?? 0,
  };
  const job = jobOf(environment, identity, task, { record, run }, protocol);
  const isNow = await episodeRecord(job, episode, played.tally, ending);
  const { lines } = played;
  return {
    steps: stepsNow,
    images,
    messages: transcriptRow(isNow, failed ? lines.slice(0, messages?.length) : lines).messages,
    neverRan: played.neverRan,
    record: { ...isNow, ...sumOfSteps(wholeRecords(steps) ?? stepsNow, ended_by) },
  };
}

/** What the record shares with the run, from there; what nobody kept elsewhere is taken as recorded. */
function jobOf(
  environment: EnvironmentDefinition,
  identity: EnvironmentIdentity,
  task: TaskInfo,
  { record, run }: Pick<Recording, "record" | "run">,
  protocol: string,
) {
  const { device, fingerprint, profile, defaultProfile, profileHash } = identity;
  const { episode_id, model_name, setting } = record;
  const number = record.run ?? 1;
  return {
    environment,
    identity: {
      fingerprint: run?.env_fingerprint ?? record.env_fingerprint ?? fingerprint,
      profile: run?.profile ?? profile,
      defaultProfile,
      profileHash: run?.profile_hash ?? record.profile_hash ?? profileHash,
      device: record.device ?? device,
    },
    player: { name: model_name },
    task,
    run: number,
    protocol,
    setting: run?.setting ?? setting,
    id: run === null
      ? episode_id
      : environment.episodeId({ model: model_name, task: task.id, effort: run.options.effort, run: number }),
  };
}

/** The records of steps that have all their columns; null where some lack one. */
function wholeRecords(steps: readonly RecordedStep[]): StepRecord[] | null {
  const records = steps.flatMap(({ record }) => {
    const parsed = stepRecordSchema.safeParse({ score_before_peeks: null, ...record });
    return parsed.success ? [parsed.data] : [];
  });
  return records.length === steps.length ? records : null;
}

/** What playing an episode leaves beside its steps. */
interface Played {
  ended_by: EpisodeRecord["ended_by"];
  tally: EpisodeTally;
  lines: readonly TranscriptLine[];
  neverRan: Difference[];
}

/** Plays the model's turns; where they run out the end is the recorded one, and the conversations differ in length. */
async function playTurns(
  episode: Episode,
  messages: readonly MessageRow[],
  record: RecordColumns,
): Promise<Played> {
  const log = new ReplayLog(messages, record);
  const dialogue = new Dialogue(episode, log, () => log.nextTurn());
  const { tally } = dialogue;
  const { lines } = log;
  try {
    return { ended_by: await dialogue.play(), tally, lines, neverRan: [] };
  } catch (error) {
    if (!(error instanceof EndOfRecording)) throw error;
    return { ended_by: record.ended_by ?? "submit", tally, lines, neverRan: [] };
  }
}

/** Plays the calls of the steps: what there is of published episodes. */
async function playCalls(
  episode: Episode,
  steps: readonly RecordedStep[],
  { ended_by }: RecordColumns,
): Promise<Played> {
  const neverRan = await playSteps(episode, steps.map(({ record }) => record), ended_by ?? null);
  const byBudget = episode.done && steps.at(-1)?.record.tool !== "submit";
  return {
    ended_by: ended_by ?? (byBudget ? "budget" : "submit"),
    tally: new EpisodeTally(),
    lines: [],
    neverRan: neverRan === null ? [] : [neverRan],
  };
}

/** The model's turns from its messages, and the transcript that they make now. */
class ReplayLog implements DialogueLog {
  readonly lines: TranscriptLine[] = [];
  readonly #turns: TimedTurn[];
  readonly #transcriber = new Transcriber((line) => void this.lines.push(line));
  readonly turn = this.#transcriber.turn.bind(this.#transcriber);
  readonly message = this.#transcriber.message.bind(this.#transcriber);
  readonly result = this.#transcriber.result.bind(this.#transcriber);

  constructor(private readonly recorded: readonly MessageRow[], private readonly record: RecordColumns) {
    this.#turns = recorded.flatMap((message) => turnOfMessage(message) ?? []);
  }

  nextTurn(): Promise<TimedTurn> {
    const turn = this.#turns.shift();
    if (turn !== undefined) return Promise.resolve(turn);
    return Promise.reject(
      this.record.ended_by === "context_overflow" ? new ContextOverflow() : new EndOfRecording(),
    );
  }

  /** A call that has no answer is the one that broke the episode. */
  check(): void {
    if (this.record.status === "error" && this.lines.length >= this.recorded.length) {
      throw new EndOfRecording();
    }
  }
}

class EndOfRecording extends Error {}

/** What the record shares with its run, which `compareRecords` does not see. */
function compareWithRun(
  { bench, model_name, task_id }: RecordColumns,
  { bench: benchOfRun, models, options, profile, profile_hash }: RunRecord,
): Difference[] {
  const hash = contentHash(profile);
  const missing = (field: string, recorded: string): Difference[] => [
    { step: null, field, recorded, now: "not in run.json" },
  ];
  return [
    ...bench === benchOfRun
      ? []
      : [{ step: null, field: "bench", recorded: bench, now: `${benchOfRun} in run.json` }],
    ...profile_hash === hash ? [] : [{
      step: null,
      field: "profile_hash",
      recorded: profile_hash,
      now: `${hash}, of the profile in run.json`,
    }],
    ...Object.hasOwn(models, model_name) ? [] : missing("model_name", model_name),
    ...options.tasks.includes(task_id) ? [] : missing("task_id", task_id),
  ];
}
