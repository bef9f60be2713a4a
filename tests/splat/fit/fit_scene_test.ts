import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { openGpu } from "../../../gpu/device.ts";
import { FitPass } from "../../../splat/fit/fit_pass.ts";
import { fitScene } from "../../../splat/fit/fit_scene.ts";
import { PARAMETER_FLOATS, PARAMETER_PLACES } from "../../../splat/fit/parameters.ts";
import { DEFAULT_FIT, FitRecipe, fitRecipeHash } from "../../../splat/fit/recipe.ts";
import { DEFAULT_RENDER_PROFILE } from "../../../splat/render/profile.ts";
import { Renderer } from "../../../splat/render/renderer.ts";
import type { Scene } from "../../../splat/scene.ts";
import { DEFAULT_METRICS } from "../../../splat/score/metric_profile.ts";
import type { View } from "../../../splat/task.ts";
import { referenceRender } from "../../reference/render.ts";
import { gaussian, orbitCameras } from "../render/random_scenes.ts";
import { NO_CULLING, SMALL_FIT, variedView } from "./device_fit.ts";
import { gradientCamera } from "./free_gaussians.ts";

const gpu = await openGpu("software");

/** Three blobs on white, as the float64 renderer draws them. */
const BLOBS: Scene = [
  gaussian({ mean: [0, 0, -0.3], scale: [0.3, 0.3, 0.2], color: [0.8, 0.2, 0.1], opacity: 0.95 }),
  gaussian({ mean: [0.1, 0, 0.2], scale: [0.15, 0.2, 0.2], color: [0.1, 0.3, 0.7], opacity: 0.95 }),
  gaussian({ mean: [-0.3, 0.2, 0.1], scale: [0.1, 0.1, 0.1], color: [0.1, 0.6, 0.2], opacity: 0.9 }),
];

function blobViews(count: number, width: number, height: number): View[] {
  return orbitCameras(count, width, height).map((camera) => {
    const { rgbt } = referenceRender(BLOBS, camera, DEFAULT_RENDER_PROFILE);
    const data = Uint8Array.from(
      { length: width * height * 3 },
      (_, i) => Math.round(255 * rgbt[Math.floor(i / 3) * 4 + i % 3]),
    );
    return { camera, photo: { width, height, data } };
  });
}

async function psnr(scene: Scene, views: readonly View[]): Promise<number> {
  const renderer = await Renderer.open(gpu, DEFAULT_RENDER_PROFILE, DEFAULT_METRICS);
  const photos = renderer.photos(views.map(({ photo }) => photo));
  const cameras = views.map(({ camera }) => camera);
  const [rendered] = await renderer.render([{ scene, cameras, photos, pixels: false }]);
  photos.destroy();
  return rendered.reduce((sum, { metrics }) => sum + (metrics?.psnr ?? NaN), 0) / views.length;
}

for (const over of [{ relocate: "split" }, { viewsPerStep: "all", init: "box" }] as const) {
  Deno.test(`fitScene() finds blobs again, on views it never saw, when given ${JSON.stringify(over)}`, async () => {
    const views = blobViews(8, 61, 47);
    const seen = views.filter((_view, k) => k % 2 === 0);
    const recipe = { ...DEFAULT_FIT, gaussians: 13, steps: 400, ...over };
    const reports: number[] = [];
    const { scene, loss } = await fitScene(gpu, seen, recipe, ({ step }) => reports.push(step));
    assert.equal(scene.length, 13);
    assert.deepEqual(reports, [100, 200, 300, 400]);
    assert.ok(loss < 0.02, `loss ${loss}`);
    const held = await psnr(scene, views.filter((_view, k) => k % 2 === 1));
    assert.ok(held > 27, `${held} dB`);
  });
}

Deno.test("fitScene() gives the same scene bit for bit when run again, and another one for another seed", async () => {
  const views = blobViews(3, 41, 37);
  const recipe: FitRecipe = { ...DEFAULT_FIT, gaussians: 9, steps: 120, relocate: "split" };
  const [one, two] = [await fitScene(gpu, views, recipe), await fitScene(gpu, views, recipe)];
  assert.deepEqual(one, two);
  assert.notDeepEqual((await fitScene(gpu, views, { ...recipe, seed: 2 })).scene, one.scene);
});

