/** The forward pipeline: project → rank sort → coarse and fine tile masks → rasterize. */
import type { Gpu } from "../../gpu/device.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Command } from "../../gpu/kernel.ts";
import type { Camera } from "../camera.ts";
import type { Scene } from "../scene.ts";
import type { RenderProfile } from "./profile.ts";
import {
  COARSE_TILE,
  CULLING,
  type Culling,
  FINE_TILE,
  type RenderKernels,
  renderKernels,
} from "./render_kernels.ts";
import { FRAME, GAUSSIAN, packScenes, SPLAT, VIEW, viewRow } from "./structs.ts";

/** Views of one picture size, each of one of some scenes. */
export interface ViewBatch {
  readonly width: number;
  readonly height: number;
  readonly scenes: readonly Scene[];
  readonly views: readonly { readonly scene: number; readonly camera: Camera }[];
}

/** The commands that draw a batch and where the pixels will be. */
export interface Drawing {
  readonly commands: readonly Command[];
  /** vec4f [views, height, width]: RGB in [0, 1], then transmittance. */
  readonly rendered: GpuBuffer;
  /** What the kernels leave for a backward pass; `gaussians` may be written between submits. */
  readonly stages: DrawingStages;
  /** Frees all buffers of the drawing. */
  destroy(): void;
}

/** Buffers between the kernels, laid out as the kernels' headers say. */
export interface DrawingStages {
  readonly frame: GpuBuffer;
  readonly views: GpuBuffer;
  readonly gaussians: GpuBuffer;
  readonly depths: GpuBuffer;
  /** Splats front to back. */
  readonly sorted: GpuBuffer;
  /** Which of them each tile of FINE_TILE blends. */
  readonly fineMasks: GpuBuffer;
}

/** Bytes of `rendered` for each pixel of a view, the largest buffer of a drawing. */
export const BYTES_PER_PIXEL = 16;

/** Bytes of the largest buffer that a batch needs, for each of its views. */
export function viewBytes(width: number, height: number, slots: number): number {
  const tiles = Math.ceil(width / FINE_TILE.width) * Math.ceil(height / FINE_TILE.height);
  return Math.max(
    width * height * BYTES_PER_PIXEL,
    tiles * maskWords(slots) * 4,
    slots * GAUSSIAN.byteLength,
  );
}

/** Kernels of one profile on one device. */
export class RenderPass {
  #gpu: Gpu;
  #profile: RenderProfile;
  #kernels: RenderKernels;

  private constructor(gpu: Gpu, profile: RenderProfile, kernels: RenderKernels) {
    this.#gpu = gpu;
    this.#profile = profile;
    this.#kernels = kernels;
  }

  /** Compiles the kernels of a profile. */
  static async create(gpu: Gpu, profile: RenderProfile, culling: Culling = CULLING): Promise<RenderPass> {
    return new RenderPass(gpu, profile, await renderKernels(gpu, profile, culling));
  }

  /** Uploads a batch and lays out its commands. Throws BenchError on a camera that cannot see. */
  draw(batch: ViewBatch): Drawing {
    const { width, height, views } = batch;
    const firsts = prefixSums(batch.scenes.map((scene) => scene.length));
    const rows = views.map(({ scene, camera }) =>
      viewRow(camera, firsts[scene], batch.scenes[scene].length, this.#profile)
    );
    const slots = Math.max(1, ...batch.scenes.map((scene) => scene.length));
    const words = maskWords(slots);
    const [coarse, fine] = [COARSE_TILE, FINE_TILE].map((tile) =>
      Math.ceil(width / tile.width) * Math.ceil(height / tile.height)
    );

    const gpu = this.#gpu;
    const gaussianBytes = packScenes(batch.scenes);
    const buffers = {
      frame: gpu.upload("frame", FRAME.pack([{ width, height, slots, words }])),
      views: gpu.upload("views", VIEW.pack(rows)),
      gaussians: gaussianBytes.length > 0
        ? gpu.upload("gaussians", gaussianBytes)
        : gpu.buffer("gaussians", GAUSSIAN.byteLength),
      depths: gpu.buffer("depths", views.length * slots * 8),
      projected: gpu.buffer("projected splats", views.length * slots * SPLAT.byteLength),
      sorted: gpu.buffer("sorted splats", views.length * slots * SPLAT.byteLength),
      coarseMasks: gpu.buffer("coarse masks", views.length * words * coarse * 4),
      fineMasks: gpu.buffer("fine masks", views.length * words * fine * 4),
      noMasks: gpu.buffer("no masks", 4),
      rendered: gpu.buffer("rendered", views.length * width * height * BYTES_PER_PIXEL),
    };
    return {
      commands: this.#commands(buffers, views.length, slots, words, coarse, fine),
      rendered: buffers.rendered,
      stages: buffers,
      destroy: () => {
        for (const buffer of Object.values(buffers)) buffer.destroy();
      },
    };
  }

  #commands(
    buffers: Record<BufferName, GpuBuffer>,
    viewCount: number,
    slots: number,
    words: number,
    coarse: number,
    fine: number,
  ): Command[] {
    const { project, rankSort, coarseMasks, fineMasks, rasterize } = this.#kernels;
    const { frame, views, gaussians, depths, projected, sorted, rendered } = buffers;
    const groups = (invocations: number) => [Math.ceil(invocations / 64), viewCount] as const;
    return [
      project.dispatch({ frame, views, gaussians, splats: projected, depths }, groups(slots)),
      rankSort.dispatch({ frame, views, depths, splats: projected, sorted }, groups(slots)),
      coarseMasks.dispatch(
        { frame, views, splats: sorted, parents: buffers.noMasks, masks: buffers.coarseMasks },
        groups(coarse * words),
      ),
      fineMasks.dispatch(
        { frame, views, splats: sorted, parents: buffers.coarseMasks, masks: buffers.fineMasks },
        groups(fine * words),
      ),
      rasterize.dispatch({ frame, splats: sorted, masks: buffers.fineMasks, rendered }, groups(fine)),
    ];
  }
}

type BufferName =
  | "frame"
  | "views"
  | "gaussians"
  | "depths"
  | "projected"
  | "sorted"
  | "coarseMasks"
  | "fineMasks"
  | "noMasks"
  | "rendered";

/** Words of 32 bits that hold a bit for each slot. */
function maskWords(slots: number): number {
  return Math.ceil(slots / 32);
}

function prefixSums(counts: readonly number[]): number[] {
  const sums: number[] = [];
  let sum = 0;
  for (const count of counts) {
    sums.push(sum);
    sum += count;
  }
  return sums;
}
