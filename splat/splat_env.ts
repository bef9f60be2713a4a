/** One episode after another with a method per tool, for scripts and training loops. */
import type { CallOutcome, Observation } from "../env/observation.ts";
import { BenchError } from "../env/errors.ts";
import type { StepRecord } from "../env/records.ts";
import { type SplatEnvironment, splatEnvironment, type SplatOptions } from "./environment.ts";
import type { SplatEpisode } from "./episode.ts";
import { isVariant } from "./protocols.ts";
import { deltaRewards, trainingReward } from "./score/splat_score.ts";
import { requireTask, type SplatTask } from "./task.ts";
import type { GaussianEdit, NewGaussian } from "./tools/gaussian_fields.ts";
import type { TransformInput } from "./tools/transform_group.ts";

/** `terminal`: one reward at the end; `delta`: one a call, together what the score gained. */
export type RewardKind = "terminal" | "delta";

/**
 * SplatBench as an object.
 *
 * ```ts ignore
 * const env = new SplatEnv({ device: "auto" });
 * const opening = await env.reset(await loadTask("table__sculpt")); // opening.text, opening.image: the sheet
 * await env.addGaussians([{ pos: [0, 0, 0.1], scale: [0.45, 0.35, 0.03], color: "#805e31" }]);
 * const out = await env.renderViews([0, 1, 6, 7]); // out.text, out.image, out.done
 * await env.submit();
 * const reward = await env.getReward();
 * ```
 *
 * A refused call is an outcome with `accepted: false` and a text that says why; nothing is thrown for it. Calls run
 * one at a time, in the order made. Environments that share one `SplatEnvironment` share its device, and their renders
 * go out together.
 */
export class SplatEnv {
  readonly #environment: SplatEnvironment;
  readonly #ownsEnvironment: boolean;
  readonly #reward: RewardKind;
  #episode: SplatEpisode | null = null;
  #episodes = 0;
  #closed = false;

  /**
   * @param options a device, profiles and weights, or an environment to share (`close` leaves that one open); and
   *   what `getReward` gives
   */
  constructor(options: (SplatOptions | { environment: SplatEnvironment }) & { reward?: RewardKind } = {}) {
    this.#reward = options.reward ?? "terminal";
    this.#ownsEnvironment = !("environment" in options);
    this.#environment = "environment" in options ? options.environment : splatEnvironment(options);
  }

  /**
   * Starts an episode and returns its opening message and sheet of photos. A `taskVariant` is played under its
   * protocol, any other task under `standard`.
   */
  async reset(task: SplatTask): Promise<Observation> {
    this.#assertOpen();
    requireTask(task);
    const protocol = isVariant(task) ? task.protocol.id : "standard";
    const id = `${task.info.id}#${++this.#episodes}`;
    this.#episode = this.#environment.openTask(task, { id, protocol });
    return await this.#episode.observe();
  }

  addGaussians(gaussians: readonly NewGaussian[]): Promise<CallOutcome> {
    return this.call("add_gaussians", { gaussians });
  }

  editGaussians(edits: readonly GaussianEdit[]): Promise<CallOutcome> {
    return this.call("edit_gaussians", { edits });
  }

  deleteGaussians(ids: readonly number[]): Promise<CallOutcome> {
    return this.call("delete_gaussians", { ids });
  }

  transformGroup(change: TransformInput): Promise<CallOutcome> {
    return this.call("transform_group", change);
  }

  listGaussians(): Promise<CallOutcome> {
    return this.call("list_gaussians", {});
  }

  describeGroups(): Promise<CallOutcome> {
    return this.call("describe_groups", {});
  }

  viewReferences(views: readonly number[]): Promise<CallOutcome> {
    return this.call("view_references", { views });
  }

  renderViews(views: readonly number[]): Promise<CallOutcome> {
    return this.call("render_views", { views });
  }

  /** Degrees; the distance is that of the reference cameras unless given. */
  renderAngle(orbit: { azimuth: number; elevation: number; distance?: number }): Promise<CallOutcome> {
    return this.call("render_angle", orbit);
  }

  submit(): Promise<CallOutcome> {
    return this.call("submit", {});
  }

  /** Any tool by its published name, with arguments as a model sends them. */
  async call(tool: string, args: unknown): Promise<CallOutcome> {
    this.#assertOpen();
    return await this.#current().call(tool, args);
  }

  /**
   * `terminal`: clip(SplatScore / 100, 0, 1) of the submitted scene. `delta`: what the last call earned, a hundredth
   * of the points that its scene gained. Null for a task without a score.
   *
   * @throws BenchError before the episode has ended, where the reward is terminal
   */
  async getReward(): Promise<number | null> {
    if (this.#reward === "terminal") return (await this.#current().result()).reward;
    const steps = await this.#current().steps();
    const scores = steps.flatMap(({ hidden_score }) => hidden_score ?? []);
    return scores.length < steps.length ? null : deltaRewards(scores).at(-1) ?? 0;
  }

  /**
   * clip((SplatScore + 50) / 150, 0, 1) of the submitted scene, so that scenes worse than an empty one rank, too; null
   * for a task without a score.
   *
   * @throws BenchError before the episode has ended
   */
  async getTrainingReward(): Promise<number | null> {
    const { score } = await this.#current().result();
    return score === null ? null : trainingReward(score);
  }

  /** Every step so far, as the steps table has it, hidden metrics included; waits for those still being computed. */
  get trajectory(): Promise<readonly StepRecord[]> {
    return this.#current().steps();
  }

  /** Whether the episode has ended. */
  get done(): boolean {
    return this.#current().done;
  }

  /**
   * Frees the device, unless the environment was handed in, and takes no further call. What was measured stays to be
   * read; hidden metrics that are still being computed are lost, so await `trajectory` or `getReward` before.
   */
  close(): void {
    this.#closed = true;
    if (this.#ownsEnvironment) this.#environment.close();
  }

  #assertOpen(): void {
    if (!this.#closed) return;
    throw new BenchError({ what: "Cannot use SplatEnv", why: "it has been closed", fix: "Make a new one" });
  }

  #current(): SplatEpisode {
    if (this.#episode !== null) return this.#episode;
    throw new BenchError({
      what: "Cannot use SplatEnv",
      why: "no episode has been started",
      fix: "Call reset first",
    });
  }
}
