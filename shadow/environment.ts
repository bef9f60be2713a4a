/** ShadowBench as `eval`, the servers and `replay` see it. */
import type { EnvironmentDefinition, EpisodeOptions, TaskInfo } from "../env/environment.ts";
import { environmentFingerprint } from "../env/fingerprint.ts";
import { contentHash } from "../env/hash.ts";
import { once } from "../env/once.ts";
import { SHADOW_TASKS } from "../tasks/embedded_shadow_tasks.ts";
import type { ShadowTaskFile } from "../tasks/shadow_task_file.ts";
import { TaskShelf } from "../tasks/task_shelf.ts";
import type { TaskSet } from "../tasks/task_source.ts";
import { LoggedEpisode } from "./audit.ts";
import { shadowBaselines } from "./baselines.ts";
import { describeTask } from "./describe_task.ts";
import { ENVIRONMENT_FILES, ENVIRONMENT_PACKAGES } from "./environment_files.ts";
import { ShadowEpisode } from "./episode.ts";
import type { Hands } from "./hand/hand_model.ts";
import { loadHands } from "./hand/load_hand.ts";
import { taskFromFile } from "./load_task.ts";
import { COLUMNS } from "./metrics.ts";
import { readProfile, shadowProfile } from "./named_profile.ts";
import { openPictures } from "./open_pictures.ts";
import { climbPolicy } from "./policies/climb.ts";
import { restPolicy } from "./policies/rest.ts";
import { walkPolicy } from "./policies/walk.ts";
import { witnessPolicy } from "./policies/witness.ts";
import { DEFAULT_SCORE, type ScoreProfile } from "./score/score_profile.ts";
import { openPoseScorer, PlateSearches, type SearchOptions, searchOptions } from "./search/plate_searches.ts";
import { type OpenPictures, StagePool } from "./stage_pool.ts";
import { scoreState, stateOf } from "./state.ts";
import { type ShadowTask, STANDARD_LIMITS } from "./task.ts";

export interface ShadowOptions {
  /** `auto`, `gpu`, `software`, or part of an adapter's name; opened on first use. */
  device?: string;
  /** GLB file of a hand; the default hand without. */
  hand?: string;
  scoreProfile?: ScoreProfile;
  /** How the baseline `cma` searches; by default 6,000 poses a plate, kept in the cache. */
  search?: Partial<SearchOptions>;
  /** Where tasks come from; by default those that come with the program, and files. */
  tasks?: TaskSet<ShadowTaskFile>;
  /** Replaces the pictures, for tests. */
  openPictures?: (hands: Hands) => Promise<OpenPictures>;
}

/** What `shadowEnvironment` gives beyond `EnvironmentDefinition`: episodes of tasks that no selector names. */
export interface ShadowEnvironment extends EnvironmentDefinition {
  open(task: TaskInfo, options: EpisodeOptions): Promise<ShadowEpisode>;
  openTask(task: ShadowTask, options: EpisodeOptions): Promise<ShadowEpisode>;
}

/** ShadowBench. Opens no device, and reads no hand and no task before it must. */
export function shadowEnvironment(options: ShadowOptions = {}): ShadowEnvironment {
  const score = options.scoreProfile ?? DEFAULT_SCORE;
  const pool = new StagePool(
    () => loadHands(options.hand),
    options.openPictures ?? ((hands) => openPictures(options.device ?? "auto", hands)),
    score,
  );
  const tasks = new TaskShelf(options.tasks ?? SHADOW_TASKS, taskFromFile);
  const fingerprint = once(() => environmentFingerprint(ENVIRONMENT_FILES, ENVIRONMENT_PACKAGES));
  const searches = once(async () =>
    new PlateSearches(
      await pool.hands(),
      score,
      searchOptions({ rules: await fingerprint(), ...options.search }),
      (hands) => openPoseScorer(options.device ?? "auto", hands, score),
    )
  );
  const openTask = async (task: ShadowTask, episode: EpisodeOptions) =>
    new ShadowEpisode(task, await pool.studio(task), episode);
  return {
    id: "shadow",
    title: "ShadowBench",
    protocols: [{
      id: "standard",
      description:
        `The full episode: ${STANDARD_LIMITS.calls} calls, ${STANDARD_LIMITS.looks} looks, ${STANDARD_LIMITS.peeks} peeks.`,
    }],
    defaultRuns: 1,
    scoreKind: "full",
    columns: COLUMNS,
    policies: {
      rest: () => Promise.resolve(restPolicy),
      walk: (task, run) => Promise.resolve(walkPolicy(task.id, run)),
      climb: () => Promise.resolve(climbPolicy()),
      witness: async (info) => witnessPolicy(await tasks.load(info), (await pool.hands()).right),
    },
    demoPolicies: ["rest", "walk", "climb"],
    baselines: shadowBaselines(
      (info) => tasks.load(info),
      async (task, stop) => await (await searches()).search(task.info.id, pool.target(task), stop),
    ),
    findTasks: async (selectors) => (await tasks.find(selectors)).map(({ info }) => info),
    describeTask: async (info) => describeTask(await tasks.load(info)),
    setting: (_protocol, effort) => `${effort}_effort`,
    episodeId: ({ model, task, effort, run }) => `${model}@${effort}/${task}${run > 1 ? `+r${run}` : ""}`,
    open: async (info, episode) => await openTask(await tasks.load(info), episode),
    openTask,
    scoreStates: async (info, states) => {
      const task = await tasks.load(info);
      const shown = states.map((state) => stateOf(state, info.id));
      const [target, hands] = [pool.target(task), await pool.hands()];
      return shown.map((state) => scoreState(target, hands, state));
    },
    identity: async () => {
      const profile = shadowProfile(score, (await pool.hands()).right);
      return {
        fingerprint: await fingerprint(),
        profile,
        defaultProfile: shadowProfile(DEFAULT_SCORE, (await pool.hands()).right),
        profileHash: contentHash(profile),
        device: (await pool.pictures()).device,
      };
    },
    audit: async (profile) => {
      const recorded = profile === null ? null : readProfile(profile);
      if (recorded?.hand.hash === (await pool.hands()).right.hash) return null;
      return {
        why: "other hand: not comparable",
        open: async (info, episode, log) => {
          const task = await tasks.load(info);
          return new LoggedEpisode(task, await pool.studio(task), episode, log, recorded);
        },
      };
    },
    close: () => pool.close(),
  };
}
