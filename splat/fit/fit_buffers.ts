/** What a fit keeps on the device. */
import { BenchError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import { Canvas, tileCount } from "../render/canvas.ts";
import type { Drawing, RenderPass } from "../render/render_pass.ts";
import type { Scene } from "../scene.ts";
import { DEFAULT_METRICS } from "../score/metric_profile.ts";
import { uploadPhotos } from "../score/photos.ts";
import type { View } from "../task.ts";
import { BAND_HEIGHT, LOSS_BLOCK, LOSS_GRID, SPLAT_GRADIENT } from "./fit_kernels.ts";
import { packParameters } from "./parameters.ts";
import { photoStrips, photoWindows } from "./photo_windows.ts";
import type { FitRecipe } from "./recipe.ts";
import { rateTable, scheduleTable } from "./schedule.ts";

/** Losses of this many steps are kept on the device; the host reads them no more often. */
export const LOSS_PERIOD = 100;

/** Pixels, and how many parts of each kind they fall into. */
export interface FitSizes {
  readonly width: number;
  readonly height: number;
  /** Strips of 4 pixels in a row. */
  readonly columns: number;
  /** Blocks of `differences.wgsl`, bands of `loss_maps.wgsl` above each other. */
  readonly rows: number;
  readonly bands: number;
  /** Tiles of the rasterizer. */
  readonly tiles: number;
}

/** Views that a step sees together. */
export interface Batch {
  readonly drawing: Drawing;
  /** Sizes and weights, one for each view. */
  readonly grids: readonly GpuBuffer[];
}

/** Sizes of a fit to these photos. Throws BenchError for no views, and when the device has no room for the gradient. */
export function fitSizes(gpu: Gpu, views: readonly View[], count: number): FitSizes {
  if (views.length === 0) throw new BenchError({ what: "Cannot fit a scene", why: "there are no photos" });
  const { width, height } = views[0].photo;
  const tiles = tileCount(width, height);
  const bytes = tiles * count * SPLAT_GRADIENT.byteLength;
  const limit = gpu.limits.maxStorageBufferBindingSize;
  if (bytes > limit) {
    throw new BenchError({
      what: `Cannot fit photos of ${width}x${height} pixels`,
      why: `the gradient takes ${bytes} bytes, the device gives ${limit} to one buffer`,
      fix: "Use smaller photos or fewer Gaussians",
    });
  }
  return {
    width,
    height,
    columns: Math.ceil(width / LOSS_BLOCK.width),
    rows: Math.ceil(height / LOSS_BLOCK.height),
    bands: Math.ceil(height / BAND_HEIGHT),
    tiles,
  };
}

/** A drawing of each batch and its table of sizes and weights. */
export function fitBatches(
  gpu: Gpu,
  recipe: FitRecipe,
  render: RenderPass,
  views: readonly View[],
  start: Scene,
  { width, height, columns, rows, bands }: FitSizes,
): Batch[] {
  const groups = recipe.viewsPerStep === "one" ? views.map((_view, k) => [k]) : [[...views.keys()]];
  return groups.map((members) => {
    const weight = 1 / (members.length * width * height * 3);
    const weights = {
      l1: recipe.loss.l1 * weight,
      l2: recipe.loss.l2 * weight,
      dssim: recipe.loss.dssim * weight,
    };
    return {
      drawing: render.draw({
        scenes: [start],
        views: members.map((k) => ({ scene: 0, camera: views[k].camera })),
      }, new Canvas(gpu, width, height, members.length)),
      grids: members.map((photo, view) =>
        gpu.upload(
          "loss grid",
          LOSS_GRID.pack([{ width, height, columns, rows, bands, view, photo, ...weights }]),
        )
      ),
    };
  });
}

/** Buffers that all batches share; `most` is how many views a step sees. */
export function fitBuffers(
  gpu: Gpu,
  recipe: FitRecipe,
  views: readonly View[],
  start: Scene,
  { width, height, columns, rows, bands, tiles }: FitSizes,
) {
  const most = recipe.viewsPerStep === "one" ? 1 : views.length;
  // Made first: it checks the photos.
  const photos = uploadPhotos(gpu, DEFAULT_METRICS, views.map(({ photo }) => photo)).store.pixels;
  const parameters = gpu.upload("parameters", packParameters(start));
  return {
    photos,
    windows: uploadEach(gpu, "photo windows", views, photoWindows, height * columns * 96),
    strips: uploadEach(gpu, "photo strips", views, photoStrips, height * columns * 12),
    /** `Parameters` [count]. */
    parameters,
    /** `Parameters` [count]: the gradient of the last step. */
    gradients: gpu.buffer("gradients", parameters.byteLength),
    moments: gpu.buffer("moments", 2 * parameters.byteLength),
    /** f32 [LOSS_PERIOD]: losses by step modulo the period. */
    losses: gpu.buffer("losses", 4 * LOSS_PERIOD),
    /** vec2f [count]: Σ T alpha, and Σ T alpha |d| with |d| the mean over channels. */
    contributions: gpu.buffer("contributions", start.length * 8),
    /** `SplatGradient` [views of a step, count], and [tiles, count] of one view. */
    sums: gpu.buffer("gradient sums", most * start.length * SPLAT_GRADIENT.byteLength),
    partials: gpu.buffer("partial gradients", tiles * start.length * SPLAT_GRADIENT.byteLength),
    differences: gpu.buffer("differences", most * rows * columns * 8),
    dissimilarity: gpu.buffer("dissimilarity", most * 3 * bands * Math.ceil(columns / 2) * 4),
    computed: gpu.buffer("computed maps", bands * Math.ceil(columns / 2) * 4),
    maps: gpu.buffer("loss maps", height * columns * 9 * 16),
    upstream: gpu.buffer("picture gradient", width * height * 16),
    rates: gpu.upload("rates", rateTable(recipe)),
    schedule: gpu.upload("schedule", scheduleTable(recipe)),
    clock: gpu.buffer("clock", 4),
  };
}

function uploadEach(
  gpu: Gpu,
  label: string,
  views: readonly View[],
  make: (photo: Image) => Float32Array<ArrayBuffer> | Uint8Array<ArrayBuffer>,
  bytesEach: number,
): GpuBuffer {
  const buffer = gpu.buffer(label, views.length * bytesEach);
  for (const [k, { photo }] of views.entries()) buffer.write(make(photo), k * bytesEach);
  return buffer;
}
