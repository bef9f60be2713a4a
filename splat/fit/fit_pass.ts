/** The device side of a fit: draw → loss → gradient of the picture → gradient of the parameters → Adam. */
import { BenchError } from "../../env/errors.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import { clear, type Command } from "../../gpu/kernel.ts";
import { FINE_TILE } from "../render/render_kernels.ts";
import { type Drawing, RenderPass } from "../render/render_pass.ts";
import type { Culling } from "../render/render_kernels.ts";
import type { Scene } from "../scene.ts";
import { BLOCK } from "../score/metric_kernels.ts";
import { DEFAULT_METRICS } from "../score/metric_profile.ts";
import { uploadPhotos } from "../score/photos.ts";
import type { View } from "../task.ts";
import {
  ADAM,
  BAND_HEIGHT,
  FIT_CULLING,
  type FitKernels,
  fitKernels,
  LOSS_GRID,
  SPLAT_GRADIENT,
} from "./fit_kernels.ts";
import { packParameters, PARAMETER_FLOATS, PARAMETER_PLACES, PARAMETERS } from "./parameters.ts";
import { photoWindows } from "./photo_windows.ts";
import type { FitRecipe } from "./recipe.ts";

/** Losses of this many steps are kept on the device; the host reads them no more often. */
export const LOSS_PERIOD = 100;

/** Kernels of one recipe on one device. */
export class FitPass {
  #gpu: Gpu;
  #recipe: FitRecipe;
  #render: RenderPass;
  #kernels: FitKernels;

  private constructor(gpu: Gpu, recipe: FitRecipe, render: RenderPass, kernels: FitKernels) {
    this.#gpu = gpu;
    this.#recipe = recipe;
    this.#render = render;
    this.#kernels = kernels;
  }

  /** Compiles the kernels. Descent runs on unrounded colours, whatever the profile's pictures are rounded to. */
  static async create(gpu: Gpu, recipe: FitRecipe, culling: Culling = FIT_CULLING): Promise<FitPass> {
    const [render, kernels] = await Promise.all([
      RenderPass.create(gpu, { ...recipe.render, output: "float-clamp" }, culling),
      fitKernels(gpu, recipe, culling),
    ]);
    return new FitPass(gpu, recipe, render, kernels);
  }

  /** Uploads views and a scene to start from. Throws BenchError for no views, unlike sizes, or pictures too large. */
  open(views: readonly View[], start: Scene): FitState {
    return new FitState(this.#gpu, this.#recipe, this.#render, this.#kernels, views, start);
  }
}

/** Parameters, Adam's moments and what each step writes, all on the device. */
export class FitState {
  /** `Parameters` [count]. */
  readonly parameters: GpuBuffer;
  /** `Parameters` [count]: the gradient of the last step. */
  readonly gradients: GpuBuffer;
  /** f32 [LOSS_PERIOD]: losses by step modulo the period. */
  readonly losses: GpuBuffer;
  /** vec2f [count]: Σ T alpha, and Σ T alpha |d| with |d| the mean over channels. */
  readonly contributions: GpuBuffer;
  /** `SplatGradient` [views of a step, count]. */
  readonly sums: GpuBuffer;
  #recipe: FitRecipe;
  #kernels: FitKernels;
  #count: number;
  #size: { width: number; height: number; columns: number; rows: number; bands: number; tiles: number };
  #shared: Record<SharedName, GpuBuffer>;
  #batches: Batch[];

