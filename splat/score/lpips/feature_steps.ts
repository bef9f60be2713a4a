/** Steps of a network with their kernels and weights, ready to run on tensors of any size. */
import { BenchError } from "../../../env/errors.ts";
import type { GpuBuffer } from "../../../gpu/buffer.ts";
import type { Gpu } from "../../../gpu/device.ts";
import type { Command } from "../../../gpu/kernel.ts";
import { type ConvolutionStep, planeLength, type PoolStep, type Step, type Tensor } from "./feature_plan.ts";
import { convolutionKernel, ConvolutionShape, poolKernel, PoolShape } from "./lpips_kernels.ts";
import type { LpipsWeights } from "./lpips_weights.ts";
import { OUTPUTS_AT_ONCE, packedWeights } from "./packed_weights.ts";

export interface LoadedStep {
  /** The step on tensors of some size, `buffers[i]` holding `tensors[i]` of `slots` pictures. */
  bind(tensors: readonly Tensor[], buffers: readonly GpuBuffer[], slots: number): BoundStep;
  destroy(): void;
}

export interface BoundStep {
  /** Runs the step on the first `count` pictures. */
  command(count: number): Command;
  destroy(): void;
}

/** Compiles a step's kernel and uploads its weights. */
export function loadStep(gpu: Gpu, weights: LpipsWeights, step: Step): Promise<LoadedStep> {
  return step.kind === "pool" ? loadPool(gpu, step) : loadConvolution(gpu, weights, step);
}

async function loadPool(gpu: Gpu, { size, from, to }: PoolStep): Promise<LoadedStep> {
  const kernel = await poolKernel(gpu, size);
  return {
    bind(tensors, buffers) {
      const { width, height, channels } = tensors[to];
      const shape = gpu.upload("pool shape", poolShape(tensors[from], tensors[to]));
      const bound = { shape, input: buffers[from], output: buffers[to] };
      const [columns, rows] = [Math.ceil(width / 8), Math.ceil(height / 8)];
      return {
        command: (count) => kernel.dispatch(bound, [columns, rows, count * channels]),
        destroy: () => shape.destroy(),
      };
    },
    destroy() {},
  };
}

async function loadConvolution(
  gpu: Gpu,
  { convolutions }: LpipsWeights,
  step: ConvolutionStep,
): Promise<LoadedStep> {
  const { layer: { name, outputs }, from, to } = step;
  const parameters = convolutions.get(name);
  if (parameters === undefined) {
    throw new BenchError({ what: "Cannot load an LPIPS network", why: `features.${name} is missing` });
  }
  const kernel = await convolutionKernel(gpu, step.size, step.first);
  const weights = gpu.upload(`weights of features.${name}`, packedWeights(step, parameters.weight));
  const bias = gpu.upload(`bias of features.${name}`, parameters.bias);
  return {
    bind(tensors, buffers, slots) {
      const { width, height } = tensors[to];
      const tiles = Math.ceil(width / 4) * Math.ceil(height / 4);
      const shape = gpu.upload("convolution shape", convolutionShape(step, tensors, slots));
      const bound = { shape, input: buffers[from], weights, bias, output: buffers[to] };
      return {
        command: (count) =>
          kernel.dispatch(bound, [Math.ceil(count * tiles / 64), outputs / OUTPUTS_AT_ONCE]),
        destroy: () => shape.destroy(),
      };
    },
    destroy() {
      weights.destroy();
      bias.destroy();
    },
  };
}

function convolutionShape(
  { from, to, channel }: ConvolutionStep,
  tensors: readonly Tensor[],
  views: number,
): Uint8Array {
  const [input, output] = [tensors[from], tensors[to]];
  return ConvolutionShape.pack([{
    views,
    tileColumns: Math.ceil(output.width / 4),
    tileRows: Math.ceil(output.height / 4),
    inputs: input.channels,
    inputStride: input.stride / 4,
    inputPlane: planeLength(input) / 4,
    channels: output.channels,
    channel,
    width: output.width,
    height: output.height,
    outputStride: output.stride,
    outputPlane: planeLength(output),
    outputStart: firstPixel(output),
  }]);
}

function poolShape(input: Tensor, output: Tensor): Uint8Array {
  return PoolShape.pack([{
    inputWidth: input.width,
    inputHeight: input.height,
    inputStride: input.stride,
    inputPlane: planeLength(input),
    inputStart: firstPixel(input),
    width: output.width,
    height: output.height,
    outputStride: output.stride,
    outputPlane: planeLength(output),
    outputStart: firstPixel(output),
  }]);
}

/** Place of pixel (0, 0) in a plane. */
const firstPixel = ({ margin, stride }: Tensor): number => margin * stride + margin;
