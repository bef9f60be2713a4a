/** SplatBench as `eval`, the servers and `replay` see it. */
import { z } from "zod";
import type { EnvironmentDefinition, EpisodeOptions, TaskInfo } from "../env/environment.ts";
import { BenchError } from "../env/errors.ts";
import type { ScoreKind } from "../env/records.ts";
import { contentHash } from "../env/hash.ts";
import { once } from "../env/once.ts";
import { openGpu } from "../gpu/device.ts";
import { gaussianRowSchema } from "../tasks/splat_rows.ts";
import { SPLAT_TASKS } from "../tasks/embedded_tasks.ts";
import type { TaskFile } from "../tasks/task_file.ts";
import { TaskShelf } from "../tasks/task_shelf.ts";
import type { TaskSet } from "../tasks/task_source.ts";
import { splatBaselines } from "./baselines.ts";
import { describeTask } from "./describe_task.ts";
import { SplatEpisode } from "./episode.ts";
import { environmentFingerprint } from "../env/fingerprint.ts";
import { ENVIRONMENT_FILES, ENVIRONMENT_PACKAGES } from "./environment_files.ts";
import { taskFromFile } from "./load_task.ts";
import { carvePolicy } from "./policies/carve.ts";
import { meanPolicy } from "./policies/mean.ts";
import { oraclePolicy } from "./policies/oracle.ts";
import { randomPolicy } from "./policies/random.ts";
import { DEFAULT_PROFILE, splatProfile } from "./named_profile.ts";
import { PROTOCOLS, taskVariant } from "./protocols.ts";
import { DEFAULT_RENDER_PROFILE, type RenderProfile } from "./render/profile.ts";
import { Renderer } from "./render/renderer.ts";
import { type OpenRenderer, RenderPool } from "./render_pool.ts";
import { type Scene, sceneFromRows } from "./scene.ts";
import { type SceneProblem, sceneProblem } from "./scene_check.ts";
import { FixedPointStore } from "./score/fixed_points.ts";
import type { LpipsWeights } from "./score/lpips/lpips_weights.ts";
import { SCORE_NET } from "./score/lpips/networks.ts";
import { DEFAULT_METRICS, type MetricProfile } from "./score/metric_profile.ts";
import type { Studio } from "./studio.ts";
import type { SplatTask } from "./task.ts";

export interface SplatOptions {
  /** `auto`, `gpu`, `software`, or part of an adapter's name; opened on first use. */
  device?: string;
  renderProfile?: RenderProfile;
  metricProfile?: MetricProfile;
  /** Scores are full with the weights of LPIPS, and partial without. */
  lpipsWeights?: LpipsWeights | null;
  /** Where tasks come from; by default those that come with the program, and files. */
  tasks?: TaskSet<TaskFile>;
  /** Folder that keeps fixed points for other processes; without it they are measured once in each. */
  cache?: string | null;
  /** Told why a task has no score, one line. */
  notice?: (line: string) => void;
  /** Replaces the WebGPU renderer, for tests. */
  openRenderer?: () => Promise<OpenRenderer>;
}

/** What `splatEnvironment` gives beyond `EnvironmentDefinition`: episodes of tasks that no selector names. */
export interface SplatEnvironment extends EnvironmentDefinition {
  openTask(task: SplatTask, options: EpisodeOptions): SplatEpisode;
  /** A task, and what draws and scores its scenes. */
  studio(info: TaskInfo): Promise<{ task: SplatTask; studio: Studio }>;
}

const sceneSchema = z.array(gaussianRowSchema);

