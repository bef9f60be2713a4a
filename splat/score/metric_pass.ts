/** PSNR, SSIM and silhouette IoU of rendered views against photos, as commands for the renderer's own submit. */
import { GpuError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Command } from "../../gpu/kernel.ts";
import type { ReadBack } from "../../gpu/readback.ts";
import type { ViewMetrics } from "../render/renderer_types.ts";
import type { LpipsPhotos } from "./lpips/lpips_photos.ts";
import { blockGrid, BlockSums, MetricGrid, type MetricKernels, metricKernels } from "./metric_kernels.ts";
import { type MetricProfile, windowRadius } from "./metric_profile.ts";
import { type DevicePhotos, uploadPhotos } from "./photos.ts";

/** Which rendered view to measure against which photo of the store. */
export interface ViewPair {
  readonly view: number;
  readonly photo: number;
}

export interface MeasureRequest {
  /** vec4f `[views, height, width]`: RGB in [0, 1], transmittance; of the photos' size. */
  readonly rendered: GpuBuffer;
  /** Lets blocks that show only background be measured once for each photo; null measures every block. */
  readonly background: Background | null;
  readonly photos: DevicePhotos;
  readonly pairs: readonly ViewPair[];
}

/** Where views show nothing but background. */
export interface Background {
  /** Tile states of the views, as a `Canvas` keeps them. */
  readonly states: GpuBuffer;
  /** A view of an empty scene; null when the photos were measured against one before. */
  readonly blankView: number | null;
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

  /** Compiles the kernels. */
  static async create(gpu: Gpu, profile: MetricProfile): Promise<MetricPass> {
    return new MetricPass(gpu, profile, await metricKernels(gpu, profile));
  }

  /** Uploads photos. Throws BenchError for no photos, unlike sizes, or pictures smaller than the SSIM window. */
  photos(images: readonly Image[], lpips: LpipsPhotos | null = null): DevicePhotos {
    return uploadPhotos(this.#gpu, this.profile, images, lpips);
  }

  /** Plans the measurement of at least one pair; nothing runs before the commands are submitted. */
  measure({ rendered, background, photos, pairs }: MeasureRequest): Measurement {
    const { width, height, store } = photos;
    const { columns, rows, blocks } = blockGrid(width, height);
    const gpu = this.#gpu;
    const owned: GpuBuffer[] = [];
    const own = (buffer: GpuBuffer): GpuBuffer => {
      owned.push(buffer);
      return buffer;
    };
    const table = (pairs: readonly ViewPair[]) =>
      own(gpu.upload("metric pairs", new Uint32Array(pairs.flatMap(({ view, photo }) => [view, photo]))));
    const grid = own(gpu.upload("metric grid", MetricGrid.pack([{ width, height, columns, rows }])));
    const { changedBlocks, blockList, difference, ssim, viewSums } = this.#kernels;
    const blockSums = (count: number, buffers: Record<"pairs" | "lists" | "sums", GpuBuffer>) =>
      [difference, ssim].map((kernel) =>
        kernel.dispatch({ grid, rendered, photos: store.pixels, ...buffers }, [Math.ceil(blocks / 32), count])
      );

    const commands: Command[] = [];
    if (background !== null && !store.blankMeasured) {
      const { blankView } = background;
      if (blankView === null) throw new RangeError("photos were never measured against a blank view");
      const photoNumbers = Array.from({ length: store.count }, (_, photo) => photo);
      const pairs = table(photoNumbers.map((photo) => ({ view: blankView, photo })));
      const lists = own(gpu.upload("all blocks", allBlocks(store.count, blocks)));
      commands.push(...blockSums(store.count, { pairs, lists, sums: store.blank }));
    }
    const pairTable = table(pairs);
    const lists = own(gpu.upload("block lists", allBlocks(pairs.length, blocks)));
    if (background !== null) {
      const changed = own(gpu.buffer("changed blocks", pairs.length * blocks * 4));
      commands.push(
        changedBlocks.dispatch({ grid, pairs: pairTable, states: background.states, changed }, [
          Math.ceil(columns / 8),
          Math.ceil(rows / 8),
          pairs.length,
        ]),
        blockList.dispatch({ grid, pairs: pairTable, changed, lists }, [Math.ceil(pairs.length / 32)]),
      );
    }
    const measured = own(gpu.buffer("block sums", pairs.length * blocks * BlockSums.byteLength));
    const sums = own(gpu.buffer("view sums", pairs.length * BlockSums.byteLength));
    commands.push(
      ...blockSums(pairs.length, { pairs: pairTable, lists, sums: measured }),
      viewSums.dispatch({ grid, pairs: pairTable, lists, measured, blank: store.blank, sums }, [
        Math.ceil(pairs.length / 32),
      ]),
    );
    return {
      commands,
      reads: [sums],
      decode: ([bytes]) => {
        if (background !== null) store.blankMeasured = true;
        return pairs.map((_pair, index) => decodeView(this.profile, photos, bytes, index));
      },
      destroy: () => owned.forEach((buffer) => buffer.destroy()),
    };
  }
}

/** The list of every block, for each of some pairs. */
function allBlocks(pairs: number, blocks: number): Uint32Array {
  const words = new Uint32Array(pairs * (1 + blocks));
  for (let at = 0; at < words.length; at++) {
    const place = at % (1 + blocks);
    words[at] = place === 0 ? blocks : place - 1;
  }
  return words;
}

function decodeView(
  profile: MetricProfile,
  { width, height }: DevicePhotos,
  bytes: ArrayBuffer,
  index: number,
): ViewMetrics {
  const view = new DataView(bytes, index * BlockSums.byteLength, BlockSums.byteLength);
  const { squaredError, dissimilarity, intersection, either } = BlockSums.offsets;
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
