/** The metric kernels, set up for a profile, and the structs they share with the host. */
import type { Gpu } from "../../gpu/device.ts";
import type { Kernel } from "../../gpu/kernel.ts";
import { struct } from "../../gpu/struct_layout.ts";
import { TILE, TILE_STATE } from "../render/canvas.ts";
import blockListCode from "./block_list.wgsl" with { type: "text" };
import changedBlocksCode from "./changed_blocks.wgsl" with { type: "text" };
import differenceCode from "./difference.wgsl" with { type: "text" };
import libraryCode from "./metric_lib.wgsl" with { type: "text" };
import photoLibraryCode from "./photo_lib.wgsl" with { type: "text" };
import { type MetricProfile, windowRadius, windowTaps } from "./metric_profile.ts";
import ssimCode from "./ssim.wgsl" with { type: "text" };
import ssimLibraryCode from "./ssim_lib.wgsl" with { type: "text" };
import viewSumsCode from "./view_sums.wgsl" with { type: "text" };

/** Pixels of a picture that one invocation looks after, as in `metric_lib.wgsl`. */
export const BLOCK = { width: 8, height: 32 } as const;

/** Blocks of a picture, by columns and rows. */
export function blockGrid(width: number, height: number): { columns: number; rows: number; blocks: number } {
  const [columns, rows] = [Math.ceil(width / BLOCK.width), Math.ceil(height / BLOCK.height)];
  return { columns, rows, blocks: columns * rows };
}

/** Sizes of pictures in pixels and of their grids in blocks. */
export const MetricGrid = struct("MetricGrid", { width: "u32", height: "u32", columns: "u32", rows: "u32" });

/**
 * A block of a picture pair, or a whole pair: squared error summed over pixels and channels, 1 − SSIM summed over
 * windows and three channels, silhouette pixels in both pictures and in either.
 */
export const BlockSums = struct("BlockSums", {
  squaredError: "f32",
  dissimilarity: "f32",
  intersection: "u32",
  either: "u32",
});

/** In the order they run. */
export interface MetricKernels {
  readonly changedBlocks: Kernel;
  readonly blockList: Kernel;
  readonly difference: Kernel;
  readonly ssim: Kernel;
  readonly viewSums: Kernel;
}

/** Compiles the kernels of a profile. */
export async function metricKernels(gpu: Gpu, profile: MetricProfile): Promise<MetricKernels> {
  const libraries = [
    { file: "splat/score/photo_lib.wgsl", code: photoLibraryCode },
    { file: "splat/score/metric_lib.wgsl", code: libraryCode },
  ];
  const ssimLibrary = { file: "splat/score/ssim_lib.wgsl", code: ssimLibraryCode };
  const kernel = (name: string, code: string, constants = {}, more: typeof libraries = []) =>
    gpu.kernel({
      name: `splat/score/${name}`,
      file: `splat/score/${name}.wgsl`,
      code,
      constants,
      libraries: [...libraries, ...more],
      structs: [MetricGrid, BlockSums],
    });
  const [changedBlocks, blockList, difference, ssim, viewSums] = await Promise.all([
    kernel("changed_blocks", changedBlocksCode, changedConstants(profile)),
    kernel("block_list", blockListCode),
    kernel("difference", differenceCode, differenceConstants(profile)),
    kernel("ssim", ssimCode, ssimConstants(profile), [ssimLibrary]),
    kernel("view_sums", viewSumsCode),
  ]);
  return { changedBlocks, blockList, difference, ssim, viewSums };
}

function changedConstants({ ssim }: MetricProfile): Record<string, number> {
  return {
    TILE_WIDTH: TILE.width,
    TILE_HEIGHT: TILE.height,
    DRAWN: TILE_STATE.drawn,
    RADIUS: windowRadius(ssim),
  };
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
