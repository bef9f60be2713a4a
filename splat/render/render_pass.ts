/** The forward pipeline: project → rank sort → coarse and fine tile masks → rasterize. */
import type { Gpu } from "../../gpu/device.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Command } from "../../gpu/kernel.ts";
import type { Camera } from "../camera.ts";
import type { Scene } from "../scene.ts";
import { BYTES_PER_PIXEL, type Canvas, tileCount } from "./canvas.ts";
import type { RenderProfile } from "./profile.ts";
import { COARSE_TILE, CULLING, type Culling, type RenderKernels, renderKernels } from "./render_kernels.ts";
import { FRAME, GAUSSIAN, packScenes, SPLAT, VIEW, viewRow } from "./structs.ts";

/** Views of the canvas's size, each of one of some scenes. */
export interface ViewBatch {
  readonly scenes: readonly Scene[];
  readonly views: readonly { readonly scene: number; readonly camera: Camera }[];
}

/** The commands that draw a batch, and what they draw it on. */
export interface Drawing {
  readonly commands: readonly Command[];
  readonly canvas: Canvas;
  /** What the kernels leave for a backward pass; `gaussians` may be written between submits. */
  readonly stages: DrawingStages;
  /** Frees what only the drawing needed; the canvas stays. */
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
  /** Which of them each tile blends. */
  readonly fineMasks: GpuBuffer;
}

/** Bytes of the largest buffer that a batch needs, for each of its views. */
export function viewBytes(width: number, height: number, slots: number): number {
  return Math.max(
    width * height * BYTES_PER_PIXEL,
    tileCount(width, height) * maskWords(slots) * 4,
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
  draw(batch: ViewBatch, canvas: Canvas): Drawing {
    const { views } = batch;
    const { width, height } = canvas;
    const firsts = prefixSums(batch.scenes.map((scene) => scene.length));
    const rows = views.map(({ scene, camera }) =>
      viewRow(camera, firsts[scene], batch.scenes[scene].length, this.#profile)
    );
    const slots = Math.max(1, ...batch.scenes.map((scene) => scene.length));
    const words = maskWords(slots);
    const coarse = Math.ceil(width / COARSE_TILE.width) * Math.ceil(height / COARSE_TILE.height);
    const fine = tileCount(width, height);

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
    };
    return {
      commands: this.#commands(buffers, canvas, views.length, slots, words, coarse, fine),
      canvas,
      stages: buffers,
      destroy: () => {
        for (const buffer of Object.values(buffers)) buffer.destroy();
      },
    };
  }

  #commands(
    buffers: Record<BufferName, GpuBuffer>,
    { rendered, states }: Canvas,
    viewCount: number,
    slots: number,
    words: number,
    coarse: number,
    fine: number,
  ): Command[] {
    const { project, rankSort, coarseMasks, fineMasks, rasterize } = this.#kernels;
    const { frame, views, gaussians, depths, projected, sorted } = buffers;
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
      rasterize.dispatch({ frame, splats: sorted, masks: buffers.fineMasks, rendered, states }, groups(fine)),
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
  | "noMasks";

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