  constructor(
    gpu: Gpu,
    recipe: FitRecipe,
    render: RenderPass,
    kernels: FitKernels,
    views: readonly View[],
    start: Scene,
  ) {
    this.#recipe = recipe;
    this.#kernels = kernels;
    this.#count = start.length;
    const photos = uploadPhotos(gpu, DEFAULT_METRICS, views.map(({ photo }) => photo));
    const { width, height } = photos;
    const columns = Math.ceil(width / BLOCK.width);
    const rows = Math.ceil(height / BLOCK.height);
    const bands = Math.ceil(height / BAND_HEIGHT);
    const tiles = Math.ceil(width / FINE_TILE.width) * Math.ceil(height / FINE_TILE.height);
    this.#size = { width, height, columns, rows, bands, tiles };
    const groups = recipe.viewsPerStep === "one" ? views.map((_view, k) => [k]) : [[...views.keys()]];
    const most = groups[0].length;
    const partials = tiles * start.length * SPLAT_GRADIENT.byteLength;
    checkRoom(partials, gpu.limits.maxStorageBufferBindingSize, width, height);

    this.parameters = gpu.upload("parameters", packParameters(start));
    this.gradients = gpu.buffer("gradients", this.parameters.byteLength);
    this.losses = gpu.buffer("losses", 4 * LOSS_PERIOD);
    this.contributions = gpu.buffer("contributions", start.length * 8);
    this.sums = gpu.buffer("gradient sums", most * start.length * SPLAT_GRADIENT.byteLength);
    this.#shared = {
      photos: photos.buffer,
      windows: uploadWindows(gpu, views, height * columns * 96),
      differences: gpu.buffer("differences", most * rows * columns * 8),
      dissimilarity: gpu.buffer("dissimilarity", most * bands * columns * 4),
      computed: gpu.buffer("computed maps", bands * columns * 4),
      maps: gpu.buffer("loss maps", height * columns * 9 * 16),
      upstream: gpu.buffer("picture gradient", width * height * 16),
      partials: gpu.buffer("partial gradients", partials),
      moments: gpu.buffer("moments", this.parameters.byteLength * 2),
      rates: gpu.upload("rates", rateTable(recipe)),
      schedule: gpu.upload("schedule", scheduleTable(recipe)),
      clock: gpu.buffer("clock", 4),
    };
    const weight = 1 / (most * width * height * 3);
    this.#batches = groups.map((members) => ({
      drawing: render.draw({
        width,
        height,
        scenes: [start],
        views: members.map((k) => ({ scene: 0, camera: views[k].camera })),
      }),
      grids: members.map((photo, view) =>
        gpu.upload(
          "loss grid",
          LOSS_GRID.pack([{
            width,
            height,
            columns,
            rows,
            bands,
            view,
            photo,
            l1: recipe.loss.l1 * weight,
            l2: recipe.loss.l2 * weight,
            dssim: recipe.loss.dssim * weight,
          }]),
        )
      ),
    }));
  }

  /** How many different steps there are: one for each view, or a single one that sees all. */
  get batches(): number {
    return this.#batches.length;
  }

  /** Draws the views of a batch and measures the loss. */
  forward(batch: number): Command[] {
    const { grids, drawing } = this.#batches[batch];
    return [...this.#draw(batch), ...grids.flatMap((grid) => this.#lossMaps(drawing, grid))];
  }

  /** Draws the views of a batch, measures the loss, and finds its gradient by the parameters. */
  gradient(batch: number): Command[] {
    const { grids, drawing } = this.#batches[batch];
    const { parameters, sums, gradients } = this;
    return [
      ...this.#draw(batch),
      ...grids.flatMap((grid) => [
        ...this.#lossMaps(drawing, grid),
        ...this.#pictureGradient(drawing, grid),
        ...this.#splatGradients(drawing, grid),
      ]),
      this.#kernels.projectBackward.dispatch(
        { views: drawing.stages.views, parameters, sums, gradients },
        [Math.ceil(this.#count / 64)],
      ),
    ];
  }

  /**
   * What each Gaussian adds to the pictures of all batches, into `contributions`. The sums by colour of the backward walk
   * are sums of T alpha g, so a "gradient" of 1 in red and |d| in green gives both numbers at once.
   */
  measureContributions(): Command[] {
    const { photos, upstream } = this.#shared;
    const { contributions, sums } = this;
    const { errorImage, contributions: addContributions } = this.#kernels;
    const commands: Command[] = [clear(contributions)];
    for (const [batch, { drawing, grids }] of this.#batches.entries()) {
      commands.push(
        ...this.#draw(batch),
        ...grids.flatMap((grid) => [
          errorImage.dispatch(
            { grid, rendered: drawing.rendered, photos, upstream },
            [Math.ceil(this.#size.width * this.#size.height / 64)],
          ),
          ...this.#splatGradients(drawing, grid),
        ]),
        addContributions.dispatch({ sums, contributions }, [Math.ceil(this.#count / 64)]),
      );
    }
    return commands;
  }

  /** Puts other parameters in a Gaussian's place and forgets how it moved. */
  replace(index: number, parameters: Float32Array): void {
    const bytes = PARAMETERS.byteLength;
    this.parameters.write(parameters, index * bytes);
    this.#shared.moments.write(new Uint8Array(2 * bytes), 2 * index * bytes);
  }

  /** One step of Adam along the gradient. */
  descend(): Command[] {
    const { clock, moments, rates, schedule } = this.#shared;
    const { gradients, parameters } = this;
    return [
      this.#kernels.adam.dispatch(
        { clock, schedule, rates, gradients, parameters, moments },
        [Math.ceil(this.#count * PARAMETER_FLOATS / 64)],
      ),
    ];
  }

  /** Records the loss that `forward` measured and counts the step. */
  record(batch: number): Command[] {
    const { clock, differences, dissimilarity } = this.#shared;
    const [grid] = this.#batches[batch].grids;
    return [
      this.#kernels.lossSum.dispatch({ grid, differences, dissimilarity, losses: this.losses, clock }, [1]),
    ];
  }

  /** Sets the count of steps to 0: the next loss is recorded first. */
  restartRecord(): Command {
    return clear(this.#shared.clock);
  }

  /** One whole step. */
  step(batch: number): Command[] {
    return [...this.gradient(batch), ...this.descend(), ...this.record(batch)];
  }

  destroy(): void {
    const own = [
      this.parameters,
      this.gradients,
      this.losses,
      this.contributions,
      this.sums,
      ...Object.values(this.#shared),
    ];
    for (const buffer of own) buffer.destroy();
    for (const { drawing, grids } of this.#batches) {
      drawing.destroy();
      for (const grid of grids) grid.destroy();
    }
  }

  /** Pictures of a batch and their differences from the photos. */
  #draw(batch: number): Command[] {
    const { drawing: { commands, rendered, stages }, grids } = this.#batches[batch];
    const { differences, photos } = this.#shared;
    const { columns, rows } = this.#size;
    return [
      this.#kernels.activate.dispatch(
        { parameters: this.parameters, gaussians: stages.gaussians },
        [Math.ceil(this.#count / 64)],
      ),
      ...commands,
      this.#kernels.differences.dispatch(
        { grid: grids[0], rendered, photos, differences },
        [Math.ceil(columns / 8), Math.ceil(rows / 4), grids.length],
      ),
    ];
  }

  #lossMaps({ rendered }: Drawing, grid: GpuBuffer): Command[] {
    if (this.#recipe.loss.dssim === 0) return [];
    const { computed, differences, dissimilarity, maps, photos, windows } = this.#shared;
    const { columns, bands } = this.#size;
    return [
      this.#kernels.lossMaps.dispatch(
        { grid, rendered, photos, windows, differences, maps, computed, dissimilarity },
        [Math.ceil(columns / 8), Math.ceil(bands / 4)],
      ),
    ];
  }

  #pictureGradient({ rendered, stages }: Drawing, grid: GpuBuffer): Command[] {
    const { computed, maps, photos, upstream } = this.#shared;
    const { frame, fineMasks: masks } = stages;
    return [
      this.#kernels.lossGradient.dispatch(
        { grid, rendered, photos, computed, maps, frame, masks, upstream },
        [Math.ceil(this.#size.tiles / 64)],
      ),
    ];
  }

  /** Sums by Gaussian of a view, from `upstream`. */
  #splatGradients({ stages }: Drawing, grid: GpuBuffer): Command[] {
    const { upstream, partials } = this.#shared;
    const { frame, views, depths, sorted: splats, fineMasks: masks } = stages;
    return [
      this.#kernels.rasterizeBackward.dispatch(
        { frame, grid, splats, masks, upstream, partials },
        [Math.ceil(this.#size.tiles / 64)],
      ),
      this.#kernels.gather.dispatch(
        { frame, grid, views, depths, splats, masks, partials, sums: this.sums },
        [Math.ceil(this.#count / 64)],
      ),
    ];
  }
}

/** Views that a step sees together. */
interface Batch {
  readonly drawing: Drawing;
  /** Sizes and weights, one for each view. */
  readonly grids: readonly GpuBuffer[];
}

type SharedName =
  | "photos"
  | "windows"
  | "differences"
  | "dissimilarity"
  | "maps"
  | "computed"
  | "upstream"
  | "partials"
  | "moments"
  | "rates"
  | "schedule"
  | "clock";

function uploadWindows(gpu: Gpu, views: readonly View[], bytesEach: number): GpuBuffer {
  const buffer = gpu.buffer("photo windows", views.length * bytesEach);
  for (const [k, { photo }] of views.entries()) buffer.write(photoWindows(photo), k * bytesEach);
  return buffer;
}

/** Step size by a float's place in its record. */
function rateTable({ rates }: FitRecipe): Float32Array<ArrayBuffer> {
  const table = new Float32Array(PARAMETERS.byteLength / 4);
  for (const place of PARAMETER_PLACES.mean) table[place] = rates.mean;
  for (const place of PARAMETER_PLACES.opacity) table[place] = rates.opacity;
  for (const place of PARAMETER_PLACES.logScale) table[place] = rates.logScale;
  for (const place of PARAMETER_PLACES.quaternion) table[place] = rates.quaternion;
  for (const place of PARAMETER_PLACES.color) table[place] = rates.color;
  return table;
}

/** By step: factor of the means' rate, of the others', and Adam's two corrections. */
function scheduleTable({ steps, rateDecay, rateFloor }: FitRecipe): Float32Array<ArrayBuffer> {
  const table = new Float32Array(steps * 4);
  for (let step = 0; step < steps; step++) {
    const factor = rateDecay ** (step / steps);
    table[step * 4] = factor;
    table[step * 4 + 1] = Math.max(rateFloor, factor);
    table[step * 4 + 2] = 1 / (1 - ADAM.beta1 ** (step + 1));
    table[step * 4 + 3] = 1 / (1 - ADAM.beta2 ** (step + 1));
  }
  return table;
}

function checkRoom(bytes: number, limit: number, width: number, height: number): void {
  if (bytes <= limit) return;
  throw new BenchError({
    what: `Cannot fit photos of ${width}x${height} pixels`,
    why: `the gradient takes ${bytes} bytes, the device gives ${limit} to one buffer`,
    fix: "Use smaller photos or fewer Gaussians",
  });
}
