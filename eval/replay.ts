/** Plays a recorded episode's turns again in a fresh environment and names what comes out differently. */
import type { Audit, EnvironmentDefinition, EnvironmentIdentity, TaskInfo } from "../env/environment.ts";
import type { Image } from "../env/image.ts";
import type { EpisodeRecord, StepRecord } from "../env/records.ts";
import type { RecordedEpisode } from "../tasks/run_reader.ts";
import type { RunRecord, TranscriptLine } from "../tasks/run_schema.ts";
import { Dialogue, type DialogueLog } from "./dialogue.ts";
import type { Difference } from "./difference.ts";
import { episodeRecord, sumOfSteps } from "./episode_record.ts";
import { ContextOverflow } from "./model.ts";
import { compareRecords } from "./record_differences.ts";
import { compareSteps } from "./step_differences.ts";
import { type TimedTurn, Transcriber, turnOfLine } from "./transcriber.ts";
import { compareTranscripts } from "./transcript_difference.ts";

export interface ReplayReport {
  episode: EpisodeRecord;
  /** Why it could not be played again, and its log alone was checked; null where it was. */
  notComparable: string | null;
  /** Steps that were played again, or checked. */
  steps: number;
  /** Calls that never ran. */
  callsNotRun: number;
  /** Whether everything had to be identical, pixels too: the device is the one that recorded it. */
  exact: boolean;
  /** In the order of steps; what belongs to the whole episode comes last. */
  differences: Difference[];
}

/**
 * @param task the task under the recorded id
 * @throws UnreadableFile naming file and line of what cannot be read
 */
export async function replayEpisode(
  environment: EnvironmentDefinition,
  identity: EnvironmentIdentity,
  task: TaskInfo,
  recorded: RecordedEpisode,
): Promise<ReplayReport> {
  const { record, run } = recorded;
  const exact = record.device === identity.device;
  const steps = await recorded.steps();
  const transcript = await recorded.transcript();
  const now = await playAgain(environment, task, recorded, steps, transcript);
  const { columns } = environment;
  const keys = (of: readonly StepRecord[]) => new Set(of.flatMap(({ image }) => image ?? []));
  const differences = [
    ...await compareSteps({
      recorded: steps,
      now: now.steps,
      recordedImage: (key) => recorded.image(key),
      imageNow: (step) => now.images.get(step) ?? null,
      columns,
      exact,
    }),
    ...compareRecords(record, now.record, columns, exact),
    ...compareWithRun(record, run),
    ...compareTranscripts({
      recorded: transcript,
      now: now.transcript,
      pictures: { recorded: keys(steps), now: keys(now.steps) },
      exact,
    }),
  ];
  const callsNotRun = transcript.filter(({ message }) => message.role === "tool" && message.step === null);
  return {
    episode: record,
    notComparable: null,
    steps: now.steps.length,
    callsNotRun: callsNotRun.length,
    exact,
    differences,
  };
}

/** What the log of an episode shows that cannot be played again. */
export async function auditEpisode({ why, check }: Audit, recorded: RecordedEpisode): Promise<ReplayReport> {
  const steps = await recorded.steps();
  const differences = check(steps).map(({ wanted, ...finding }) => ({ ...finding, now: wanted }));
  return {
    episode: recorded.record,
    notComparable: why,
    steps: steps.length,
    callsNotRun: 0,
    exact: false,
    differences,
  };
}

interface Replayed {
  steps: readonly StepRecord[];
  images: ReadonlyMap<number, Image | null>;
  transcript: readonly TranscriptLine[];
  /** What the episode's record should be: its identity from `run.json`, sums from its own step log. */
  record: EpisodeRecord;
}

async function playAgain(
  environment: EnvironmentDefinition,
  task: TaskInfo,
  { record, run }: RecordedEpisode,
  steps: readonly StepRecord[],
  transcript: readonly TranscriptLine[],
): Promise<Replayed> {
  const { options: { protocol, effort }, setting } = run;
  const failed = record.status === "error";
  const images = new Map<number, Image | null>();
  const onStep = ({ step }: StepRecord, image: Image | null) => void images.set(step, image);
  const episode = await environment.open(task, { id: record.episode_id, protocol, onStep });
  const log = new ReplayLog(transcript, record);
  const dialogue = new Dialogue(episode, log, () => log.nextTurn());
  const ended_by = await endOf(dialogue, record);
  if (!failed) await episode.submit();
  const stepsNow = await episode.steps();
  const { device, error } = record;
  const job = {
    environment,
    identity: {
      fingerprint: run.env_fingerprint,
      profile: run.profile,
      profileHash: run.profile_hash,
      device,
    },
    player: { name: record.model_name },
    task,
    run: record.run,
    protocol,
    setting,
    id: environment.episodeId({ model: record.model_name, task: task.id, effort, run: record.run }),
  };
  const ending = { ended_by, error: ended_by === "error" ? error ?? "" : null, seconds: record.seconds };
  return {
    // The call that broke a failed episode may have more to show now.
    steps: failed ? stepsNow.slice(0, steps.length) : stepsNow,
    images,
    transcript: failed ? log.lines.slice(0, transcript.length) : log.lines,
    record: { ...await episodeRecord(job, episode, dialogue.tally, ending), ...sumOfSteps(steps, ended_by) },
  };
}

/** How the dialogue ends; where its turns run out, as the record has it, and the transcripts differ in length. */
async function endOf(dialogue: Dialogue, record: EpisodeRecord): Promise<EpisodeRecord["ended_by"]> {
  try {
    return await dialogue.play();
  } catch (error) {
    if (error instanceof EndOfRecording) return record.ended_by;
    throw error;
  }
}

/** The model's turns from a transcript, and the transcript that they make now. */
class ReplayLog implements DialogueLog {
  readonly lines: TranscriptLine[] = [];
  readonly #turns: TimedTurn[];
  readonly #transcriber = new Transcriber((line) => void this.lines.push(line));
  readonly turn = this.#transcriber.turn.bind(this.#transcriber);
  readonly message = this.#transcriber.message.bind(this.#transcriber);
  readonly result = this.#transcriber.result.bind(this.#transcriber);

  constructor(private readonly recorded: readonly TranscriptLine[], private readonly record: EpisodeRecord) {
    this.#turns = recorded.flatMap((line) => turnOfLine(line) ?? []);
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
  { model_name, task_id }: EpisodeRecord,
  { models, options }: RunRecord,
): Difference[] {
  const missing = (field: string, recorded: string): Difference[] => [
    { step: null, field, recorded, now: "not in run.json" },
  ];
  return [
    ...Object.hasOwn(models, model_name) ? [] : missing("model_name", model_name),
    ...options.tasks.includes(task_id) ? [] : missing("task_id", task_id),
  ];
}
