/** PSNR, SSIM and silhouette IoU of rendered views against photos, as commands for the renderer's own submit. */
import { GpuError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Command } from "../../gpu/kernel.ts";
import type { ReadBack } from "../../gpu/readback.ts";
import type { ViewMetrics } from "../render/renderer_types.ts";
import {
  BLOCK,
  BlockDifference,
  MetricGrid,
  type MetricKernels,
  metricKernels,
  ViewSums,
} from "./metric_kernels.ts";
import { type MetricProfile, windowRadius } from "./metric_profile.ts";
import { type DevicePhotos, uploadPhotos } from "./photos.ts";

/** Which rendered view to measure against which photo. */
export interface ViewPair {
  readonly view: number;
  readonly photo: number;
}

export interface MeasureRequest {
  /** vec4f `[views, height, width]`: RGB in [0, 1], transmittance; of the photos' size. */
  readonly rendered: GpuBuffer;
  readonly photos: DevicePhotos;
  readonly pairs: readonly ViewPair[];
}

/** Work to append to a submit, and what to do with the bytes it reads back. */
export interface Measurement {
  readonly commands: readonly Command[];
  readonly reads: readonly ReadBack[];
  /** The metrics of each pair, from the bytes of `reads`. Throws GpuError when a rendered pixel was not finite. */
  decode(buffers: readonly ArrayBuffer[]): ViewMetrics[];
  /** Frees what the work needed; after the submit has resolved. */
  destroy(): void;
}

export class MetricPass {
  #gpu: Gpu;
  #kernels: MetricKernels;

  private constructor(gpu: Gpu, readonly profile: MetricProfile, kernels: MetricKernels) {
    this.#gpu = gpu;
    this.#kernels = kernels;
  }

  /** Compiles the kernels. `skipEqual` false measures also where render and photo are equal, for benchmarks. */
  static async create(gpu: Gpu, profile: MetricProfile, skipEqual = true): Promise<MetricPass> {
    return new MetricPass(gpu, profile, await metricKernels(gpu, profile, skipEqual));
  }

  /** Uploads photos. Throws BenchError for no photos, unlike sizes, or pictures smaller than the SSIM window. */
  photos(images: readonly Image[]): DevicePhotos {
    return uploadPhotos(this.#gpu, this.profile, images);
  }

  /** Plans the measurement of at least one pair; nothing runs before the commands are submitted. */
  measure({ rendered, photos, pairs }: MeasureRequest): Measurement {
    const { width, height } = photos;
    const [columns, rows] = [Math.ceil(width / BLOCK.width), Math.ceil(height / BLOCK.height)];
    const blocks = pairs.length * rows * columns;
    const gpu = this.#gpu;
    const grid = gpu.upload("metric grid", MetricGrid.pack([{ width, height, columns, rows }]));
    const pairTable = gpu.upload(
      "metric pairs",
      new Uint32Array(pairs.flatMap(({ view, photo }) => [view, photo])),
    );
    const differences = gpu.buffer("block differences", blocks * BlockDifference.byteLength);
    const dissimilarity = gpu.buffer("block dissimilarity", blocks * 4);
    const sums = gpu.buffer("view sums", pairs.length * ViewSums.byteLength);
    const { difference, ssim, viewSums } = this.#kernels;
    const pictures = { grid, pairs: pairTable, rendered, photos: photos.buffer, differences };
    return {
      commands: [
        difference.dispatch(pictures, [Math.ceil(columns / 8), Math.ceil(rows / 8), pairs.length]),
        ssim.dispatch({ ...pictures, dissimilarity }, [
          Math.ceil(columns / 8),
          Math.ceil(rows / 4),
          pairs.length,
        ]),
        viewSums.dispatch({ grid, differences, dissimilarity, sums }, [Math.ceil(pairs.length / 32)]),
      ],
      reads: [sums],
      decode: ([bytes]) => pairs.map((_pair, index) => decodeView(this.profile, photos, bytes, index)),
      destroy: () => {
        for (const buffer of [grid, pairTable, differences, dissimilarity, sums]) buffer.destroy();
      },
    };
  }
}

function decodeView(
  profile: MetricProfile,
  { width, height }: DevicePhotos,
  bytes: ArrayBuffer,
  index: number,
): ViewMetrics {
  const view = new DataView(bytes, index * ViewSums.byteLength, ViewSums.byteLength);
  const { squaredError, dissimilarity, intersection, either } = ViewSums.offsets;
  const margin = profile.ssim.border === "valid" ? 2 * windowRadius(profile.ssim) : 0;
  const windows = (width - margin) * (height - margin);
  const meanSquaredError = view.getFloat32(squaredError, true) / (3 * width * height);
  const ssim = 1 - view.getFloat32(dissimilarity, true) / (3 * windows);
  const union = view.getUint32(either, true);
  // NaN and infinite pixels make the squared error NaN or infinite, whatever they do to the rest.
  if (!Number.isFinite(meanSquaredError) || !Number.isFinite(ssim)) {
    throw new GpuError({
      what: `Cannot measure view ${index}`,
      why: "a rendered pixel is not a finite number",
    });
  }
  return {
    psnr: Math.min(profile.psnr.cap, -10 * Math.log10(meanSquaredError)),
    ssim,
    iou: union === 0 ? 1 : view.getUint32(intersection, true) / union,
  };
}
