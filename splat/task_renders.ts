/** Draws and scores the scenes of one task through the queue that all open episodes share. */
import type { ScoredState } from "../env/environment.ts";
import { contentHash } from "../env/hash.ts";
import type { RenderQueue } from "../env/render_queue.ts";
import type { Camera } from "./camera.ts";
import type { PhotoSet, RenderedView, RenderJob, SceneRenderer } from "./render/renderer_types.ts";
import { metricsOf } from "./rendered_view.ts";
import { type Scene, sceneToRows } from "./scene.ts";
import type { SplatTask } from "./task.ts";
import type { MetricProfile } from "./score/metric_profile.ts";
import { viewMeans } from "./score/view_means.ts";
import type { Studio } from "./studio.ts";

export type JobQueue = RenderQueue<RenderJob, RenderedView[]>;

/** Scores kept for a task; a score is small, and an episode has at most one per call. */
const MAX_SCORES = 4096;

export class TaskRenders implements Studio {
  /** The task's photos, reference views first. */
  readonly #photos: PhotoSet;
  readonly #heldOut: PhotoSet;
  readonly #scores = new Map<string, Promise<ScoredState>>();

  constructor(
    private readonly task: SplatTask,
    renderer: SceneRenderer,
    private readonly queue: JobQueue,
    private readonly metricProfile: MetricProfile,
  ) {
    const { reference, heldOut } = task;
    this.#photos = renderer.photos([...reference, ...heldOut].map(({ photo }) => photo));
    this.#heldOut = this.#photos.pick(heldOut.map((_view, index) => reference.length + index));
  }

  /** PSNR and SSIM over the held-out views. */
  score(scene: Scene): Promise<ScoredState> {
    const key = contentHash(sceneToRows(scene));
    const known = this.#scores.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#scores.keys();
    if (this.#scores.size >= MAX_SCORES) this.#scores.delete(oldest);
    const scored = this.#measure(scene);
    this.#scores.set(key, scored);
    scored.catch(() => this.#scores.delete(key));
    return scored;
  }

  referenceViews(scene: Scene, views: readonly number[]): Promise<RenderedView[]> {
    const cameras = views.map((view) => this.task.reference[view].camera);
    return this.queue.request({ scene, cameras, photos: this.#photos.pick(views), pixels: true });
  }

  async fromCamera(scene: Scene, camera: Camera): Promise<RenderedView> {
    const [view] = await this.queue.request({ scene, cameras: [camera], photos: null, pixels: true });
    return view;
  }

  /** Frees the photos on the device; no request may be open. */
  destroy(): void {
    this.#photos.destroy();
  }

  async #measure(scene: Scene): Promise<ScoredState> {
    const cameras = this.task.heldOut.map(({ camera }) => camera);
    const views = await this.queue.request({ scene, cameras, photos: this.#heldOut, pixels: false });
    const { psnr, ssim } = viewMeans(this.metricProfile, views.map(metricsOf));
    return { score: null, metrics: { psnr, ssim } };
  }
}
