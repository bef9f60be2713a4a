/** The kernels of the forward pipeline, set up for a profile. */
import type { Gpu } from "../../gpu/device.ts";
import type { Kernel, KernelSource } from "../../gpu/kernel.ts";
import { TILE, TILE_STATE } from "./canvas.ts";
import type { RenderProfile } from "./profile.ts";
import { FRAME, GAUSSIAN, SPLAT, VIEW } from "./structs.ts";
import doubleFloatLib from "./double_float_lib.wgsl" with { type: "text" };
import splatLib from "./splat_lib.wgsl" with { type: "text" };
import projectCode from "./project.wgsl" with { type: "text" };
import rankSortCode from "./rank_sort.wgsl" with { type: "text" };
import tileMasksCode from "./tile_masks.wgsl" with { type: "text" };
import rasterizeCode from "./rasterize.wgsl" with { type: "text" };

/** What may be left out. Only benchmarks and tests change it: pictures must not depend on who asks. */
export interface Culling {
  /** Bound on the sum of the alphas that are left out at a pixel; 0 leaves nothing out. */
  readonly alphaBudget: number;
  /** Transmittance below which a tile is finished. */
  readonly lightBudget: number;
}

/** Together at most 3e-5 a channel, a third of the tolerance against the float64 reference. */
export const CULLING: Culling = { alphaBudget: 2e-5, lightBudget: 1e-5 };

/** Pixels; a multiple of a canvas tile, and a whole number of them fills the 16×16 tiles of the extent rules. */
export const COARSE_TILE = { width: 32, height: 32 };

/** In the order they run. */
export interface RenderKernels {
  readonly project: Kernel;
  readonly rankSort: Kernel;
  readonly coarseMasks: Kernel;
  readonly fineMasks: Kernel;
  readonly rasterize: Kernel;
}

/** Compiles the kernels of a profile. */
export async function renderKernels(
  gpu: Gpu,
  profile: RenderProfile,
  culling: Culling,
): Promise<RenderKernels> {
  const [project, rankSort, coarseMasks, fineMasks, rasterize] = await Promise.all(
    kernelSources(profile, culling).map((source) => gpu.kernel(source)),
  );
  return { project, rankSort, coarseMasks, fineMasks, rasterize };
}

const FAR_AWAY = 1e30;

type TileSize = Readonly<Record<"width" | "height", number>>;

function kernelSources(profile: RenderProfile, culling: Culling): KernelSource[] {
  const folder = "splat/render";
  const splats = { file: `${folder}/splat_lib.wgsl`, code: splatLib };
  const wide = { file: `${folder}/double_float_lib.wgsl`, code: doubleFloatLib };
  // The ellipse of 1/255 is the cut of 1/255: it ends a Gaussian at single pixels, not at tiles.
  const alphaMin = Math.max(profile.alphaMin, profile.extent === "opacity-ellipse" ? 1 / 255 : 0);
  const pixelCenter = profile.pixelCenter;
  const tiles = (tile: TileSize, parent: TileSize) => ({
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
    { ...masks, constants: tiles(TILE, COARSE_TILE) },
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
        state_background: TILE_STATE.background,
        state_drawn: TILE_STATE.drawn,
      },
    },
  ];
}

const EXTENTS = { "none": 0, "sigma3-circle": 1, "sigma3.33-rect-opacity": 2, "opacity-ellipse": 0 } as const;
const OUTPUTS = { "float-clamp": 0, "round8": 1, "trunc8": 2 } as const;
