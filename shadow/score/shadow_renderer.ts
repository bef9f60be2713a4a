/** Shadows and scores of many poses on a device, bit for bit those of `castShadow` and `scoreShadow`. */
import { BenchError } from "../../env/errors.ts";
import { contentHash } from "../../env/hash.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Command } from "../../gpu/kernel.ts";
import type { Hands } from "../hand/hand_model.ts";
import type { Pose } from "../pose.ts";
import { snapPose } from "../stage/cast_shadow.ts";
import { type Mask, MASK_WORDS } from "../stage/mask.ts";
import { MASK_BYTES, SilhouettePass } from "../stage/silhouette_pass.ts";
import type { SnappedTriangles } from "../stage/triangle_list.ts";
import { CountPass } from "./count_pass.ts";
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

  /** The shadow of each pose. */
  masks(poses: readonly Pose[]): Promise<Mask[]> {
    return this.#run(poses.map((pose) => ({ pose, target: null })), (batch) => {
      const drawn = this.#silhouettes.draw(batch.map(({ triangles }) => triangles));
      return {
        commands: drawn.commands,
        read: drawn.masks,
        decode: (bytes) => batch.map((_, i) => new Uint32Array(bytes, i * MASK_BYTES, MASK_WORDS)),
        destroy: () => drawn.destroy(),
      };
    });
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
    const scores = await this.#run(jobs, (batch) => {
      const drawn = this.#silhouettes.draw(batch.map(({ triangles }) => triangles));
      const counted = this.#counts.count(drawn.masks, batch.map(({ target }) => target));
      return {
        commands: [...drawn.commands, ...counted.commands],
        read: counted.sums,
        decode: (bytes) =>
          counted.decode(bytes).map((counts, i) => scoreCounts(batch[i].target, counts, batch[i].pose)),
        destroy: () => [drawn, counted].forEach((owner) => owner.destroy()),
      };
    });
    return requests.map(({ poses }) => scores.splice(0, poses.length));
  }

  /**
   * Plans batches and hands each to the device at once, which works on it while the host snaps the next; one readback
   * at the end, since a wait costs as much as a batch.
   */
  async #run<T, R>(
    jobs: readonly PoseJob<T>[],
    plan: (batch: readonly SnappedJob<T>[]) => Work<R>,
  ): Promise<R[]> {
    const results: R[] = [];
    for (let first = 0; first < jobs.length; first += POSES_PER_READBACK) {
      const works: Work<R>[] = [];
      try {
        const submits: Promise<unknown>[] = [];
        for (const batch of this.#batches(jobs.slice(first, first + POSES_PER_READBACK))) {
          const work = plan(batch);
          works.push(work);
          submits.push(this.#gpu.submit("shadows", work.commands));
        }
        await Promise.all(submits);
        const bytes = await this.#gpu.submit("read shadows", [], works.map(({ read }) => read));
        results.push(...works.flatMap(({ decode }, i) => decode(bytes[i])));
      } finally {
        for (const work of works) work.destroy();
      }
    }
    return results;
  }

  /** Snaps poses, as many at a time as a submit takes. */
  *#batches<T>(jobs: readonly PoseJob<T>[]): Generator<SnappedJob<T>[]> {
    const limit = this.#gpu.limits.maxStorageBufferBindingSize;
    let batch: SnappedJob<T>[] = [];
    let byteLength = 0;
    for (const job of jobs) {
      const triangles = snapPose(this.#hands, job.pose);
      byteLength += triangles.byteLength;
      if (batch.length === POSES_PER_SUBMIT || (batch.length > 0 && byteLength > limit)) {
        yield batch;
        [batch, byteLength] = [[], triangles.byteLength];
      }
      batch.push({ ...job, triangles });
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

/** A batch on its way. */
interface Work<R> {
  readonly commands: readonly Command[];
  readonly read: GpuBuffer;
  decode(bytes: ArrayBuffer): R[];
  destroy(): void;
}

const POSES_PER_SUBMIT = 64;

/** Bounds what is on the device at once to some 100 MB. */
const POSES_PER_READBACK = 1024;
