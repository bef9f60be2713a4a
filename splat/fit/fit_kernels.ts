/** The kernels of a fit, set up for a recipe, and the structs they share with the host. */
import type { Gpu } from "../../gpu/device.ts";
import type { Kernel, KernelSource } from "../../gpu/kernel.ts";
import { struct } from "../../gpu/struct_layout.ts";
import { CULLING, type Culling } from "../render/render_kernels.ts";
import { FRAME, GAUSSIAN, SPLAT, VIEW } from "../render/structs.ts";
import photoLib from "../score/photo_lib.wgsl" with { type: "text" };
import blockLib from "./loss_block_lib.wgsl" with { type: "text" };
import { DEFAULT_METRICS, windowTaps } from "../score/metric_profile.ts";
import activateCode from "./activate.wgsl" with { type: "text" };
import adamCode from "./adam.wgsl" with { type: "text" };
import contributionsCode from "./contributions.wgsl" with { type: "text" };
import differencesCode from "./differences.wgsl" with { type: "text" };
import errorImageCode from "./error_image.wgsl" with { type: "text" };
import gatherCode from "./gather.wgsl" with { type: "text" };
import lossGradientCode from "./loss_gradient.wgsl" with { type: "text" };
import lossLib from "./loss_lib.wgsl" with { type: "text" };
import lossMapsCode from "./loss_maps.wgsl" with { type: "text" };
import lossSumCode from "./loss_sum.wgsl" with { type: "text" };
import { PARAMETERS } from "./parameters.ts";
import projectBackwardCode from "./project_backward.wgsl" with { type: "text" };
import rasterizeBackwardCode from "./rasterize_backward.wgsl" with { type: "text" };
import type { FitRecipe } from "./recipe.ts";
import { ADAM } from "./schedule.ts";

/**
 * A fit leaves out more than a picture does: with 300 Gaussians an alpha below 1e-4, and what is behind 99.9 % opacity.
 */
export const FIT_CULLING: Culling = { alphaBudget: 0.03, lightBudget: 1e-3 };

/** The window of the D-SSIM loss, as the default metric has it. */
export const LOSS_WINDOW = DEFAULT_METRICS.ssim;

/** Pixels of a picture that one invocation of the loss kernels looks after, as in `loss_block_lib.wgsl`. */
export const LOSS_BLOCK = { width: 4, height: 32 } as const;

/** Rows of a picture that one invocation of `loss_maps.wgsl` walks down. */
export const BAND_HEIGHT = 128;

/** Sizes of pictures and block grids, a view and its photo, and weights divided by the number of values of a step. */
export const LOSS_GRID = struct("LossGrid", {
  width: "u32",
  height: "u32",
  columns: "u32",
  rows: "u32",
  /** Bands of BAND_HEIGHT rows. */
  bands: "u32",
  /** Place in the drawing, and among the photos. */
  view: "u32",
  photo: "u32",
  l1: "f32",
  l2: "f32",
  dssim: "f32",
});

/**
 * Sums over pixels of p, p z, p z zᵀ (first: 1, x, y, xx; second: xy, yy) with p = dL/d ln(alpha), and of dL/dcolour
 * (second: red, green; blue).
 */
export const SPLAT_GRADIENT = struct("SplatGradient", { first: "vec4f", second: "vec4f", blue: "f32" });

export interface FitKernels {
  readonly activate: Kernel;
  readonly differences: Kernel;
  readonly lossMaps: Kernel;
  readonly lossGradient: Kernel;
  readonly lossSum: Kernel;
  readonly rasterizeBackward: Kernel;
  readonly gather: Kernel;
  readonly projectBackward: Kernel;
  readonly adam: Kernel;
  readonly errorImage: Kernel;
  readonly contributions: Kernel;
}

/** Compiles the kernels of a recipe. */
export async function fitKernels(
  gpu: Gpu,
  recipe: FitRecipe,
  culling: Culling = CULLING,
): Promise<FitKernels> {
  const { render } = recipe;
  const background = {
    background_red: render.background[0],
    background_green: render.background[1],
    background_blue: render.background[2],
  };
  const taps = Object.fromEntries(windowTaps(LOSS_WINDOW).map((tap, k) => [`TAP_${k}`, tap]));
  const photo = { file: "splat/score/photo_lib.wgsl", code: photoLib };
  const block = { file: "splat/fit/loss_block_lib.wgsl", code: blockLib };
  const window = { file: "splat/fit/loss_lib.wgsl", code: lossLib };
  const compile = (name: string, code: string, rest: Partial<KernelSource>) =>
    gpu.kernel({ name: `splat/fit/${name}`, file: `splat/fit/${name}.wgsl`, code, ...rest });
  const [
    activate,
    differences,
    lossMaps,
    lossGradient,
    lossSum,
    rasterizeBackward,
    gather,
    projectBackward,
    adam,
    errorImage,
    contributions,
  ] = await Promise.all([
    compile("activate", activateCode, { structs: [PARAMETERS, GAUSSIAN] }),
    compile("differences", differencesCode, { structs: [LOSS_GRID], libraries: [photo, block] }),
    compile("loss_maps", lossMapsCode, {
      structs: [LOSS_GRID],
      libraries: [block, window],
      constants: taps,
    }),
    compile("loss_gradient", lossGradientCode, {
      structs: [LOSS_GRID, FRAME],
      libraries: [photo, block, window],
      constants: { ...taps, ...background },
    }),
    compile("loss_sum", lossSumCode, { structs: [LOSS_GRID] }),
    compile("rasterize_backward", rasterizeBackwardCode, {
      structs: [FRAME, SPLAT, LOSS_GRID, SPLAT_GRADIENT],
      constants: {
        ...background,
        alpha_max: render.alphaMax,
        alpha_min: Math.max(render.alphaMin, render.extent === "opacity-ellipse" ? 1 / 255 : 0),
        t_stop: render.tStop,
        t_stop_drops: Number(render.tStopDrops),
        pixel_center: render.pixelCenter,
        light_budget: culling.lightBudget,
      },
    }),
    compile("gather", gatherCode, { structs: [FRAME, VIEW, SPLAT, LOSS_GRID, SPLAT_GRADIENT] }),
    compile("project_backward", projectBackwardCode, {
      structs: [VIEW, SPLAT_GRADIENT, PARAMETERS],
      constants: {
        dilation: render.dilation,
        compensate: Number(render.compensation === "sqrt-det"),
        min_scale: render.minScale,
      },
    }),
    compile("adam", adamCode, {
      constants: {
        beta_1: ADAM.beta1,
        beta_2: ADAM.beta2,
        epsilon: ADAM.epsilon,
        least_log_scale: Math.log(recipe.scales[0]),
        most_log_scale: Math.log(recipe.scales[1]),
      },
    }),
    compile("error_image", errorImageCode, { structs: [LOSS_GRID], libraries: [photo, block] }),
    compile("contributions", contributionsCode, { structs: [SPLAT_GRADIENT] }),
  ]);
  return {
    activate,
    differences,
    lossMaps,
    lossGradient,
    lossSum,
    rasterizeBackward,
    gather,
    projectBackward,
    adam,
    errorImage,
    contributions,
  };
}
