/** How fast a fit is: ratios from one run, the parts of a step, and whether memory grows. */
import process from "node:process";
import { elapsedMs } from "../../env/clock.ts";
import type { Gpu } from "../../gpu/device.ts";
import { clear, type Command } from "../../gpu/kernel.ts";
import { LOSS_PERIOD } from "../../splat/fit/fit_buffers.ts";
import { FitPass } from "../../splat/fit/fit_pass.ts";
import type { FitState } from "../../splat/fit/fit_state.ts";
import { DEFAULT_FIT } from "../../splat/fit/recipe.ts";
import { RENDER_PROFILES } from "../../splat/render/profile.ts";
import { Canvas } from "../../splat/render/canvas.ts";
import { RenderPass } from "../../splat/render/render_pass.ts";
import { viewImage } from "../../splat/render/renderer_types.ts";
import type { View } from "../../splat/task.ts";
import { fittedScene, orbitCameras } from "../splat/render/random_scenes.ts";
import type { BenchRow } from "./bench_row.ts";
import { leastMs } from "./least_ms.ts";

const [VIEWS, COUNT, SIZE] = [8, 300, 256];
const MEMORY_STEPS = 2000;

/** A step that sees 8 views of 300 Gaussians at 256², against drawing them; one that sees one; resident memory. */
export async function fitBench(gpu: Gpu): Promise<BenchRow[]> {
  const cameras = orbitCameras(VIEWS, SIZE, SIZE);
  const pass = await RenderPass.create(gpu, RENDER_PROFILES.torch);
  const views = cameras.map((camera) => ({ scene: 0, camera }));
  const [scene, other] = [1, 2].map((seed) => fittedScene(seed, COUNT));
  const drawing = pass.draw({ scenes: [scene], views }, new Canvas(gpu, SIZE, SIZE, VIEWS));
  const photo = pass.draw({ scenes: [other], views }, new Canvas(gpu, SIZE, SIZE, VIEWS));
  const [bytes] = await gpu.submit("photos", photo.commands, [photo.canvas.rendered]);
  photo.destroy();
  const pixels = new Float32Array(bytes);
  const photos = cameras.map((camera, view): View => ({
    camera,
    photo: viewImage(pixels.subarray(view * 4 * SIZE * SIZE), SIZE, SIZE),
  }));

  const all = (await FitPass.create(gpu, { ...DEFAULT_FIT, viewsPerStep: "all" })).open(photos, scene);
  const single = (await FitPass.create(gpu, DEFAULT_FIT)).open(photos, scene);
  await gpu.submit("warm up", [...all.step(0), ...drawing.commands], [all.losses]);
  // Every tile is written every time, as on a new canvas.
  const forwardMs = await deviceMs(gpu, [clear(drawing.canvas.states), ...drawing.commands]);
  const lossMs = await deviceMs(gpu, all.forward(0));
  // The steps themselves move the scene, so they come last and only a few times.
  const stepMs = await deviceMs(gpu, all.step(0));
  const singleMs = await deviceMs(gpu, single.step(0));
  all.destroy();
  const growth = await memoryGrowth(gpu, single);
  single.destroy();
  drawing.destroy();

  const ms = (value: number) => `${value.toFixed(1)} ms`;
  return [
    {
      name: `fit step over ${VIEWS} views × ${COUNT} Gaussians at ${SIZE}², against five times drawing them`,
      ratio: 5 * forwardMs / stepMs,
      wanted: 1,
      detail: `${ms(stepMs)}, of which ${ms(lossMs)} until the loss is known, and ${
        ms(forwardMs)
      } on the device`,
    },
    {
      name: "fit step over one view, against one over eight",
      ratio: stepMs / singleMs,
      wanted: null,
      detail: `${ms(singleMs)} on the device`,
    },
    {
      name: `resident memory before ${MEMORY_STEPS} steps against after`,
      ratio: growth.before / growth.after,
      wanted: 0.9,
      detail: `${growth.before.toFixed(0)} and ${growth.after.toFixed(0)} MB, ${ms(growth.stepMs)} a step`,
    },
  ];
}

async function memoryGrowth(gpu: Gpu, state: FitState) {
  const megabytes = () => process.memoryUsage().rss / 2 ** 20;
  const period = async () => {
    const commands = Array.from({ length: LOSS_PERIOD }, (_, k) => state.step(k % state.batches)).flat();
    await gpu.submit("fit", [state.restartRecord(), ...commands], [state.losses]);
  };
  // Driver and allocator take what they need in the first submits.
  for (let k = 0; k < 3; k++) await period();
  const [before, start] = [megabytes(), elapsedMs()];
  for (let done = 0; done < MEMORY_STEPS; done += LOSS_PERIOD) await period();
  return { before, after: megabytes(), stepMs: (elapsedMs() - start) / MEMORY_STEPS };
}

/** Time of the commands alone: several times in one submit, less an empty submit, which costs a wait of its own. */
async function deviceMs(gpu: Gpu, commands: readonly Command[], times = 3): Promise<number> {
  const probe = gpu.buffer("probe", 4);
  const repeated = Array.from({ length: times }, () => commands).flat();
  const empty = await leastMs(() => gpu.submit("empty", [], [probe]));
  const full = await leastMs(() => gpu.submit("fit", repeated, [probe]));
  probe.destroy();
  return (full - empty) / times;
}
