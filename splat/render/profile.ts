/**
 * Every convention that decides what a scene of Gaussians looks like. A profile is hashed into every score; where
 * the numbers come from is in `docs/conventions.md`.
 */
import { z } from "zod";
import { BenchError } from "../../env/errors.ts";

const unit = z.number().min(0).max(1);

export const renderProfileSchema = z.strictObject({
  /** Added to both variances on the screen, pixel². */
  dilation: z.number().min(0).max(100),
  /** `sqrt-det` multiplies the opacity by √(det before / det after dilation). */
  compensation: z.enum(["none", "sqrt-det"]),
  /** Alpha is clamped to this. */
  alphaMax: unit.positive(),
  /** Alpha below this is skipped. */
  alphaMin: unit,
  /** A pixel ends where its transmittance would fall to this or below; 0 for never. */
  tStop: unit,
  /** Whether the Gaussian that ends a pixel is dropped (true) or still drawn (false). */
  tStopDrops: z.boolean(),
  /**
   * How far a Gaussian reaches. `sigma3-circle`: ⌈3 √λmax⌉ pixels to each side, to the border of the 16×16 tiles
   * touched. `sigma3.33-rect-opacity`: ⌈min(3.33, √(2 ln 255 o)) σ⌉ along x and y, to the border of the tiles.
   * `opacity-ellipse`: where o exp(−q/2) ≥ 1/255.
   */
  extent: z.enum(["none", "sigma3-circle", "sigma3.33-rect-opacity", "opacity-ellipse"]),
  /** Where in a pixel the Gaussian is sampled, from its left and top border. */
  pixelCenter: unit,
  /** Front-to-back key: depth along the view axis, or distance from the eye. Ties go by index. */
  sort: z.enum(["z", "distance"]),
  /** Limits of X/Z and Y/Z in the Jacobian: ±1.3 tan(fov/2), or the image's borders ±0.3 tan(fov/2). */
  jacobianClamp: z.enum(["none", "sym1.3", "asym0.3"]),
  /** Means with depth up to `near` are not drawn. */
  near: z.number().min(0),
  /** Means with depth from `far` on are not drawn; null for no limit. */
  far: z.number().positive().nullable(),
  /** Whether quaternions are normalised; if not, their length scales the Gaussian as the rotation formula has it. */
  normalizeQuat: z.boolean(),
  /** Scales below this are raised to it. */
  minScale: z.number().min(0),
  /** Opacity falls with exp(−q/2). */
  kernel: z.literal("exp"),
  /** sRGB in [0, 1]. */
  background: z.tuple([unit, unit, unit]),
  /** Result clamped to [0, 1], or also rounded (⌊255 x + ½⌋/255) or truncated (⌊255 x⌋/255) to 8 bits. */
  output: z.enum(["float-clamp", "round8", "trunc8"]),
  /** Whether Gaussians' colours are clamped to [0, 1] before they are blended. */
  colorClamp: z.boolean(),
  /** Least determinant of the screen covariance when it is inverted, or `skip`: none where it is not positive. */
  detFloor: z.union([z.number().min(0), z.literal("skip")]),
});

export type RenderProfile = z.infer<typeof renderProfileSchema>;

const torch: RenderProfile = {
  dilation: 0.3,
  compensation: "none",
  alphaMax: 0.99,
  alphaMin: 0,
  tStop: 0,
  tStopDrops: true,
  extent: "none",
  pixelCenter: 0.5,
  sort: "z",
  jacobianClamp: "sym1.3",
  near: 0.01,
  far: null,
  normalizeQuat: true,
  minScale: 0,
  kernel: "exp",
  background: [1, 1, 1],
  output: "float-clamp",
  colorClamp: true,
  detFloor: 1e-10,
};

const inria: RenderProfile = {
  ...torch,
  alphaMin: 1 / 255,
  tStop: 1e-4,
  extent: "sigma3-circle",
  near: 0.2,
  // Its kernel leaves quaternions as they are; its training code normalises them before.
  normalizeQuat: false,
  output: "round8",
  detFloor: "skip",
};

const gsplat16: RenderProfile = {
  ...torch,
  alphaMin: 1 / 255,
  tStop: 1e-4,
  extent: "sigma3.33-rect-opacity",
  jacobianClamp: "asym0.3",
  detFloor: "skip",
};

const gsplat15: RenderProfile = { ...gsplat16, alphaMax: 0.999 };

const brush: RenderProfile = { ...gsplat15, extent: "opacity-ellipse", output: "round8" };

/** Profiles by name; `torch` is the default. */
export const RENDER_PROFILES = {
  torch,
  inria,
  "gsplat-1.5": gsplat15,
  "gsplat-1.6": gsplat16,
  brush,
} as const;

export type RenderProfileName = keyof typeof RENDER_PROFILES;

export const DEFAULT_RENDER_PROFILE: RenderProfile = torch;

/** The profile of a name. Throws BenchError that lists the names there are. */
export function renderProfile(name: string): RenderProfile {
  const found = Object.entries(RENDER_PROFILES).find(([known]) => known === name);
  if (found) return found[1];
  throw new BenchError({
    what: `Cannot find render profile "${name}"`,
    why: "there is none of that name",
    fix: `Use one of ${Object.keys(RENDER_PROFILES).join(", ")}`,
  });
}
