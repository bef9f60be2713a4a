/** What recorded episodes are replayed on: environments with the recorded profile, tasks from where they were. */
import type { Audit, EnvironmentDefinition, EnvironmentIdentity, TaskInfo } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import { canonicalJson } from "../env/hash.ts";
import type { ScoreKind } from "../env/records.ts";
import type { RecordedEpisode } from "../tasks/run_reader.ts";
import { noteLine } from "./terminal.ts";

/**
 * Makes the environment of a benchmark.
 *
 * @param profile a profile's name, or the `profile` of a `run.json`
 * @param recorded the kind of the recorded scores
 * @throws BenchError for a benchmark or a profile that does not exist
 */
export type OpenEnvironment = (
  bench: string,
  profile: unknown,
  recorded: ScoreKind,
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
}

/** One stage a benchmark, profile and kind of score, each opened once. */
export class Stages {
  readonly #open = new Map<string, Promise<Stage>>();
  readonly #warned = new Set<string>();

  constructor(private readonly openEnvironment: OpenEnvironment, private readonly profile: string | null) {}

  async of(recorded: RecordedEpisode): Promise<EpisodeStage> {
    const { record: { bench, score_kind }, run } = recorded;
    const profile = this.profile ?? run.profile;
    const key = canonicalJson([bench, profile, score_kind]);
    const opened = this.#open.get(key) ?? this.#openStage(bench, profile, score_kind);
    this.#open.set(key, opened);
    const stage = await opened;
    const audit = await stage.environment.audit?.(run.profile) ?? null;
    if (audit === null) this.#warnOfOtherOrigin(recorded, stage);
    return { ...stage, audit };
  }

  async close(): Promise<void> {
    for (const stage of await Promise.allSettled(this.#open.values())) {
      if (stage.status === "fulfilled") stage.value.environment.close();
    }
  }

  async #openStage(bench: string, profile: unknown, kind: ScoreKind): Promise<Stage> {
    const environment = await this.openEnvironment(bench, profile, kind);
    return { environment, identity: await environment.identity(), tasks: new Map() };
  }

  /** Another version may well give the same: it is compared anyway. */
  #warnOfOtherOrigin({ record }: RecordedEpisode, { identity }: Stage): void {
    const other = [
      record.env_fingerprint === identity.fingerprint ? "" : "another version of the environment",
      record.profile_hash === identity.profileHash ? "" : "other metric or render conventions",
      record.device === identity.device
        ? ""
        : `another device (${record.device}; this is ${identity.device})`,
    ].filter((text) => text !== "").join(" and ");
    const line = `${record.bench}/${record.setting}: recorded with ${other}; compares anyway`;
    if (other === "" || this.#warned.has(line)) return;
    this.#warned.add(line);
    noteLine(line);
  }
}

/**
 * The task of this id.
 *
 * @param source where it was found, null for embedded ones: another task may have its id
 * @throws BenchError where it is no more
 */
export async function findTask(
  { environment, tasks }: Stage,
  id: string,
  source: string | null,
): Promise<TaskInfo> {
  const selector = source ?? id;
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
