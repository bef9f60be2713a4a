/** Canvases and background sums are reused; no bit of a picture or a metric may tell. */
import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import type { Image } from "../../../env/image.ts";
import { type Gpu, openGpu } from "../../../gpu/device.ts";
import { RENDER_PROFILES, type RenderProfile } from "../../../splat/render/profile.ts";
import { Renderer } from "../../../splat/render/renderer.ts";
import type { PhotoSet, RenderedView, RenderJob } from "../../../splat/render/renderer_types.ts";
import { planSubmits } from "../../../splat/render/view_plan.ts";
import type { Scene } from "../../../splat/scene.ts";
import { DEFAULT_METRICS, type MetricProfile, SSIM_FLAVOURS } from "../../../splat/score/metric_profile.ts";
import { deviceMetrics } from "../score/device_metrics.ts";
import { formulaPicture } from "../score/formula_pictures.ts";
import { deviceRender } from "./device_render.ts";
import { fittedScene, gaussian, orbitCameras } from "./random_scenes.ts";

const { torch, inria, brush } = RENDER_PROFILES;
/** No multiple of a tile or a block; the last block of a row or column is narrow, low, or both. */
const SIZES = [[11, 13], [37, 29], [61, 71], [130, 66]] as const;

Deno.test("Renderer measures views that show little to the bits of a measurement of every block", () =>
  withGpu(async (gpu) => {
    const metrics: MetricProfile[] = Object.values(SSIM_FLAVOURS).map((ssim) => ({
      ...DEFAULT_METRICS,
      ssim,
    }));
    metrics.push({
      ...DEFAULT_METRICS,
      iou: { ...DEFAULT_METRICS.iou, renderMask: "color", distance: "l2" },
    });
    for (const [at, metricProfile] of metrics.entries()) {
      const profile = [torch, { ...inria, background: [0.2, 1, 0.633] as const }, brush][at % 3];
      await compareWithFresh(gpu, { ...profile, background: [...profile.background] }, metricProfile, at);
    }
  }));

Deno.test("Renderer measures a scene of one pixel wherever it lies against a block or a border", () =>
  withGpu(async (gpu) => {
    const [width, height] = [61, 71];
    const renderer = await Renderer.open(gpu, torch, DEFAULT_METRICS);
    const images = [formulaPicture("object", width, height, 1)];
    const [camera] = orbitCameras(1, width, height);
    const photos = renderer.photos(images);
    const scenes = dots(60);
    const jobs = scenes.map((scene): RenderJob => ({ scene, cameras: [camera], photos, pixels: false }));
    const [results, pictures] = [
      await renderer.render(jobs),
      await deviceRender(gpu, torch, scenes.map((scene) => ({ scene, camera }))),
    ];
    const fresh = await deviceMetrics(gpu, DEFAULT_METRICS, pictures, pictures.map(() => images[0]));
    assert.deepEqual(results.map(([{ metrics }]) => metrics), fresh);
  }));

Deno.test("Renderer draws and measures the same after anything else was drawn", () =>
  withGpu(async (gpu) => {
    const used = await Renderer.open(gpu, torch, DEFAULT_METRICS);
    const history: [number, number, number][] = [[37, 29, 3], [37, 29, 1], [61, 40, 2], [37, 29, 4], [
      37,
      29,
      2,
    ]];
    for (const [turn, [width, height, views]] of history.entries()) {
      for (const scene of [fittedScene(turn, 30), [], small(turn)]) {
        const jobs = jobsOf(scene, width, height, views);
        const fresh = await Renderer.open(gpu, torch, DEFAULT_METRICS);
        assert.deepEqual(await rendered(used, jobs), await rendered(fresh, jobs), `turn ${turn}`);
      }
    }
  }));

Deno.test("Renderer measures more views than are drawn together as it measures each job alone", () =>
  withGpu(async (gpu) => {
    const renderer = await Renderer.open(gpu, torch, DEFAULT_METRICS);
    const cameras = orbitCameras(7, 250, 255);
    const photos = renderer.photos(cameras.map((_camera, view) => formulaPicture("object", 250, 255, view)));
    const jobs = [small(1), [], fittedScene(2, 20)].map((scene): RenderJob => (
      { scene, cameras, photos, pixels: false }
    ));
    assert.ok(planSubmits(jobs).flat().length > 1);
    const together = await renderer.render(jobs);
    for (const [at, job] of jobs.entries()) assert.deepEqual(await renderer.render([job]), [together[at]]);
  }));