/** SplatBench. Opens no device and reads no task before it must. */
export function splatEnvironment(options: SplatOptions = {}): SplatEnvironment {
  const renderProfile = options.renderProfile ?? DEFAULT_RENDER_PROFILE;
  const metricProfile = options.metricProfile ?? DEFAULT_METRICS;
  const weights = options.lpipsWeights ?? null;
  const kind: ScoreKind = weights === null ? "partial" : "full";
  const profile = splatProfile(renderProfile, metricProfile, weights);
  const openRenderer = options.openRenderer ??
    (() => openOnDevice(options.device ?? "auto", renderProfile, metricProfile, weights));
  const cache = options.cache ?? null;
  const fingerprint = once(() => environmentFingerprint(ENVIRONMENT_FILES, ENVIRONMENT_PACKAGES));
  const deviceName = async () => (await pool.open()).device;
  const pool: RenderPool = new RenderPool(openRenderer, {
    kind,
    metricProfile,
    fixedPoints: new FixedPointStore(kind, cache),
    // Program and device tell processes apart, which share nothing without a cache.
    conventions: async () =>
      cache === null ? profile : { profile, fingerprint: await fingerprint(), device: await deviceName() },
    notice: options.notice ?? (() => {}),
  });
  const tasks = new TaskShelf(options.tasks ?? SPLAT_TASKS, taskFromFile);
  const openTask = (task: SplatTask, episode: EpisodeOptions) =>
    new SplatEpisode(taskVariant(task, episode.protocol), pool.studio(task), episode);
  return {
    id: "splat",
    title: "SplatBench",
    protocols: PROTOCOLS.map(({ id, description }) => ({ id, description })),
    defaultRuns: 2,
    scoreKind: kind,
    columns: [
      { key: "score", title: "SplatScore", digits: 1, higherIsBetter: true },
      { key: "psnr", title: "PSNR (dB)", digits: 2, higherIsBetter: true },
      { key: "ssim", title: "SSIM", digits: 3, higherIsBetter: true },
      ...(kind === "full" ? [{ key: "lpips", title: "LPIPS", digits: 3, higherIsBetter: false }] : []),
    ],
    policies: {
      mean: () => Promise.resolve(meanPolicy),
      oracle: async (info) => oraclePolicy(await tasks.load(info)),
      carve: () => Promise.resolve(carvePolicy()),
      random: (task, run) => Promise.resolve(randomPolicy(task.id, run)),
    },
    demoPolicies: ["mean", "random", "carve"],
    baselines: splatBaselines((info) => tasks.load(info)),
    findTasks: async (selectors) => (await tasks.find(selectors)).map(({ info }) => info),
    describeTask: async (info) => describeTask(await tasks.load(info), kind),
    setting: (protocol, effort) => protocol === "standard" ? `${effort}_effort` : protocol,
    episodeId: ({ model, task, run }) => `${model}__${task}__eval_r${run}`,
    open: async (info, episode) => openTask(await tasks.load(info), episode),
    openTask,
    studio: async (info) => {
      const task = await tasks.load(info);
      return { task, studio: pool.studio(task) };
    },
    scoreStates: async (info, states) => {
      const task = await tasks.load(info);
      const scenes = states.map((state) => sceneOf(state, task));
      const studio = pool.studio(task);
      return await Promise.all(scenes.map((scene) => studio.score(scene)));
    },
    identity: async () => ({
      fingerprint: await fingerprint(),
      profile,
      defaultProfile: {
        ...DEFAULT_PROFILE,
        ...(profile.lpips === undefined ? {} : { lpips: { ...profile.lpips, net: SCORE_NET } }),
      },
      profileHash: contentHash(profile),
      device: await deviceName(),
    }),
    close: () => pool.close(),
  };
}

/** The scene of a state from outside. */
function sceneOf(state: unknown, { info, limits }: SplatTask): Scene {
  const parsed = sceneSchema.safeParse(state);
  if (!parsed.success) {
    const [{ path, message }] = parsed.error.issues;
    const place = path.map((part) => typeof part === "number" ? `[${part}]` : `.${String(part)}`).join("");
    throw badScene(info, { place, why: message });
  }
  const scene = sceneFromRows(parsed.data);
  const problem = sceneProblem(scene, limits.gaussians);
  if (problem !== null) throw badScene(info, problem);
  return scene;
}

function badScene({ id }: TaskInfo, { place, why }: SceneProblem): BenchError {
  return new BenchError({
    what: `Cannot score a scene of ${id}`,
    why: place === "" ? why : `${place}: ${why}`,
    fix: "A scene is a list of {id, pos, scale, quat, color, opacity, group}",
  });
}

async function openOnDevice(
  device: string,
  renderProfile: RenderProfile,
  metricProfile: MetricProfile,
  weights: LpipsWeights | null,
): Promise<OpenRenderer> {
  const gpu = await openGpu(device);
  try {
    const renderer = await Renderer.open(gpu, renderProfile, metricProfile, weights);
    return { renderer, device: gpu.name, close: () => gpu.close() };
  } catch (error) {
    gpu.close();
    throw error;
  }
}
