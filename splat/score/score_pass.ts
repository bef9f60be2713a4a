/** All metrics of rendered views: PSNR, SSIM and IoU always, LPIPS against photos that were prepared for it. */
import type { Image } from "../../env/image.ts";
import type { Gpu } from "../../gpu/device.ts";
import { LpipsPass } from "./lpips/lpips_pass.ts";
import type { LpipsWeights } from "./lpips/lpips_weights.ts";
import { type Measurement, type MeasureRequest, MetricPass } from "./metric_pass.ts";
import type { MetricProfile } from "./metric_profile.ts";
import type { DevicePhotos } from "./photos.ts";

export class ScorePass {
  #metrics: MetricPass;
  #lpips: LpipsPass | null;

  private constructor(metrics: MetricPass, lpips: LpipsPass | null) {
    this.#metrics = metrics;
    this.#lpips = lpips;
  }

  /** Compiles the kernels, those of LPIPS only where there are weights. */
  static async create(gpu: Gpu, profile: MetricProfile, weights: LpipsWeights | null): Promise<ScorePass> {
    const [metrics, lpips] = await Promise.all([
      MetricPass.create(gpu, profile),
      weights === null ? null : LpipsPass.create(gpu, weights),
    ]);
    return new ScorePass(metrics, lpips);
  }

  /** Uploads photos. Throws BenchError for no photos, unlike sizes, or pictures smaller than the SSIM window. */
  photos(images: readonly Image[]): DevicePhotos {
    return this.#metrics.photos(images);
  }

  /** As `photos`, with their LPIPS features. Throws BenchError also for sizes that the network cannot take. */
  async scoredPhotos(images: readonly Image[]): Promise<DevicePhotos> {
    if (this.#lpips === null) return this.#metrics.photos(images);
    const features = await this.#lpips.photos(images);
    try {
      return this.#metrics.photos(images, features);
    } catch (error) {
      features.destroy();
      throw error;
    }
  }

  /** Plans the measurement of at least one pair; nothing runs before the commands are submitted. */
  measure(request: MeasureRequest): Measurement {
    const metrics = this.#metrics.measure(request);
    const { width, height, store: { lpips: features } } = request.photos;
    if (this.#lpips === null || features === null) return metrics;
    const lpips = this.#lpips.measure({ ...request, width, height, photos: features });
    const own = metrics.reads.length;
    return {
      commands: [...metrics.commands, ...lpips.commands],
      reads: [...metrics.reads, ...lpips.reads],
      decode: (buffers) => {
        const distances = lpips.decode(buffers.slice(own));
        return metrics.decode(buffers.slice(0, own)).map((view, at) => ({ ...view, lpips: distances[at] }));
      },
      destroy: () => {
        metrics.destroy();
        lpips.destroy();
      },
    };
  }
}