Deno.test("FitState.step() moves parameters as Adam in float64 does", async () => {
  const view = variedView(gradientCamera(3), 1);
  const recipe: FitRecipe = { ...SMALL_FIT, steps: 4, gaussians: 5 };
  const start = Array.from(
    { length: 5 },
    (_, id) => gaussian({ id, mean: [0.1 * id, -0.1 * id, 0.05 * id] }),
  );
  const state = (await FitPass.create(gpu, recipe)).open([view], start);
  const [first] = await gpu.submit("start", [], [state.parameters]);
  const expected = Float64Array.from(new Float32Array(first));
  const [m, v] = [new Float64Array(expected.length), new Float64Array(expected.length)];
  const { mean, opacity, logScale, quaternion, color } = PARAMETER_PLACES;
  const rates = new Float64Array(PARAMETER_FLOATS);
  for (const place of mean) rates[place] = recipe.rates.mean;
  for (const place of opacity) rates[place] = recipe.rates.opacity;
  for (const place of logScale) rates[place] = recipe.rates.logScale;
  for (const place of quaternion) rates[place] = recipe.rates.quaternion;
  for (const place of color) rates[place] = recipe.rates.color;
  for (let step = 0; step < recipe.steps; step++) {
    const [bytes, moved] = await gpu.submit("step", state.step(0), [state.gradients, state.parameters]);
    const decay = 0.01 ** (step / recipe.steps);
    new Float32Array(bytes).forEach((g, i) => {
      const place = i % PARAMETER_FLOATS;
      m[i] = 0.9 * m[i] + 0.1 * g;
      v[i] = 0.999 * v[i] + 0.001 * g * g;
      const rate = rates[place] * (place < 3 ? decay : Math.max(0.1, decay));
      const [m1, v1] = [m[i] / (1 - 0.9 ** (step + 1)), v[i] / (1 - 0.999 ** (step + 1))];
      expected[i] -= v1 === 0 ? 0 : rate * m1 / Math.sqrt(v1);
    });
    new Float32Array(moved).forEach((value, i) =>
      assert.ok(
        Math.abs(value - expected[i]) < 2e-5,
        `step ${step}, float ${i}: ${value}, wanted ${expected[i]}`,
      )
    );
  }
  state.destroy();
});

Deno.test("FitState.measureContributions() adds up to the light that the Gaussians take", async () => {
  const [camera] = orbitCameras(1, 43, 31);
  const [view] = blobViews(1, 43, 31);
  const state = (await FitPass.create(gpu, SMALL_FIT, NO_CULLING)).open([view], BLOBS);
  const [bytes] = await gpu.submit("contributions", state.measureContributions(), [state.contributions]);
  state.destroy();
  const light = new Float32Array(bytes).filter((_, i) => i % 2 === 0).reduce((sum, value) => sum + value);
  const { rgbt } = referenceRender(BLOBS, camera, DEFAULT_RENDER_PROFILE);
  const taken = rgbt.filter((_, i) => i % 4 === 3).reduce((sum, left) => sum + 1 - left, 0);
  assert.ok(Math.abs(light - taken) < 1e-4 * taken, `${light}, wanted ${taken}`);
});

Deno.test("fitRecipeHash() is one for equal recipes whatever the order of keys, and changes with any of them", () => {
  const { steps, ...rest } = DEFAULT_FIT;
  assert.equal(fitRecipeHash({ ...rest, steps }), fitRecipeHash(DEFAULT_FIT));
  assert.notEqual(fitRecipeHash({ ...DEFAULT_FIT, seed: 1 }), fitRecipeHash(DEFAULT_FIT));
  assert.deepEqual(FitRecipe.parse(DEFAULT_FIT), DEFAULT_FIT);
  assert.equal(FitRecipe.safeParse({ ...DEFAULT_FIT, gaussians: 0 }).success, false);
});

Deno.test("fitScene() refuses views without photos, of unlike sizes, and smaller than the SSIM window", async () => {
  const small = blobViews(1, 10, 30);
  for (const views of [[], [...blobViews(1, 41, 37), ...blobViews(1, 37, 41)], small]) {
    await assert.rejects(fitScene(gpu, views, SMALL_FIT), BenchError);
  }
});
