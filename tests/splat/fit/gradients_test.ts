import assert from "node:assert/strict";
import { openGpu } from "../../../gpu/device.ts";
import { orbitCamera } from "../../../splat/camera.ts";
import type { FitRecipe } from "../../../splat/fit/recipe.ts";
import { RENDER_PROFILES } from "../../../splat/render/profile.ts";
import type { View } from "../../../splat/task.ts";
import { activate, FREE, referenceGradients, referenceLoss } from "../../reference/gradients.ts";
import { referenceRender } from "../../reference/render.ts";
import { deviceGradients, SMALL_FIT, variedView } from "./device_fit.ts";
import { freeGaussians, gradientCamera } from "./free_gaussians.ts";

const gpu = await openGpu("software");
const { torch } = RENDER_PROFILES;

const RECIPES: Record<string, FitRecipe> = {
  "the default loss": SMALL_FIT,
  "compensation and a coloured background": {
    ...SMALL_FIT,
    render: { ...torch, compensation: "sqrt-det", background: [0.2, 0.5, 0.9] },
  },
  "clamped alphas and L2": {
    ...SMALL_FIT,
    loss: { l1: 0, l2: 1, dssim: 0 },
    render: { ...torch, alphaMax: 0.6, jacobianClamp: "asym0.3" },
  },
};

for (const [name, recipe] of Object.entries(RECIPES)) {
  Deno.test(`FitState.gradient() agrees with the float64 gradients when given ${name}`, async () => {
    // The second picture is higher than a band of the loss kernels.
    for (const [seed, width, height] of [[3, 47, 34], [4, 38, 79]]) {
      const camera = gradientCamera(seed, width, height);
      const view = variedView(camera, seed);
      const parameters = freeGaussians(seed, 40, camera);
      const expected = expectedGradients([view], parameters, recipe);
      const { gradients, loss } = await deviceGradients(gpu, [view], parameters, recipe);
      assert.ok(Math.abs(loss - expected.loss) <= 1e-5 * expected.loss, `loss ${loss}, ${expected.loss}`);
      assertClose(gradients, expected.gradients);
    }
  });
}

Deno.test("FitState.gradient() sums over all views when a step sees all", async () => {
  const views = [3, 4, 6].map((seed) => variedView(gradientCamera(seed), seed));
  const parameters = freeGaussians(9, 33, views[0].camera);
  const recipe: FitRecipe = { ...SMALL_FIT, viewsPerStep: "all" };
  const expected = expectedGradients(views, parameters, recipe);
  const { gradients, loss } = await deviceGradients(gpu, views, parameters, recipe);
  assert.ok(Math.abs(loss - expected.loss) <= 1e-5 * expected.loss);
  assertClose(gradients, expected.gradients);
});

Deno.test("FitState.gradient() loses nothing where bands that equal the photo are skipped", async () => {
  const orbit = { azimuthDeg: 20, elevationDeg: 10, distance: 4, fovDeg: 40 };
  const camera = { ...orbitCamera(orbit, 45, 270), cy: 232 };
  // Far above the object paper is white in photo and render; the last Gaussian would reach there.
  const parameters = freeGaussians(5, 20, camera).slice(0, -1);
  const view = variedView(camera, 2);
  view.photo.data.fill(255, 0, 45 * 160 * 3);
  const expected = expectedGradients([view], parameters, SMALL_FIT);
  const culling = { alphaBudget: 1e-5, lightBudget: 0 };
  const { gradients, loss } = await deviceGradients(gpu, [view], parameters, SMALL_FIT, 0, culling);
  assert.ok(Math.abs(loss - expected.loss) <= 1e-5 * expected.loss);
  assertClose(gradients, expected.gradients, 1e-4);
});

/** Within 1e-3 of the value plus a part of the largest of its kind. */
function assertClose(actual: readonly number[][], expected: readonly number[][], part = 1e-6): void {
  for (let place = 0; place < FREE; place++) {
    const largest = Math.max(...expected.map((row) => Math.abs(row[place])));
    for (const [index, row] of expected.entries()) {
      const error = Math.abs(actual[index][place] - row[place]);
      assert.ok(
        error <= 1e-3 * Math.abs(row[place]) + part * largest,
        `Gaussian ${index}, parameter ${place}: ${actual[index][place]}, wanted ${row[place]}`,
      );
    }
  }
}

function expectedGradients(
  views: readonly View[],
  parameters: number[][],
  { loss: weights, render }: FitRecipe,
) {
  const gradients = parameters.map(() => new Array<number>(FREE).fill(0));
  let total = 0;
  for (const { camera, photo } of views) {
    const { width, height } = camera;
    const { rgbt } = referenceRender(parameters.map(activate), camera, render);
    const picture = Array.from({ length: width * height * 3 }, (_, i) => rgbt[Math.floor(i / 3) * 4 + i % 3]);
    const { loss, gradient } = referenceLoss(
      picture,
      Array.from(photo.data, (v) => v / 255),
      width,
      height,
      weights,
    );
    total += loss / views.length;
    const upstream = gradient.map((g) => g / views.length);
    const own = referenceGradients(parameters, camera, render, upstream);
    own.forEach((row, index) => row.forEach((value, k) => gradients[index][k] += value));
  }
  return { loss: total, gradients };
}
