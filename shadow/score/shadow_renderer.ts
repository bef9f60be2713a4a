/** Shadows and scores of many poses on a device, bit for bit those of `castShadow` and `scoreShadow`. */
import { BenchError } from "../../env/errors.ts";
import { contentHash } from "../../env/hash.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Hands } from "../hand/hand_model.ts";
import type { Pose } from "../pose.ts";
import { snapPose } from "../stage/cast_shadow.ts";
import type { Mask } from "../stage/mask.ts";
import { MASK_WORDS } from "../stage/mask.ts";
import { MASK_BYTES, SilhouettePass } from "../stage/silhouette_pass.ts";
import type { SnappedTriangles } from "../stage/triangle_list.ts";
import { CountPass, TARGET_BYTES } from "./count_pass.ts";
import { DEFAULT_SCORE, type ScoreProfile } from "./score_profile.ts";
import { scoreCounts, type ShadowScore } from "./shadow_score.ts";
import type { Target } from "./target.ts";

/** Poses to score against one target. */
export interface ScoreRequest {
  readonly target: Target;
  readonly poses: readonly Pose[];
}

export class ShadowRenderer {
  #gpu: Gpu;
  #hands: Hands;
  #profile: ScoreProfile;
  #silhouettes: SilhouettePass;
  #counts: CountPass;

  private constructor(
    gpu: Gpu,
    hands: Hands,
    profile: ScoreProfile,
    silhouettes: SilhouettePass,
    counts: CountPass,
  ) {
    this.#gpu = gpu;
    this.#hands = hands;
    this.#profile = profile;
    this.#silhouettes = silhouettes;
    this.#counts = counts;
  }

  /** Compiles the kernels. Throws GpuError when the device refuses them. */
  static async open(
    gpu: Gpu,
    hands: Hands,
    profile: ScoreProfile = DEFAULT_SCORE,
  ): Promise<ShadowRenderer> {
    const [silhouettes, counts] = await Promise.all([
      SilhouettePass.create(gpu),
      CountPass.create(gpu, profile),
    ]);
    return new ShadowRenderer(gpu, hands, profile, silhouettes, counts);
  }

  /** The shadow of each pose, in as few submits as fit the device. */
  async masks(poses: readonly Pose[]): Promise<Mask[]> {
    const masks: Mask[] = [];
    for (const batch of this.#batches(poses.map((pose) => ({ pose, target: null })))) {
      const drawn = this.#silhouettes.draw(batch.map(({ triangles }) => triangles));
      try {
        const [bytes] = await this.#gpu.submit("shadows", drawn.commands, [drawn.masks]);
        for (const i of batch.keys()) masks.push(new Uint32Array(bytes, i * MASK_BYTES, MASK_WORDS));
      } finally {
        drawn.destroy();
      }
    }
    return masks;
  }

  /** The score of each pose against one target, without peeks. */
  async scores(target: Target, poses: readonly Pose[]): Promise<ShadowScore[]> {
    const [scores] = await this.scoresOfMany([{ target, poses }]);
    return scores;
  }

  /**
   * As `scores`, for several targets in shared submits.
   *
   * @throws BenchError for a target that was prepared under another profile
   */
  async scoresOfMany(requests: readonly ScoreRequest[]): Promise<ShadowScore[][]> {
    for (const { target } of requests) this.#requireProfile(target);
    const jobs = requests.flatMap(({ target, poses }) => poses.map((pose) => ({ pose, target })));
    const scores: ShadowScore[] = [];
    for (const batch of this.#batches(jobs)) scores.push(...await this.#score(batch));
    return requests.map(({ poses }) => scores.splice(0, poses.length));
  }

  async #score(batch: readonly SnappedJob<Target>[]): Promise<ShadowScore[]> {
    const drawn = this.#silhouettes.draw(batch.map(({ triangles }) => triangles));
    const counted = this.#counts.count(drawn.masks, batch.map(({ target }) => target));
    try {
      const commands = [...drawn.commands, ...counted.commands];
      const [bytes] = await this.#gpu.submit("shadow scores", commands, [counted.sums]);
      return counted.decode(bytes).map((counts, i) => scoreCounts(batch[i].target, counts, batch[i].pose));
    } finally {
      drawn.destroy();
      counted.destroy();
    }
  }

  /** Snaps poses and deals them out so that no buffer of a submit outgrows the device. */
  *#batches<T extends Target | null>(jobs: readonly PoseJob<T>[]): Generator<SnappedJob<T>[]> {
    const limit = Math.min(MAX_BUFFER_BYTES, this.#gpu.limits.maxStorageBufferBindingSize);
    let batch: SnappedJob<T>[] = [];
    let [triangleBytes, targets] = [0, new Set<T>()];
    for (const { pose, target } of jobs) {
      const triangles = snapPose(this.#hands, pose);
      const bytes = [
        triangleBytes + triangles.byteLength,
        (batch.length + 1) * MASK_BYTES,
        new Set([...targets, target]).size * TARGET_BYTES,
      ];
      if (batch.length > 0 && Math.max(...bytes) > limit) {
        yield batch;
        [batch, triangleBytes, targets] = [[], 0, new Set()];
      }
      batch.push({ pose, target, triangles });
      triangleBytes += triangles.byteLength;
      targets.add(target);
    }
    if (batch.length > 0) yield batch;
  }

  #requireProfile({ profile }: Target): void {
    if (profile === this.#profile || contentHash(profile) === contentHash(this.#profile)) return;
    throw new BenchError({
      what: "Cannot score against this target",
      why: "it was prepared under another score profile than the renderer's",
      fix: "Give `ShadowRenderer.open` the profile of the targets",
    });
  }
}

interface PoseJob<T> {
  readonly pose: Pose;
  readonly target: T;
}

interface SnappedJob<T> extends PoseJob<T> {
  readonly triangles: SnappedTriangles;
}

/** Keeps the memory of a submit modest, also on devices that allow more; about 2,700 poses. */
const MAX_BUFFER_BYTES = 64 * 2 ** 20;
