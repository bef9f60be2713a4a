/** The device side of a fit: draw → loss → gradient of the picture → gradient of the parameters → Adam. */
import type { Gpu } from "../../gpu/device.ts";
import type { Culling } from "../render/render_kernels.ts";
import { RenderPass } from "../render/render_pass.ts";
import type { Scene } from "../scene.ts";
import type { View } from "../task.ts";
import { FIT_CULLING, type FitKernels, fitKernels } from "./fit_kernels.ts";
import { FitState } from "./fit_state.ts";
import type { FitRecipe } from "./recipe.ts";

/** Kernels of one recipe on one device. */
export class FitPass {
  #gpu: Gpu;
  #recipe: FitRecipe;
  #render: RenderPass;
  #kernels: FitKernels;

  private constructor(gpu: Gpu, recipe: FitRecipe, render: RenderPass, kernels: FitKernels) {
    this.#gpu = gpu;
    this.#recipe = recipe;
    this.#render = render;
    this.#kernels = kernels;
  }

  /** Compiles the kernels. Descent runs on unrounded colours, whatever the profile's pictures are rounded to. */
  static async create(gpu: Gpu, recipe: FitRecipe, culling: Culling = FIT_CULLING): Promise<FitPass> {
    const [render, kernels] = await Promise.all([
      RenderPass.create(gpu, { ...recipe.render, output: "float-clamp" }, culling),
      fitKernels(gpu, recipe, culling),
    ]);
    return new FitPass(gpu, recipe, render, kernels);
  }

  /** Uploads views and a scene to start from. Throws BenchError for no views, unlike sizes, or pictures too large. */
  open(views: readonly View[], start: Scene): FitState {
    return new FitState(this.#gpu, this.#recipe, this.#render, this.#kernels, views, start);
  }
}
