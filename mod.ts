/**
 * Both benchmarks for programs: environments, tasks, rendering and the statistics behind the tables.
 *
 * ```ts ignore
 * import { create, loadTask, SplatEnv } from "jsr:@perpetual/bench";
 *
 * const env = new SplatEnv({ device: "auto" });
 * const opening = await env.reset(await loadTask("table__sculpt"));
 * await env.addGaussians([{ pos: [0, 0, 0.1], scale: [0.45, 0.35, 0.03], color: "#805e31" }]);
 * const seen = await env.renderViews([0, 1, 6, 7]);
 * await env.submit();
 *
 * const hands = await create("dog", { logDir: "dog" });
 * await hands.call("plan", { subject: "dog", arrangement: "one flat hand, the thumb as the ear" });
 * const shadow = await hands.call("look");
 * await hands.call("submit");
 * ```
 *
 * Run as a program it is the command line: `deno run -A jsr:@perpetual/bench eval`.
 *
 * @module
 */
export type {
  EnvironmentDefinition,
  Episode,
  EpisodeOptions,
  EpisodeResult,
  ScoredState,
  TaskInfo,
} from "./env/environment.ts";
export type { CallOutcome, Observation, ToolSpec } from "./env/observation.ts";
export { BenchError, EXIT, GpuError } from "./env/errors.ts";
export { type Image } from "./env/image.ts";
export { compositeOnWhite, decodePng, encodePng, type RgbaImage } from "./env/png.ts";
export type { Policy, PolicyCall, PolicyView } from "./env/policy.ts";
export type { EpisodeRecord, StepRecord } from "./env/records.ts";
export { type Camera, cameraEye, cameraOrbit, type Orbit, orbitCamera } from "./splat/camera.ts";
export { type SplatEnvironment, splatEnvironment, type SplatOptions } from "./splat/environment.ts";
export { loadTask, taskFromFile } from "./splat/load_task.ts";
export { randomBlobScene } from "./splat/objects/blobs.ts";
export type { TaskDetails } from "./splat/prepare/build_task.ts";
export { readGaussianPly } from "./splat/prepare/gaussian_ply.ts";
export {
  type PreparedScene,
  type PrepareOptions,
  prepareScene,
  type SceneSource,
  writePrepared,
} from "./splat/prepare/prepare_scene.ts";
export { readCapture } from "./splat/prepare/read_capture.ts";
export * as prompts from "./splat/prompts.ts";
export { taskVariant } from "./splat/protocols.ts";
export { RENDER_PROFILES, type RenderProfile, renderProfile } from "./splat/render/profile.ts";
export { type Gaussian, type Scene, sceneFromRows, sceneToRows } from "./splat/scene.ts";
export { fetchWeights } from "./splat/score/lpips/fetch_weights.ts";
export { type LpipsWeights } from "./splat/score/lpips/lpips_weights.ts";
export { loadLpipsWeights } from "./splat/score/lpips/weight_cache.ts";
export { DEFAULT_METRICS, type MetricProfile } from "./splat/score/metric_profile.ts";
export {
  deltaRewards,
  type FixedPoints,
  reward,
  splatScore,
  trainingReward,
} from "./splat/score/splat_score.ts";
export { type ShadowEnvironment, shadowEnvironment, type ShadowOptions } from "./shadow/environment.ts";
export { ALIASES } from "./shadow/hand/controls.ts";
export { type Hands } from "./shadow/hand/hand_model.ts";
export { loadHands } from "./shadow/hand/load_hand.ts";
export { type HandPose, Pose, type Side } from "./shadow/pose.ts";
export { SYSTEM_PROMPT, TOOL_SPECS, USER_PROMPT } from "./shadow/prompts.ts";
export { DEFAULT_SCORE, type ScoreProfile } from "./shadow/score/score_profile.ts";
export { type RandomTaskOptions, randomWitnessTask } from "./shadow/search/random_witness_task.ts";
export { create, type CreateOptions, type HiddenMetrics, ShadowEnv, tasks } from "./shadow/shadow_env.ts";
export { type RewardKind, SplatEnv } from "./splat/splat_env.ts";
export { type Limits, type SplatTask, STANDARD_LIMITS, type View } from "./splat/task.ts";
export { cacheFolder } from "./tasks/cache_folder.ts";
export { bootstrapInterval, type BootstrapRecipe, DEFAULT_RECIPE } from "./analysis/bootstrap.ts";
export { defaultRng, randomState } from "./analysis/numpy_random.ts";

if (import.meta.main) Deno.exit(await (await import("./cli.ts")).runCli(Deno.args));
