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

/** What decides the metrics of a scene. */
export interface Conventions {
  readonly render: RenderProfile;
  readonly metrics: MetricProfile;
}

/** Scenes as some views show them; the same array of views is uploaded once. */
export interface MeterJob {
  readonly views: readonly View[];
  readonly scenes: readonly Scene[];
}

/** Renderers that measure in one way share photos. */
interface Bench {
  readonly first: Renderer;
  readonly photos: Map<readonly View[], PhotoSet>;
}

/** A software device keeps about 10 MB of machine code for each profile. */
const PROFILES_A_DEVICE = 64;

/** Belongs to one owner; one measurement at a time. */
export class ProfileMeter {
  #gpu: Gpu | null = null;
  readonly #benches = new Map<string, Bench>();
  readonly #renderers = new Map<string, Renderer>();

  /** @param openGpu called again whenever the device's memory is to be freed */
  constructor(
    private readonly openGpu: () => Promise<Gpu>,
    private readonly weights: LpipsWeights | null = null,
  ) {}

  /**
   * Metrics of each scene, means over the views.
   *
   * @throws GpuError when the device fails
   */
  async measure(conventions: Conventions, { views, scenes }: MeterJob): Promise<Metrics[]> {
    const key = contentHash(conventions);
    if (!this.#renderers.has(key) && this.#renderers.size >= PROFILES_A_DEVICE) this.close();
    const { first, photos } = await this.#benchOf(conventions);
    const renderer = this.#renderers.get(key) ?? await first.withProfile(conventions.render);
    this.#renderers.set(key, renderer);
    const set = photos.get(views) ?? await renderer.scoredPhotos(views.map(({ photo }) => photo));
    photos.set(views, set);
    const cameras = views.map(({ camera }) => camera);
    const jobs = scenes.map((scene) => ({ scene, cameras, photos: set, pixels: false }));
    const rendered = await renderer.render(jobs);
    return rendered.map((own): Metrics => {
      const { psnr, ssim, lpips } = viewMeans(conventions.metrics, own.map(metricsOf));
      return lpips === undefined ? { psnr, ssim } : { psnr, ssim, lpips };
    });
  }

  /** Frees the device; a later measurement opens it again. */
  close(): void {
    this.#gpu?.close();
    this.#gpu = null;
    this.#benches.clear();
    this.#renderers.clear();
  }

  async #benchOf({ render, metrics }: Conventions): Promise<Bench> {
    const key = contentHash(metrics);
    const known = this.#benches.get(key);
    if (known !== undefined) return known;
    this.#gpu ??= await this.openGpu();
    const bench = { first: await Renderer.open(this.#gpu, render, metrics, this.weights), photos: new Map() };
    this.#benches.set(key, bench);
    return bench;
  }
}
