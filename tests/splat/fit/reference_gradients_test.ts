import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { RENDER_PROFILES, type RenderProfile } from "../../../splat/render/profile.ts";
import { activate, FREE, referenceGradients, referenceLoss } from "../../reference/gradients.ts";
import { referenceRender } from "../../reference/render.ts";
import { freeGaussians, gradientCamera } from "./free_gaussians.ts";

const { torch } = RENDER_PROFILES;
const PROFILES: Record<string, RenderProfile> = {
  "without compensation": { ...torch, alphaMax: 1 },
  "with compensation": { ...torch, alphaMax: 1, compensation: "sqrt-det" },
  "with alphas that are clamped": { ...torch, alphaMax: 0.6 },
  "with asymmetric clamp": { ...torch, alphaMax: 1, jacobianClamp: "asym0.3", background: [0.2, 0.5, 0.9] },
};

for (const [name, profile] of Object.entries(PROFILES)) {
  Deno.test(`referenceGradients() agrees with central differences of referenceRender() ${name}`, () => {
    const camera = gradientCamera(3);
    const parameters = freeGaussians(5, 8, camera);
    const draw = stream(1, "upstream");
    const upstream = Float64Array.from(
      { length: camera.width * camera.height * 3 },
      (_, i) => Math.sin(i / 7) + draw.range(-1, 1),
    );
    const value = () => {
      const { rgbt } = referenceRender(parameters.map(activate), camera, profile);
      return upstream.reduce((sum, g, i) => sum + g * rgbt[Math.floor(i / 3) * 4 + i % 3], 0);
    };
    const gradients = referenceGradients(parameters, camera, profile, upstream);
    for (let place = 0; place < FREE; place++) {
      const largest = Math.max(...gradients.map((row) => Math.abs(row[place])));
      for (const [index, row] of gradients.entries()) {
        const numeric = centralDifference(parameters[index], place, value);
        const error = Math.abs(row[place] - numeric);
        const note = `Gaussian ${index}, parameter ${place}: ${row[place]} and ${numeric}`;
        assert.ok(error <= 1e-5 * Math.abs(numeric) + 1e-7 * largest, note);
        assert.notEqual(row[place], 0, note);
      }
    }
  });
}

Deno.test("referenceLoss() has the gradient that central differences find", () => {
  const [width, height] = [13, 17];
  const draw = stream(2, "pictures");
  const picture = Array.from({ length: width * height * 3 }, () => draw.next());
  const photo = picture.map((value) => Math.min(1, Math.max(0, value + draw.range(-0.4, 0.4))));
  const weights = { l1: 0.8, l2: 0.5, dssim: 0.2 };
  const loss = () => referenceLoss(picture, photo, width, height, weights).loss;
  const { gradient } = referenceLoss(picture, photo, width, height, weights);
  for (let i = 0; i < picture.length; i += 11) {
    const numeric = centralDifference(picture, i, loss);
    assert.ok(Math.abs(gradient[i] - numeric) <= 1e-5 * Math.abs(numeric) + 1e-10, `value ${i}`);
  }
});

function centralDifference(values: number[], place: number, value: () => number): number {
  const [before, step] = [values[place], 1e-5];
  values[place] = before + step;
  const above = value();
  values[place] = before - step;
  const below = value();
  values[place] = before;
  return (above - below) / (2 * step);
}