Deno.test("Renderer measures the photos it is given, picked from a set in any order", () =>
  withGpu(async (gpu) => {
    const [width, height] = [37, 29];
    const renderer = await Renderer.open(gpu, torch, DEFAULT_METRICS);
    const images = (["object", "smooth", "white"] as const).map((kind) =>
      formulaPicture(kind, width, height, 1)
    );
    const all = renderer.photos(images);
    const picked = all.pick([2, 0, 0]).pick([1, 0]);
    assert.equal(picked.count, 2);
    const cameras = orbitCameras(2, width, height);
    const own = renderer.photos([images[0], images[2]]);
    const render = (photos: PhotoSet) =>
      renderer.render([{ scene: small(1), cameras, photos, pixels: false }]);
    assert.deepEqual(await render(picked), await render(own));
  }));

/** Scenes through one renderer, against a fresh canvas with every block measured. */
async function compareWithFresh(
  gpu: Gpu,
  profile: RenderProfile,
  metricProfile: MetricProfile,
  seed: number,
): Promise<void> {
  const renderer = await Renderer.open(gpu, profile, metricProfile);
  for (const [width, height] of SIZES) {
    const cameras = orbitCameras(2, width, height);
    const images = (["object", "rough"] as const).map((kind) => formulaPicture(kind, width, height, seed));
    const photos = renderer.photos(images);
    const scenes = [small(seed), [], fittedScene(seed, 3), small(seed + 50)];
    const jobs = scenes.map((scene): RenderJob => ({ scene, cameras, photos, pixels: true }));
    const results = (await renderer.render(jobs)).flat();
    const views = scenes.flatMap((scene) => cameras.map((camera) => ({ scene, camera })));
    const pictures = await deviceRender(gpu, profile, views);
    assert.deepEqual(results.map(({ rgbt }) => rgbt), pictures);
    const fresh = await deviceMetrics(gpu, metricProfile, pictures, scenes.flatMap(() => images));
    assert.deepEqual(results.map(({ metrics }) => metrics), fresh, `${width}×${height}, profile ${seed}`);
  }
}

/** One or two Gaussians of a few pixels. */
function small(seed: number): Scene {
  const draws = stream(seed, "reuse test");
  return Array.from({ length: draws.integer(1, 3) }, () => {
    const mean = [draws.range(-1, 1), draws.range(-1, 1), draws.range(-1, 1)] as const;
    return gaussian({ mean, scale: [0.02, 0.02, 0.02], opacity: draws.range(0.2, 1) });
  });
}

/** Scenes that each show one dot, all over the picture. */
function dots(count: number): Scene[] {
  const draws = stream(0, "dots");
  return Array.from({ length: count }, () => [
    gaussian({
      mean: [draws.range(-1.2, 1.2), draws.range(-1.2, 1.2), draws.range(-1.2, 1.2)],
      scale: [1e-4, 1e-4, 1e-4],
      opacity: 1,
    }),
  ]);
}

function jobsOf(
  scene: Scene,
  width: number,
  height: number,
  views: number,
): (RenderJob & { images: Image[] })[] {
  const cameras = orbitCameras(views, width, height);
  const images = cameras.map((_camera, view) => formulaPicture("object", width, height, view));
  const job = { scene, cameras, photos: null, images };
  return [{ ...job, pixels: false }, { ...job, pixels: true }, {
    ...job,
    scene: small(views),
    pixels: false,
  }];
}

async function rendered(
  renderer: Renderer,
  jobs: readonly (RenderJob & { images: Image[] })[],
): Promise<RenderedView[][]> {
  const withPhotos = jobs.map(({ images, ...job }) => ({ ...job, photos: renderer.photos(images) }));
  const once = await renderer.render(withPhotos);
  assert.deepEqual(await renderer.render(withPhotos), once);
  return once;
}

async function withGpu(test: (gpu: Gpu) => Promise<void>): Promise<void> {
  const gpu = await openGpu("software");
  try {
    await test(gpu);
  } finally {
    gpu.close();
  }
}
