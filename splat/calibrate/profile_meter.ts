/** Measures scenes under one render profile after the other, on one device. */
import { contentHash } from "../../env/hash.ts";
import type { Metrics } from "../../env/records.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { RenderProfile } from "../render/profile.ts";
import { Renderer } from "../render/renderer.ts";
import type { PhotoSet } from "../render/renderer_types.ts";
import { metricsOf } from "../rendered_view.ts";
import type { Scene } from "../scene.ts";
import type { LpipsWeights } from "../score/lpips/lpips_weights.ts";
import type { MetricProfile } from "../score/metric_profile.ts";
import { viewMeans } from "../score/view_means.ts";
import type { View } from "../task.ts";

/** Scenes as some views show them; the same array of views is uploaded once. */
export interface MeterJob {
  readonly views: readonly View[];
  readonly scenes: readonly Scene[];
}

/** A software device keeps about 10 MB of machine code for each profile. */
const PROFILES_A_DEVICE = 64;

/** Belongs to one owner; one measurement at a time. */
export class ProfileMeter {
  #open: { gpu: Gpu; first: Renderer; photos: Map<readonly View[], PhotoSet> } | null = null;
  readonly #renderers = new Map<string, Renderer>();

  /** @param openGpu called again whenever the device's memory is to be freed */
  constructor(
    private readonly openGpu: () => Promise<Gpu>,
    private readonly metrics: MetricProfile,
    private readonly weights: LpipsWeights | null = null,
  ) {}

  /**
   * Metrics of each scene, means over the views.
   *
   * @throws GpuError when the device fails
   */
  async measure(profile: RenderProfile, { views, scenes }: MeterJob): Promise<Metrics[]> {
    const { renderer, photos } = await this.#rendererOf(profile);
    const set = photos.get(views) ?? await renderer.scoredPhotos(views.map(({ photo }) => photo));
    photos.set(views, set);
    const cameras = views.map(({ camera }) => camera);
    const jobs = scenes.map((scene) => ({ scene, cameras, photos: set, pixels: false }));
    const rendered = await renderer.render(jobs);
    return rendered.map((own): Metrics => {
      const { psnr, ssim, lpips } = viewMeans(this.metrics, own.map(metricsOf));
      return lpips === undefined ? { psnr, ssim } : { psnr, ssim, lpips };
    });
  }

  /** Frees the device; a later measurement opens it again. */
  close(): void {
    this.#open?.gpu.close();
    this.#open = null;
    this.#renderers.clear();
  }

  async #rendererOf(profile: RenderProfile) {
    const key = contentHash(profile);
    if (!this.#renderers.has(key) && this.#renderers.size >= PROFILES_A_DEVICE) this.close();
    const open = this.#open ??= await this.#openFirst(profile);
    const renderer = this.#renderers.get(key) ?? await open.first.withProfile(profile);
    this.#renderers.set(key, renderer);
    return { renderer, photos: open.photos };
  }

  async #openFirst(profile: RenderProfile) {
    const gpu = await this.openGpu();
    try {
      const first = await Renderer.open(gpu, profile, this.metrics, this.weights);
      return { gpu, first, photos: new Map<readonly View[], PhotoSet>() };
    } catch (error) {
      gpu.close();
      throw error;
    }
  }
}
