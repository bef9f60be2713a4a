/** The batched renderer: draws jobs and measures them against photos, all in as few submits as fit the device. */
import { BenchError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { ReadBack } from "../../gpu/readback.ts";
import type { LpipsWeights } from "../score/lpips/lpips_weights.ts";
import type { Measurement, ViewPair } from "../score/metric_pass.ts";
import type { MetricProfile } from "../score/metric_profile.ts";
import { DevicePhotos, type PhotoStore } from "../score/photos.ts";
import { ScorePass } from "../score/score_pass.ts";
import type { Scene } from "../scene.ts";
import type { RenderProfile } from "./profile.ts";
import { BYTES_PER_PIXEL, type Canvas } from "./canvas.ts";
import { CanvasShelf } from "./canvas_shelf.ts";
import { type Drawing, RenderPass, type ViewBatch } from "./render_pass.ts";
import type { RenderedView, RenderJob, SceneRenderer } from "./renderer_types.ts";
import { type PlannedView, planSubmits, type ViewGroup } from "./view_plan.ts";

export class Renderer implements SceneRenderer {
  #gpu: Gpu;
  #pass: RenderPass;
  #metrics: ScorePass;
  #shelf: CanvasShelf;

  private constructor(gpu: Gpu, pass: RenderPass, metrics: ScorePass, shelf: CanvasShelf) {
    this.#gpu = gpu;
    this.#pass = pass;
    this.#metrics = metrics;
    this.#shelf = shelf;
  }

  /**
   * Compiles the kernels of both profiles. Throws GpuError when the device refuses them.
   *
   * @param lpips weights of LPIPS; without them it is not measured
   */
  static async open(
    gpu: Gpu,
    renderProfile: RenderProfile,
    metricProfile: MetricProfile,
    lpips: LpipsWeights | null = null,
  ): Promise<Renderer> {
    const [pass, metrics] = await Promise.all([
      RenderPass.create(gpu, renderProfile),
      ScorePass.create(gpu, metricProfile, lpips),
    ]);
    return new Renderer(gpu, pass, metrics, new CanvasShelf(gpu));
  }

  /**
   * Another profile on the same device, canvases and photos, which both can use in turn as long as their backgrounds
   * are the same.
   */
  async withProfile(renderProfile: RenderProfile): Promise<Renderer> {
    const pass = await RenderPass.create(this.#gpu, renderProfile);
    return new Renderer(this.#gpu, pass, this.#metrics, this.#shelf);
  }

  /** Uploads photos to measure against. Throws BenchError for no photos, unlike sizes or pictures too small. */
  photos(images: readonly Image[]): DevicePhotos {
    return this.#metrics.photos(images);
  }

  /** As `photos`; renders are measured against them with LPIPS, too, where there are weights. */
  scoredPhotos(images: readonly Image[]): Promise<DevicePhotos> {
    return this.#metrics.scoredPhotos(images);
  }

  /** Throws BenchError on jobs that cannot be drawn or measured, before anything runs; GpuError when the device fails. */
  async render(jobs: readonly RenderJob[]): Promise<RenderedView[][]> {
    const results = jobs.map(({ cameras }) =>
      cameras.map((): RenderedView => ({ rgbt: null, metrics: null }))
    );
    for (const groups of planSubmits(jobs)) {
      for (const { view, result } of await this.#submit(groups)) results[view.job][view.index] = result;
    }
    return results;
  }

  async #submit(groups: readonly ViewGroup[]): Promise<{ view: PlannedView; result: RenderedView }[]> {
    const work: GroupWork[] = [];
    try {
      const canvases = this.#shelf.take(groups);
      for (const [at, group] of groups.entries()) work.push(this.#plan(group, canvases[at]));
      const commands = work.flatMap(({ drawing, measured }) => [
        ...drawing.commands,
        ...measured.flatMap(({ measurement }) => measurement.commands),
      ]);
      const buffers = await this.#gpu.submit("render", commands, work.flatMap(readsOf));
      return work.flatMap((one) => decode(one, buffers.splice(0, readsOf(one).length)));
    } finally {
      for (const { drawing, measured } of work) {
        drawing.destroy();
        for (const { measurement } of measured) measurement.destroy();
      }
    }
  }

  #plan(group: ViewGroup, canvas: Canvas): GroupWork {
    const byStore = new Map<PhotoStore, { photos: DevicePhotos; places: number[]; pairs: ViewPair[] }>();
    for (const [at, { photos, index }] of group.entries()) {
      if (photos === null) continue;
      const own = devicePhotos(photos);
      const set = byStore.get(own.store) ?? { photos: own, places: [], pairs: [] };
      byStore.set(own.store, set);
      set.places.push(at);
      set.pairs.push({ view: at, photo: own.places[index] });
    }
    // New photos are first measured against a view of nothing, drawn behind the others.
    const blankView = [...byStore.keys()].every(({ blankMeasured }) => blankMeasured) ? null : group.length;
    const drawing = this.#pass.draw(batchOf(group, blankView !== null), canvas);
    const background = { states: canvas.states, blankView };
    const measured = [...byStore.values()].map(({ photos, places, pairs }) => ({
      places,
      measurement: this.#metrics.measure({ rendered: canvas.rendered, background, photos, pairs }),
    }));
    return { group, drawing, measured };
  }
}

interface GroupWork {
  group: ViewGroup;
  drawing: Drawing;
  /** One measurement for each set of photos, and which views of the group it covers. */
  measured: { places: number[]; measurement: Measurement }[];
}

function batchOf(group: ViewGroup, blank: boolean): ViewBatch {
  const scenes = [...new Set<Scene>(group.map(({ scene }) => scene))];
  const places = new Map(scenes.map((scene, place) => [scene, place]));
  const views = group.map(({ scene, camera }) => ({ scene: places.get(scene) ?? 0, camera }));
  if (!blank) return { scenes, views };
  return { scenes: [...scenes, []], views: [...views, { scene: scenes.length, camera: group[0].camera }] };
}

/** First the pixels that were asked for, view by view, then what each measurement reads. */
function readsOf({ group, drawing, measured }: GroupWork): ReadBack[] {
  const { width, height } = group[0].camera;
  const byteLength = width * height * BYTES_PER_PIXEL;
  const pixels = group.flatMap(({ pixels }, at) =>
    pixels ? [{ buffer: drawing.canvas.rendered, byteOffset: at * byteLength, byteLength }] : []
  );
  return [...pixels, ...measured.flatMap(({ measurement }) => measurement.reads)];
}

function decode(
  { group, measured }: GroupWork,
  buffers: ArrayBuffer[],
): { view: PlannedView; result: RenderedView }[] {
  const wanted = group.filter(({ pixels }) => pixels).length;
  const pictures = buffers.splice(0, wanted).map((bytes) => new Float32Array(bytes));
  const metrics = measured.flatMap(({ places, measurement }) => {
    const own = measurement.decode(buffers.splice(0, measurement.reads.length));
    return places.map((at, index) => [at, own[index]] as const);
  });
  const byPlace = new Map(metrics);
  return group.map((view, at) => ({
    view,
    result: { rgbt: view.pixels ? pictures.shift() ?? null : null, metrics: byPlace.get(at) ?? null },
  }));
}

function devicePhotos(photos: unknown): DevicePhotos {
  if (photos instanceof DevicePhotos) return photos;
  throw new BenchError({
    what: "Cannot measure against these photos",
    why: "they are not on this device",
    fix: "Make them with the renderer's `photos`",
  });
}
