/** Everything that decides what a fit finds, as one value that is hashed beside its result. */
import { z } from "zod";
import { contentHash } from "../../env/hash.ts";
import { DEFAULT_RENDER_PROFILE, renderProfileSchema } from "../render/profile.ts";

const rate = z.number().min(0);

export const FitRecipe = z.strictObject({
  /** How many Gaussians, from the first step to the last. */
  gaussians: z.number().int().min(1),
  steps: z.number().int().min(1),
  seed: z.number().int(),
  /** Views a step sees: one after the other in shuffled rounds, or all at once. */
  viewsPerStep: z.enum(["one", "all"]),
  /** Means drawn inside all silhouettes, or in the whole box [−0.9, 0.9]³. */
  init: z.enum(["hull", "box"]),
  /** `split` moves what contributes least to where the error is largest; `none` only descends. */
  relocate: z.enum(["none", "split"]),
  /** Weights of mean |d|, mean d² and 1 − SSIM (11-tap Gaussian window, zeros outside the picture). */
  loss: z.strictObject({ l1: rate, l2: rate, dssim: rate }),
  /** Adam's first step sizes, in units of each parameter. */
  rates: z.strictObject({ mean: rate, logScale: rate, quaternion: rate, opacity: rate, color: rate }),
  /** Step sizes fall by this factor over the run; those other than the mean's never below `rateFloor`. */
  rateDecay: z.number().positive().max(1),
  rateFloor: z.number().min(0).max(1),
  /** Limits of scales, world units. */
  scales: z.tuple([z.number().positive(), z.number().positive()]),
  render: renderProfileSchema,
});

export type FitRecipe = z.infer<typeof FitRecipe>;

/** The recipe behind the fixed points of a score: plain descent with a fixed number of Gaussians. */
export const DEFAULT_FIT: FitRecipe = {
  gaussians: 300,
  steps: 3000,
  seed: 0,
  viewsPerStep: "one",
  init: "hull",
  relocate: "none",
  loss: { l1: 0.8, l2: 0, dssim: 0.2 },
  rates: { mean: 4e-3, logScale: 1e-2, quaternion: 1e-2, opacity: 3e-2, color: 2e-2 },
  rateDecay: 0.01,
  rateFloor: 0.1,
  scales: [0.003, 0.6],
  render: DEFAULT_RENDER_PROFILE,
};

/** sha256 of a recipe; fits of equal recipes to equal views on one adapter are equal. */
export const fitRecipeHash = (recipe: FitRecipe): string => contentHash(recipe);
