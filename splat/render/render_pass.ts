/** The forward pipeline: project → rank sort → coarse and fine tile masks → rasterize. */
import type { Gpu } from "../../gpu/device.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Command, Kernel, KernelSource } from "../../gpu/kernel.ts";
import type { Camera } from "../camera.ts";
import type { Scene } from "../scene.ts";
import type { RenderProfile } from "./profile.ts";
import { FRAME, GAUSSIAN, packScenes, SPLAT, VIEW, viewRow } from "./structs.ts";
import doubleFloatLib from "./double_float_lib.wgsl" with { type: "text" };
import splatLib from "./splat_lib.wgsl" with { type: "text" };
import projectCode from "./project.wgsl" with { type: "text" };
import rankSortCode from "./rank_sort.wgsl" with { type: "text" };
import tileMasksCode from "./tile_masks.wgsl" with { type: "text" };
import rasterizeCode from "./rasterize.wgsl" with { type: "text" };

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
  /** Frees all buffers of the drawing. */
  destroy(): void;
}

/** What may be left out. Only benchmarks and tests change it: pictures must not depend on who asks. */
export interface Culling {
  /** Bound on the sum of the alphas that are left out at a pixel; 0 leaves nothing out. */
  readonly alphaBudget: number;
  /** Transmittance below which a tile is finished. */
  readonly lightBudget: number;
}

/** Together at most 3e-5 a channel, a third of the tolerance against the float64 reference. */
export const CULLING: Culling = { alphaBudget: 2e-5, lightBudget: 1e-5 };

/** Bytes of `rendered` for each pixel of a view, the largest buffer of a drawing. */
export const BYTES_PER_PIXEL = 16;

/** Kernels of one profile on one device. */
export class RenderPass {
  #gpu: Gpu;
  #profile: RenderProfile;
  #kernels: Kernels;

  constructor(gpu: Gpu, profile: RenderProfile, kernels: Kernels) {
    this.#gpu = gpu;
    this.#profile = profile;
    this.#kernels = kernels;
  }

  /** Compiles the kernels of a profile. */
  static async create(gpu: Gpu, profile: RenderProfile, culling: Culling = CULLING): Promise<RenderPass> {
    const sources = kernelSources(profile, culling);
    const [project, rankSort, coarseMasks, fineMasks, rasterize] = await Promise.all(
      sources.map((source) => gpu.kernel(source)),
    );
    return new RenderPass(gpu, profile, { project, rankSort, coarseMasks, fineMasks, rasterize });
  }

  /** Uploads a batch and lays out its commands. Throws BenchError on a camera that cannot see. */
  draw(batch: ViewBatch): Drawing {
    const { width, height, views } = batch;
    const firsts = prefixSums(batch.scenes.map((scene) => scene.length));
    const rows = views.map(({ scene, camera }) =>
      viewRow(camera, firsts[scene], batch.scenes[scene].length, this.#profile)
    );
    const slots = Math.max(1, ...batch.scenes.map((scene) => scene.length));
    const words = Math.ceil(slots / 32);
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

interface Kernels {
  project: Kernel;
  rankSort: Kernel;
  coarseMasks: Kernel;
  fineMasks: Kernel;
  rasterize: Kernel;
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

/** Pixels; a multiple of the fine tile, and a whole number of them fills the 16×16 tiles of the extent rules. */
const COARSE_TILE = { width: 32, height: 32 };
/** What one invocation of rasterize.wgsl owns. */
const FINE_TILE = { width: 8, height: 4 };

const FAR_AWAY = 1e30;

function kernelSources(profile: RenderProfile, culling: Culling): KernelSource[] {
  const folder = "splat/render";
  const splats = { file: `${folder}/splat_lib.wgsl`, code: splatLib };
  const wide = { file: `${folder}/double_float_lib.wgsl`, code: doubleFloatLib };
  // The ellipse of 1/255 is the cut of 1/255: it ends a Gaussian at single pixels, not at tiles.
  const alphaMin = Math.max(profile.alphaMin, profile.extent === "opacity-ellipse" ? 1 / 255 : 0);
  const pixelCenter = profile.pixelCenter;
  const tiles = (tile: typeof COARSE_TILE, parent: typeof COARSE_TILE) => ({
    tile_width: tile.width,
    tile_height: tile.height,
    parent_width: parent.width,
    parent_height: parent.height,
    pixel_center: pixelCenter,
  });
  const masks = {
    name: `${folder}/tile_masks`,
    file: `${folder}/tile_masks.wgsl`,
    code: tileMasksCode,
    structs: [FRAME, VIEW, SPLAT],
    libraries: [splats],
  };
  return [
    {
      name: `${folder}/project`,
      file: `${folder}/project.wgsl`,
      code: projectCode,
      structs: [FRAME, VIEW, GAUSSIAN, SPLAT],
      libraries: [wide],
      constants: {
        dilation: profile.dilation,
        compensate: Number(profile.compensation === "sqrt-det"),
        sort_by_distance: Number(profile.sort === "distance"),
        near: profile.near,
        far: profile.far ?? FAR_AWAY,
        normalize_quaternion: Number(profile.normalizeQuat),
        min_scale: profile.minScale,
        clamp_color: Number(profile.colorClamp),
        skip_singular: Number(profile.detFloor === "skip"),
        det_floor: profile.detFloor === "skip" ? 0 : profile.detFloor,
        pixel_center: pixelCenter,
        extent: EXTENTS[profile.extent],
        alpha_min: 0.999 * alphaMin,
        alpha_budget: culling.alphaBudget,
      },
    },
    {
      name: `${folder}/rank_sort`,
      file: `${folder}/rank_sort.wgsl`,
      code: rankSortCode,
      structs: [FRAME, VIEW, SPLAT],
    },
    { ...masks, constants: tiles(COARSE_TILE, { width: 0, height: 0 }) },
    { ...masks, constants: tiles(FINE_TILE, COARSE_TILE) },
    {
      name: `${folder}/rasterize`,
      file: `${folder}/rasterize.wgsl`,
      code: rasterizeCode,
      structs: [FRAME, SPLAT],
      constants: {
        alpha_max: profile.alphaMax,
        alpha_min: alphaMin,
        t_stop: profile.tStop,
        t_stop_drops: Number(profile.tStopDrops),
        pixel_center: pixelCenter,
        background_red: profile.background[0],
        background_green: profile.background[1],
        background_blue: profile.background[2],
        output_kind: OUTPUTS[profile.output],
        light_budget: culling.lightBudget,
      },
    },
  ];
}

const EXTENTS = { "none": 0, "sigma3-circle": 1, "sigma3.33-rect-opacity": 2, "opacity-ellipse": 0 } as const;
const OUTPUTS = { "float-clamp": 0, "round8": 1, "trunc8": 2 } as const;

function prefixSums(counts: readonly number[]): number[] {
  const sums: number[] = [];
  let sum = 0;
  for (const count of counts) {
    sums.push(sum);
    sum += count;
  }
  return sums;
}
