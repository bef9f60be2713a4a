/** A running fit: parameters, Adam's moments and what each step writes, all on the device. */
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import { clear, type Command } from "../../gpu/kernel.ts";
import type { Drawing, RenderPass } from "../render/render_pass.ts";
import type { Scene } from "../scene.ts";
import type { View } from "../task.ts";
import { type Batch, fitBatches, fitBuffers, type FitSizes, fitSizes } from "./fit_buffers.ts";
import type { FitKernels } from "./fit_kernels.ts";
import { PARAMETER_FLOATS, PARAMETERS } from "./parameters.ts";
import type { FitRecipe } from "./recipe.ts";

/** Its methods give commands for the caller to submit, except `replace`, which writes at once. */
export class FitState {
  #recipe: FitRecipe;
  #kernels: FitKernels;
  #count: number;
  #size: FitSizes;
  #buffers: ReturnType<typeof fitBuffers>;
  #batches: Batch[];

  /** Throws BenchError for no views, photos of unlike sizes, ones too small for SSIM or too large for the device. */
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
    this.#size = fitSizes(gpu, views, start.length);
    this.#buffers = fitBuffers(gpu, recipe, views, start, this.#size);
    this.#batches = fitBatches(gpu, recipe, render, views, start, this.#size);
  }

  /** `Parameters` [count]. */
  get parameters(): GpuBuffer {
    return this.#buffers.parameters;
  }

  /** `Parameters` [count]: the gradient of the last step. */
  get gradients(): GpuBuffer {
    return this.#buffers.gradients;
  }

  /** f32 [LOSS_PERIOD]: losses by step modulo the period. */
  get losses(): GpuBuffer {
    return this.#buffers.losses;
  }

  /** vec2f [count]: Σ T alpha, and Σ T alpha |d| with |d| the mean over channels. */
  get contributions(): GpuBuffer {
    return this.#buffers.contributions;
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
    const { parameters, sums, gradients } = this.#buffers;
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
    const { contributions, photos, sums, upstream } = this.#buffers;
    const { errorImage, contributions: addContributions } = this.#kernels;
    const commands: Command[] = [clear(contributions)];
    for (const [batch, { drawing, grids }] of this.#batches.entries()) {
      commands.push(
        ...this.#draw(batch),
        ...grids.flatMap((grid) => [
          errorImage.dispatch(
            { grid, rendered: drawing.canvas.rendered, photos, upstream },
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
    this.#buffers.moments.write(new Uint8Array(2 * bytes), 2 * index * bytes);
  }

  /** One step of Adam along the gradient. */
  descend(): Command[] {
    const { clock, gradients, moments, parameters, rates, schedule } = this.#buffers;
    return [
      this.#kernels.adam.dispatch(
        { clock, schedule, rates, gradients, parameters, moments },
        [Math.ceil(this.#count * PARAMETER_FLOATS / 64)],
      ),
    ];
  }

  /** Records the loss that `forward` measured and counts the step. */
  record(batch: number): Command[] {
    const { clock, differences, dissimilarity, losses } = this.#buffers;
    const [grid] = this.#batches[batch].grids;
    return [
      this.#kernels.lossSum.dispatch({ grid, differences, dissimilarity, losses, clock }, [1]),
    ];
  }

  /** Sets the count of steps to 0: the next loss is recorded first. */
  restartRecord(): Command {
    return clear(this.#buffers.clock);
  }

  /** One whole step. */
  step(batch: number): Command[] {
    return [...this.gradient(batch), ...this.descend(), ...this.record(batch)];
  }

  destroy(): void {
    for (const buffer of Object.values(this.#buffers)) buffer.destroy();
    for (const { drawing, grids } of this.#batches) {
      drawing.destroy();
      drawing.canvas.destroy();
      for (const grid of grids) grid.destroy();
    }
  }

  /** Pictures of a batch and their differences from the photos. */
  #draw(batch: number): Command[] {
    const { drawing: { commands, canvas: { rendered }, stages }, grids } = this.#batches[batch];
    const { differences, photos } = this.#buffers;
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

  #lossMaps({ canvas: { rendered } }: Drawing, grid: GpuBuffer): Command[] {
    if (this.#recipe.loss.dssim === 0) return [];
    const { computed, differences, dissimilarity, maps, strips, windows } = this.#buffers;
    const { columns, bands } = this.#size;
    return [
      this.#kernels.lossMaps.dispatch(
        { grid, rendered, strips, windows, differences, maps, computed, dissimilarity },
        [Math.ceil(columns / 16), bands, 3],
      ),
    ];
  }

  #pictureGradient({ canvas: { rendered }, stages }: Drawing, grid: GpuBuffer): Command[] {
    const { computed, maps, photos, upstream } = this.#buffers;
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
    const { upstream, partials, sums } = this.#buffers;
    const { frame, views, depths, sorted: splats, fineMasks: masks } = stages;
    return [
      this.#kernels.rasterizeBackward.dispatch(
        { frame, grid, splats, masks, upstream, partials },
        [Math.ceil(this.#size.tiles / 64)],
      ),
      this.#kernels.gather.dispatch(
        { frame, grid, views, depths, splats, masks, partials, sums },
        [Math.ceil(this.#count / 64)],
      ),
    ];
  }
}
