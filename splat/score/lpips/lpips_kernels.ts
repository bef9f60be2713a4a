/** The kernels of LPIPS and the structs they share with the host. */
import type { Gpu } from "../../../gpu/device.ts";
import type { Kernel } from "../../../gpu/kernel.ts";
import { struct } from "../../../gpu/struct_layout.ts";
import convolutionCode from "./convolution.wgsl" with { type: "text" };
import distanceCode from "./feature_distance.wgsl" with { type: "text" };
import libraryCode from "./feature_lib.wgsl" with { type: "text" };
import poolCode from "./max_pool.wgsl" with { type: "text" };
import normalizeCode from "./normalize_features.wgsl" with { type: "text" };
import pictureCode from "./picture_blocks.wgsl" with { type: "text" };
import sumCode from "./sum_partials.wgsl" with { type: "text" };

/** What goes through a slot of a chunk: which picture, which photo of its group, and which pair the result is of. */
export const Slot = struct("Slot", { picture: "u32", photo: "u32", pair: "u32" });

export const PictureShape = struct("PictureShape", {
  /** Of the picture, pixels. */
  width: "u32",
  height: "u32",
  block: "u32",
  padding: "u32",
  /** Of the tensor, blocks. */
  columns: "u32",
  rows: "u32",
  stride: "u32",
  plane: "u32",
});

export const ConvolutionShape = struct("ConvolutionShape", {
  views: "u32",
  /** Tiles of 4 × 4 pixels. */
  tileColumns: "u32",
  tileRows: "u32",
  inputs: "u32",
  /** Of the input, in vec4f. */
  inputStride: "u32",
  inputPlane: "u32",
  /** Channels of the tensor that is written, and the first to write. */
  channels: "u32",
  channel: "u32",
  /** Of the output, pixels. */
  width: "u32",
  height: "u32",
  outputStride: "u32",
  outputPlane: "u32",
  /** Of pixel (0, 0) in a plane. */
  outputStart: "u32",
});

export const PoolShape = struct("PoolShape", {
  inputWidth: "u32",
  inputHeight: "u32",
  inputStride: "u32",
  inputPlane: "u32",
  inputStart: "u32",
  width: "u32",
  height: "u32",
  outputStride: "u32",
  outputPlane: "u32",
  outputStart: "u32",
});

export const TapShape = struct("TapShape", {
  channels: "u32",
  /** Of the tensor, in vec4f. */
  plane: "u32",
  /** Pixels of the picture in it. */
  pixels: "f32",
  /** Partial sums of a pair over all taps, and the first of this one. */
  partials: "u32",
  firstPartial: "u32",
});

export interface LpipsKernels {
  readonly normalize: Kernel;
  readonly distance: Kernel;
  readonly sum: Kernel;
}

/** The kernels behind the taps. */
export async function lpipsKernels(gpu: Gpu): Promise<LpipsKernels> {
  const libraries = [{ file: `${FOLDER}/feature_lib.wgsl`, code: libraryCode }];
  const [normalize, distance, sum] = await Promise.all([
    gpu.kernel({ ...source("normalize_features", normalizeCode), libraries, structs: [TapShape, Slot] }),
    gpu.kernel({ ...source("feature_distance", distanceCode), libraries, structs: [TapShape, Slot] }),
    gpu.kernel(source("sum_partials", sumCode)),
  ]);
  return { normalize, distance, sum };
}

/** The kernel that turns pictures into the first tensor. */
export function pictureKernel(gpu: Gpu): Promise<Kernel> {
  return gpu.kernel({ ...source("picture_blocks", pictureCode), structs: [PictureShape, Slot] });
}

/** A convolution whose window has `size`² places and begins at row and column `first` of the input. */
export function convolutionKernel(gpu: Gpu, size: number, first: number): Promise<Kernel> {
  const constants = { WIDTH: size, FIRST: first };
  return gpu.kernel({ ...source("convolution", convolutionCode), structs: [ConvolutionShape], constants });
}

export function poolKernel(gpu: Gpu, size: number): Promise<Kernel> {
  return gpu.kernel({ ...source("max_pool", poolCode), structs: [PoolShape], constants: { SIZE: size } });
}

const FOLDER = "splat/score/lpips";

function source(name: string, code: string): { name: string; file: string; code: string } {
  return { name: `${FOLDER}/${name}`, file: `${FOLDER}/${name}.wgsl`, code };
}
