/** How fast views are measured: ratios from one run. */
import { elapsedMs } from "../../env/clock.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Command } from "../../gpu/kernel.ts";
import { RENDER_PROFILES } from "../../splat/render/profile.ts";
import { Canvas } from "../../splat/render/canvas.ts";
import { type Drawing, RenderPass } from "../../splat/render/render_pass.ts";
import { viewImage } from "../../splat/render/renderer_types.ts";
import type { Scene } from "../../splat/scene.ts";
import { type Background, MetricPass } from "../../splat/score/metric_pass.ts";
import { DEFAULT_METRICS } from "../../splat/score/metric_profile.ts";
import { referenceMetrics } from "../reference/metrics.ts";
import { asRendered, formulaPicture } from "../splat/score/formula_pictures.ts";
import { fittedScene, orbitCameras } from "../splat/render/random_scenes.ts";
import type { BenchRow } from "./bench_row.ts";
import { leastMs } from "./least_ms.ts";

const [VIEWS, COUNT, SIZE] = [8, 300, 256];
const TIMES = 5;

/** PSNR, SSIM and IoU of 8 views at 256²: against measuring every block, the float64 reference, and drawing. */
export async function metricBench(gpu: Gpu): Promise<BenchRow[]> {
  const drawing = await draw(gpu, 1);
  const photo = await draw(gpu, 2);
  const bytes = await gpu.submit("photos", photo.commands, [photo.canvas.rendered]);
  const pixels = new Float32Array(bytes[0]);
  const images = Array.from(
    { length: VIEWS },
    (_, view) => viewImage(pixels.subarray(view * 4 * SIZE * SIZE), SIZE, SIZE),
  );
  const pass = await MetricPass.create(gpu, DEFAULT_METRICS);
  const photos = pass.photos(images);
  const pairs = images.map((_, index) => ({ view: index, photo: index }));
  const { rendered, states } = drawing.canvas;
  const measure = (background: Background | null) => pass.measure({ rendered, background, photos, pairs });
  // The view behind the others is blank.
  const first = measure({ states, blankView: VIEWS });
  first.decode(await gpu.submit("views", [...drawing.commands, ...first.commands], first.reads));
  const work = [measure({ states, blankView: null }), measure(null)];
  const drawMs = await deviceMs(gpu, drawing.commands);
  const [partMs, wholeMs] = [await deviceMs(gpu, work[0].commands), await deviceMs(gpu, work[1].commands)];
  const referenceMs = measureReference();
  for (const owner of [first, ...work, photos, drawing, drawing.canvas, photo, photo.canvas]) owner.destroy();

  const ms = (value: number) => `${value.toFixed(1)} ms`;
  const what = `PSNR, SSIM and IoU of ${VIEWS} views at ${SIZE}²`;
  return [
    {
      name: `${what}, against measuring every block`,
      ratio: wholeMs / partMs,
      wanted: 1.2,
      detail: `${ms(partMs)} and ${ms(wholeMs)} on the device`,
    },
    {
      name: `${what}, against the float64 reference`,
      ratio: referenceMs / wholeMs,
      wanted: 20,
      detail: `${ms(wholeMs)} on the device with nothing skipped, ${ms(referenceMs)} on one CPU core`,
    },
    {
      name: `${what}, against drawing them with ${COUNT} Gaussians`,
      ratio: drawMs / partMs,
      wanted: null,
      detail: `${ms(partMs / VIEWS)} and ${ms(drawMs / VIEWS)} a view on the device`,
    },
  ];
}

async function draw(gpu: Gpu, seed: number): Promise<Drawing> {
  const pass = await RenderPass.create(gpu, RENDER_PROFILES.torch);
  const views = orbitCameras(VIEWS, SIZE, SIZE).map((camera) => ({ scene: 0, camera }));
  return pass.draw({
    scenes: [smallObject(seed), []],
    views: [...views, { scene: 1, camera: views[0].camera }],
  }, new Canvas(gpu, SIZE, SIZE, VIEWS + 1));
}

/** An object that leaves most of the picture white, as the benchmark's do. */
function smallObject(seed: number): Scene {
  return fittedScene(seed, COUNT).map((gaussian) => {
    const [x, y, z] = gaussian.mean;
    return { ...gaussian, mean: [0.6 * x, 0.6 * y, 0.6 * z] };
  });
}

/** Time of the commands alone: several times in one submit, less an empty submit, which costs a wait of its own. */
async function deviceMs(gpu: Gpu, commands: readonly Command[]): Promise<number> {
  const probe = gpu.buffer("probe", 4);
  const repeated = Array.from({ length: TIMES }, () => commands).flat();
  const empty = await leastMs(() => gpu.submit("empty", [], [probe]));
  const full = await leastMs(() => gpu.submit("measure", repeated, [probe]));
  probe.destroy();
  return (full - empty) / TIMES;
}

/** A small picture, scaled by the number of pixels. */
function measureReference(): number {
  const [width, height] = [96, 64];
  const start = elapsedMs();
  referenceMetrics(
    DEFAULT_METRICS,
    asRendered(formulaPicture("rough", width, height, 1)),
    formulaPicture("smooth", width, height, 2),
  );
  return (elapsedMs() - start) * VIEWS * SIZE * SIZE / (width * height);
}
