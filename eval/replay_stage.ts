/** What recorded episodes are played and scored on: environments with the recorded profile, tasks from where they were. */
import type { Audit, EnvironmentDefinition, EnvironmentIdentity, TaskInfo } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { canonicalJson } from "../env/hash.ts";
import type { ScoreKind } from "../env/records.ts";
import type { Recording } from "./recording.ts";
import { knobsInWords, type OtherKnob, otherKnobs } from "./replay_knobs.ts";
import { noteLine } from "./terminal.ts";

/**
 * Makes the environment of a benchmark.
 *
 * @param profile a profile's name, or the `profile` of a `run.json`
 * @param recorded the kind of the recorded scores
 * @param data the data set whose tasks ids mean; null for the embedded ones
 * @throws BenchError for a benchmark, a profile or a data set that does not exist
 */
export type OpenEnvironment = (
  bench: string,
  profile: unknown,
  recorded: ScoreKind,
  data: string | null,
) => Promise<EnvironmentDefinition>;

/** What episodes of one benchmark under one profile, scored in one way, need. */
export interface Stage {
  readonly environment: EnvironmentDefinition;
  readonly identity: EnvironmentIdentity;
  /** What is found by source, or by id if embedded. */
  readonly tasks: Map<string, Promise<TaskInfo[]>>;
}

/** The stage of an episode; with an `audit` it cannot be played again on it. */
export interface EpisodeStage extends Stage {
  readonly audit: Audit | null;
  /** What of the recorded profile is not as the benchmark has it, and was not asked for. */
  readonly notDefault: readonly OtherKnob[];
}

export interface StageOptions {
  /** Name of a profile to use instead of the recorded ones. */
  profile: string | null;
  /** Whether a hand was named, which is then taken for the recorded one where nobody kept which that was. */
  handNamed: boolean;
}

/** One stage a benchmark, profile, kind of score and set of tasks, each opened once. */
export class Stages {
  readonly #open = new Map<string, Promise<Stage>>();
  readonly #warned = new Set<string>();

  constructor(private readonly openEnvironment: OpenEnvironment, private readonly options: StageOptions) {}

  async of(recording: Recording): Promise<EpisodeStage> {
    const { record: { bench, score_kind }, run, data } = recording;
    const profile = this.options.profile ?? run?.profile ?? null;
    const key = canonicalJson([bench, profile, score_kind, data]);
    const opened = this.#open.get(key) ?? this.#openStage(bench, profile, score_kind, data);
    this.#open.set(key, opened);
    const stage = await opened;
    const audit = await this.#auditOf(recording, stage);
    this.#warnOfOtherOrigin(recording, stage, audit === null);
    const notDefault = this.#notDefault(recording, stage);
    const { record: { setting } } = recording;
    if (notDefault.length > 0) this.#warn(`${bench}/${setting}: ${knobsInWords(notDefault)}`);
    return { ...stage, audit, notDefault };
  }

  async close(): Promise<void> {
    for (const stage of await Promise.allSettled(this.#open.values())) {
      if (stage.status === "fulfilled") stage.value.environment.close();
    }
  }

  async #openStage(bench: string, profile: unknown, kind: ScoreKind, data: string | null): Promise<Stage> {
    const environment = await this.openEnvironment(bench, profile, kind, data);
    return { environment, identity: await environment.identity(), tasks: new Map() };
  }

  async #auditOf({ record, run }: Recording, { environment, identity }: Stage): Promise<Audit | null> {
    // Tables keep of a profile its hash alone.
    const same = run === null && (this.options.handNamed || record.profile_hash === identity.profileHash);
    return same ? null : await environment.audit?.(run?.profile ?? null) ?? null;
  }

  #notDefault({ run }: Recording, { identity }: Stage): OtherKnob[] {
    if (run === null) return [];
    const asked = this.options.profile !== null && run.profile_hash === identity.profileHash;
    return asked ? [] : otherKnobs(run.profile, identity.defaultProfile);
  }

  /** Another version may well give the same: it is compared anyway. */
  #warnOfOtherOrigin({ record, run, data }: Recording, { identity }: Stage, plays: boolean): void {
    const { env_fingerprint, profile_hash, device } = record;
    const other = [
      known(env_fingerprint, identity.fingerprint) ? "" : "another version of the environment",
      !plays || known(profile_hash, identity.profileHash) ? "" : "other metric or render conventions",
      !plays || known(device, identity.device)
        ? ""
        : `another device (${device}; this is ${identity.device})`,
    ].filter((text) => text !== "").join(" and ");
    if (other !== "") {
      this.#warn(`${record.bench}/${record.setting}: recorded with ${other}; compares anyway`);
    }
    if (run === null && data === null) {
      this.#warn(`${record.bench}: there is no table of tasks; takes the embedded ones of the same ids`);
    }
  }

  #warn(line: string): void {
    if (this.#warned.has(line)) return;
    this.#warned.add(line);
    noteLine(line);
  }
}

/** Whether nothing is known of another origin. */
const known = (recorded: string | undefined, now: string): boolean =>
  recorded === undefined || recorded === now;

/**
 * The task that was played, from where it was found then: another one may have its id.
 *
 * @throws BenchError where it is no more
 */
export async function findTask(
  { environment, tasks }: Stage,
  { record: { task_id: id }, run }: Recording,
): Promise<TaskInfo> {
  const selector = run?.options.task_sources[id] ?? id;
  const found = tasks.get(selector) ?? environment.findTasks([selector]);
  tasks.set(selector, found);
  const task = (await found).find((task) => task.id === id);
  if (task !== undefined) return task;
  throw new BenchError({
    what: `Cannot find the task ${id}`,
    why: `${selector} holds ${(await found).map((task) => task.id).join(", ")}`,
    fix: "Restore the task file that was played",
  });
}
