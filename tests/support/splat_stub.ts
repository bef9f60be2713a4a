/** A small task and a renderer that needs no device, for tests of everything around them. */
import { blankImage, type Image } from "../../env/image.ts";
import type { EpisodeOptions } from "../../env/environment.ts";
import { orbitCamera } from "../../splat/camera.ts";
import { SplatEpisode } from "../../splat/episode.ts";
import { taskVariant } from "../../splat/protocols.ts";
import { type OpenRenderer, RenderPool } from "../../splat/render_pool.ts";
import type { PhotoSet, RenderedView, RenderJob, SceneRenderer } from "../../splat/render/renderer_types.ts";
import type { Scene } from "../../splat/scene.ts";
import { FixedPointStore } from "../../splat/score/fixed_points.ts";
import { DEFAULT_METRICS } from "../../splat/score/metric_profile.ts";
import type { Scoring } from "../../splat/score/scoring.ts";
import { type SplatTask, STANDARD_LIMITS } from "../../splat/task.ts";

export const WIDTH = 24;
export const HEIGHT = 18;

/** A build, or a reassembly when it starts from a scene. */
export function stubTask(changes: Partial<SplatTask> = {}): SplatTask {
  const kind = changes.start === undefined ? "build" : "reassembly";
  return {
    info: {
      id: `stub__${kind === "build" ? "sculpt" : "assemble"}`,
      title: "Stub",
      source: "embedded",
      contentHash: "stub",
      licence: "MIT",
      effortSubset: false,
      protocols: ["standard", "early_submit_refused", "one_shot"],
    },
    object: "stub",
    kind,
    reference: Array.from({ length: 8 }, (_, i) => view(i * 45, 15)),
    heldOut: Array.from({ length: 3 }, (_, i) => view(i * 120 + 20, -10)),
    limits: STANDARD_LIMITS,
    start: [],
    fits: [],
    parts: [],
    published: null,
    ...changes,
  };
}

/** Draws white pictures; PSNR and SSIM follow from the scene, more of it being better. */
export class StubRenderer implements SceneRenderer {
  /** Jobs of each batch so far. */
  readonly batches: (readonly RenderJob[])[] = [];
  openPhotoSets = 0;
  /** When set, rendering rejects with it. */
  failure: Error | null = null;

  photos(images: readonly Image[]): PhotoSet {
    this.openPhotoSets++;
    const { width, height } = images[0];
    const set = (count: number): PhotoSet => ({
      width,
      height,
      count,
      pick: (indices) => set(indices.length),
      destroy: () => this.openPhotoSets--,
    });
    return set(images.length);
  }

  scoredPhotos(images: readonly Image[]): Promise<PhotoSet> {
    return Promise.resolve(this.photos(images));
  }

  async render(jobs: readonly RenderJob[]): Promise<RenderedView[][]> {
    this.batches.push(jobs);
    await Promise.resolve();
    if (this.failure !== null) throw this.failure;
    return jobs.map((job) =>
      job.cameras.map(({ width, height }, view) => ({
        rgbt: job.pixels ? new Float32Array(width * height * 4).fill(1) : null,
        metrics: job.photos === null ? null : metricsOf(job.scene, view),
      }))
    );
  }

  readonly open = (): Promise<OpenRenderer> =>
    Promise.resolve({ renderer: this, device: "stub", close: () => {} });

  /** Batches of jobs that measure without pixels: those of hidden metrics. */
  get scored(): readonly RenderJob[] {
    return this.batches.flat().filter(({ pixels }) => !pixels);
  }
}

export interface StubPlay {
  episode: SplatEpisode;
  renderer: StubRenderer;
}

/** Partial scores, fixed points kept nowhere. */
export function stubScoring(changes: Partial<Scoring> = {}): Scoring {
  return {
    kind: "partial",
    metricProfile: DEFAULT_METRICS,
    fixedPoints: new FixedPointStore("partial", null),
    conventions: () => Promise.resolve("stub"),
    notice: () => {},
    ...changes,
  };
}

/** An episode on a renderer of its own. */
export function stubPlay(
  protocol = "standard",
  task: SplatTask = stubTask(),
  options: Partial<EpisodeOptions> = {},
): StubPlay {
  const renderer = new StubRenderer();
  const pool = new RenderPool(renderer.open, stubScoring());
  const variant = taskVariant(task, protocol);
  const episode = new SplatEpisode(variant, pool.studio(variant), { id: "stub", protocol, ...options });
  return { episode, renderer };
}

function view(azimuthDeg: number, elevationDeg: number) {
  return {
    photo: blankImage(WIDTH, HEIGHT, [200, 100, azimuthDeg % 256]),
    camera: orbitCamera({ azimuthDeg, elevationDeg, distance: 3, fovDeg: 40 }, WIDTH, HEIGHT),
  };
}

function metricsOf(scene: Scene, view: number) {
  const sum = scene.reduce((total, { mean, scale }) => total + Math.abs(mean[0]) + scale[0], scene.length);
  return { psnr: 10 + Math.min(80, sum) + view, ssim: 1 - 1 / (2 + sum), iou: 0.5 };
}
