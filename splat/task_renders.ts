/** Draws and scores the scenes of one task through the queue that all open episodes share. */
import type { ScoredState } from "../env/environment.ts";
import { contentHash } from "../env/hash.ts";
import type { Metrics, ScoreKind } from "../env/records.ts";
import type { RenderQueue } from "../env/render_queue.ts";
import type { Camera } from "./camera.ts";
import type { PhotoSet, RenderedView, RenderJob, SceneRenderer } from "./render/renderer_types.ts";
import { metricsOf } from "./rendered_view.ts";
import { type Scene, sceneToRows } from "./scene.ts";
import { fitOf, FULL_FIT, type SplatTask, type TaskFit } from "./task.ts";
import { fixedPointsKey } from "./score/fixed_points.ts";
import type { Scoring } from "./score/scoring.ts";
import { type FixedPoints, metricWithoutSpan, splatScore } from "./score/splat_score.ts";
import { viewMeans } from "./score/view_means.ts";
import type { Studio } from "./studio.ts";

export type JobQueue = RenderQueue<RenderJob, RenderedView[]>;

/** Scenes whose metrics are kept for a task; they are small, and an episode has at most one scene per call. */
const MAX_SCENES = 4096;

export class TaskRenders implements Studio {
  readonly scoreKind: ScoreKind;
  readonly #reference: PhotoSet;
  readonly #metrics = new Map<string, Promise<Metrics>>();
  #points: Promise<FixedPoints | null> | null = null;

  private constructor(
    private readonly task: SplatTask,
    renderer: SceneRenderer,
    private readonly queue: JobQueue,
    private readonly scoring: Scoring,
    private readonly heldOut: PhotoSet,
  ) {
    this.scoreKind = scoring.kind;
    this.#reference = renderer.photos(task.reference.map(({ photo }) => photo));
  }

  static async open(
    task: SplatTask,
    renderer: SceneRenderer,
    queue: JobQueue,
    scoring: Scoring,
  ): Promise<TaskRenders> {
    const photos = await renderer.scoredPhotos(task.heldOut.map(({ photo }) => photo));
    return new TaskRenders(task, renderer, queue, scoring, photos);
  }

  async score(scene: Scene): Promise<ScoredState> {
    const [metrics, points] = await Promise.all([this.#metricsOf(scene), this.#fixedPoints()]);
    return { score: points === null ? null : splatScore(this.scoreKind, metrics, points), metrics };
  }

  referenceViews(scene: Scene, views: readonly number[]): Promise<RenderedView[]> {
    const cameras = views.map((view) => this.task.reference[view].camera);
    return this.queue.request({ scene, cameras, photos: this.#reference.pick(views), pixels: true });
  }

  async fromCamera(scene: Scene, camera: Camera): Promise<RenderedView> {
    const [view] = await this.queue.request({ scene, cameras: [camera], photos: null, pixels: true });
    return view;
  }

  /** Frees the photos on the device; no request may be open. */
  destroy(): void {
    this.#reference.destroy();
    this.heldOut.destroy();
  }

  #metricsOf(scene: Scene): Promise<Metrics> {
    const key = contentHash(sceneToRows(scene));
    const known = this.#metrics.get(key);
    if (known !== undefined) return known;
    const [oldest] = this.#metrics.keys();
    if (this.#metrics.size >= MAX_SCENES) this.#metrics.delete(oldest);
    const measured = this.#measure(scene);
    this.#metrics.set(key, measured);
    measured.catch(() => this.#metrics.delete(key));
    return measured;
  }

  /** Means over the held-out views. */
  async #measure(scene: Scene): Promise<Metrics> {
    const cameras = this.task.heldOut.map(({ camera }) => camera);
    const views = await this.queue.request({ scene, cameras, photos: this.heldOut, pixels: false });
    const { psnr, ssim, lpips } = viewMeans(this.scoring.metricProfile, views.map(metricsOf));
    return lpips === undefined ? { psnr, ssim } : { psnr, ssim, lpips };
  }

  /** Null, said once, for a task that has no score. */
  #fixedPoints(): Promise<FixedPoints | null> {
    if (this.#points === null) {
      const points = this.#findPoints();
      this.#points = points;
      points.catch(() => this.#points = null);
    }
    return this.#points;
  }

  async #findPoints(): Promise<FixedPoints | null> {
    const { notice, fixedPoints, conventions } = this.scoring;
    const fit = fitOf(this.task, FULL_FIT);
    if (fit === null) {
      notice(`${this.task.info.id} has no score: its file holds no fit of ${FULL_FIT} Gaussians`);
      return null;
    }
    const key = fixedPointsKey(this.task, fit, await conventions());
    const points = await fixedPoints.get(key, () => this.#measurePoints(fit));
    const flat = metricWithoutSpan(this.scoreKind, points);
    if (flat === null) return points;
    notice(`${this.task.info.id} has no score: its fit is no better than an empty scene in ${flat}`);
    return null;
  }

  async #measurePoints({ scene }: TaskFit): Promise<FixedPoints> {
    const [empty, fit] = await Promise.all([this.#metricsOf([]), this.#metricsOf(scene)]);
    return { empty, fit };
  }
}
