/** The three metric kernels, set up for a profile, and the structs they share with the host. */
import type { Gpu } from "../../gpu/device.ts";
import type { Kernel } from "../../gpu/kernel.ts";
import { struct } from "../../gpu/struct_layout.ts";
import differenceCode from "./difference.wgsl" with { type: "text" };
import libraryCode from "./metric_lib.wgsl" with { type: "text" };
import { type MetricProfile, windowRadius, windowTaps } from "./metric_profile.ts";
import ssimCode from "./ssim.wgsl" with { type: "text" };
import ssimLibraryCode from "./ssim_lib.wgsl" with { type: "text" };
import viewSumsCode from "./view_sums.wgsl" with { type: "text" };

/** Pixels of a picture that one invocation looks after, as in `metric_lib.wgsl`. */
export const BLOCK = { width: 4, height: 32 } as const;

/** Sizes of pictures in pixels and of their grids in blocks. */
export const MetricGrid = struct("MetricGrid", { width: "u32", height: "u32", columns: "u32", rows: "u32" });

/** One block of a picture pair: summed squared error over pixels and channels, silhouette pixels in both and in either. */
export const BlockDifference = struct("BlockDifference", {
  squaredError: "f32",
  intersection: "u32",
  either: "u32",
});

/** A whole picture pair; `dissimilarity` is the sum of 1 − SSIM over windows and three channels. */
export const ViewSums = struct("ViewSums", {
  squaredError: "f32",
  dissimilarity: "f32",
  intersection: "u32",
  either: "u32",
});

export interface MetricKernels {
  readonly difference: Kernel;
  readonly ssim: Kernel;
  readonly viewSums: Kernel;
}

/** Compiles the kernels of a profile. `skipEqual` false measures every block, to see what skipping saves. */
export async function metricKernels(
  gpu: Gpu,
  profile: MetricProfile,
  skipEqual: boolean,
): Promise<MetricKernels> {
  const shared = {
    libraries: [{ file: "splat/score/metric_lib.wgsl", code: libraryCode }],
    structs: [MetricGrid, BlockDifference, ViewSums],
  };
  const [difference, ssim, viewSums] = await Promise.all([
    gpu.kernel({
      ...shared,
      name: "splat/score/difference",
      file: "splat/score/difference.wgsl",
      code: differenceCode,
      constants: differenceConstants(profile),
    }),
    gpu.kernel({
      ...shared,
      libraries: [...shared.libraries, { file: "splat/score/ssim_lib.wgsl", code: ssimLibraryCode }],
      name: "splat/score/ssim",
      file: "splat/score/ssim.wgsl",
      code: ssimCode,
      constants: { ...ssimConstants(profile), SKIP_EQUAL: Number(skipEqual) },
    }),
    gpu.kernel({
      ...shared,
      name: "splat/score/view_sums",
      file: "splat/score/view_sums.wgsl",
      code: viewSumsCode,
    }),
  ]);
  return { difference, ssim, viewSums };
}

function differenceConstants({ iou }: MetricProfile): Record<string, number> {
  return {
    DISTANCE: { min: 0, mean: 1, l2: 2 }[iou.distance],
    MASK_ALPHA: Number(iou.renderMask === "alpha"),
    THRESHOLD: iou.threshold,
    ALPHA_THRESHOLD: iou.alphaThreshold,
  };
}

function ssimConstants({ ssim }: MetricProfile): Record<string, number> {
  const taps = windowTaps(ssim).map((tap, distance) => [`TAP_${distance}`, tap]);
  const pixels = (2 * windowRadius(ssim) + 1) ** 2;
  const [r, g, b] = LUMA[ssim.channels];
  return {
    ...Object.fromEntries(taps),
    BORDER: { valid: 0, zero: 1, reflect: 2 }[ssim.border],
    RADIUS: windowRadius(ssim),
    COVARIANCE: ssim.covariance === "sample" ? pixels / (pixels - 1) : 1,
    GRAY: Number(ssim.channels !== "rgb"),
    GRAY_R: r,
    GRAY_G: g,
    GRAY_B: b,
  };
}

/** Luma of ITU-R BT.601 and BT.709; `rgb` has none. */
const LUMA = {
  rgb: [0, 0, 0],
  gray: [0.299, 0.587, 0.114],
  gray709: [0.2126, 0.7152, 0.0722],
} as const;
