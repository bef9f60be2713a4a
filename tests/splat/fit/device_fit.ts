/** A fit's kernels run on the software adapter, read back in the reference's order. */
import type { Gpu } from "../../../gpu/device.ts";
import type { Camera } from "../../../splat/camera.ts";
import { FitPass } from "../../../splat/fit/fit_pass.ts";
import { PARAMETER_FLOATS, PARAMETER_PLACES } from "../../../splat/fit/parameters.ts";
import { DEFAULT_FIT, type FitRecipe } from "../../../splat/fit/recipe.ts";
import type { Culling } from "../../../splat/render/render_kernels.ts";
import type { View } from "../../../splat/task.ts";
import { gaussian } from "../render/random_scenes.ts";

/** Nothing is left out, as in the reference. */
export const NO_CULLING: Culling = { alphaBudget: 0, lightBudget: 0 };

export const SMALL_FIT: FitRecipe = { ...DEFAULT_FIT, gaussians: 12, steps: 100 };

/** Floats of a parameter record in the order of `tests/reference/gradients.ts`. */
export const FREE_PLACES = [
  ...PARAMETER_PLACES.mean,
  ...PARAMETER_PLACES.logScale,
  ...PARAMETER_PLACES.quaternion,
  ...PARAMETER_PLACES.opacity,
  ...PARAMETER_PLACES.color,
];

/** Gradients [count, 14] and loss of one batch, for free parameters as in the reference. */
export async function deviceGradients(
  gpu: Gpu,
  views: readonly View[],
  parameters: readonly (readonly number[])[],
  recipe: FitRecipe,
  batch = 0,
  culling = NO_CULLING,
): Promise<{ gradients: number[][]; loss: number }> {
  const pass = await FitPass.create(gpu, recipe, culling);
  const state = pass.open(views, parameters.map((_, id) => gaussian({ id })));
  const packed = new Float32Array(parameters.length * PARAMETER_FLOATS);
  for (const [index, row] of parameters.entries()) {
    row.forEach((value, k) => packed[index * PARAMETER_FLOATS + FREE_PLACES[k]] = value);
  }
  state.parameters.write(packed);
  const commands = [...state.gradient(batch), ...state.record(batch)];
  const [bytes, losses] = await gpu.submit("gradients", commands, [state.gradients, state.losses]);
  state.destroy();
  const floats = new Float32Array(bytes);
  const gradients = parameters.map((_, index) =>
    FREE_PLACES.map((place) => floats[index * PARAMETER_FLOATS + place])
  );
  return { gradients, loss: new Float32Array(losses)[0] };
}

/** A photo whose colours vary from pixel to pixel, with white at its left. */
export function variedView(camera: Camera, phase: number): View {
  const { width, height } = camera;
  const data = Uint8Array.from(
    { length: width * height * 3 },
    (_, i) =>
      (i / 3) % width < 5 ? 255 : Math.round(127 + 120 * Math.sin(phase + i * (0.21 + 0.1 * (i % 3)))),
  );
  return { camera, photo: { width, height, data } };
}
