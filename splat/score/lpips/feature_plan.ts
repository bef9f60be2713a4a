/** Which tensors a network makes of a picture of some size, and by which steps. */
import { BenchError } from "../../../env/errors.ts";
import { type Convolution, type Fire, type Layer, type LpipsNet, NETWORKS, type Pool } from "./networks.ts";

/**
 * Features of one picture, `[channels, rows, stride]` float32: pixel (x, y) lies at row y + margin, column x + margin.
 * What is not a pixel is 0, so a margin serves as the padding of the convolution that reads the tensor.
 */
export interface Tensor {
  readonly channels: number;
  readonly width: number;
  readonly height: number;
  readonly margin: number;
  readonly rows: number;
  /** Floats from row to row, a multiple of 4. */
  readonly stride: number;
}

/**
 * Splits a picture into blocks of `block`² pixels whose colours become channels, which turns a convolution of that
 * stride into one of stride 1. The tensor holds the picture's padding as pixels.
 */
export interface PictureStep {
  readonly block: number;
  /** Zeros above and left of the picture, pixels. */
  readonly padding: number;
  readonly to: number;
}

export interface ConvolutionStep {
  readonly kind: "convolution";
  readonly layer: Convolution;
  /** Side of the window in the tensor `from`. */
  readonly size: number;
  /** Row and column of `from` at which the window of output (0, 0) begins. */
  readonly first: number;
  /** Pixels a side that were made channels of one. */
  readonly block: number;
  readonly from: number;
  readonly to: number;
  /** Channel of `to` that the first output goes to. */
  readonly channel: number;
}

export interface PoolStep {
  readonly kind: "pool";
  readonly size: number;
  readonly from: number;
  readonly to: number;
}

export type Step = ConvolutionStep | PoolStep;

export interface FeaturePlan {
  readonly width: number;
  readonly height: number;
  readonly picture: PictureStep;
  readonly steps: readonly Step[];
  /** `picture.to` and the `from` and `to` of steps are places in it. */
  readonly tensors: readonly Tensor[];
  /** Tensors to compare. */
  readonly taps: readonly number[];
}

/** Throws BenchError when a picture is too small for the network. */
export function planFeatures(net: LpipsNet, width: number, height: number): FeaturePlan {
  const layers = NETWORKS[net].filter(({ kind }) => kind !== "tap");
  const tensors: Tensor[] = [];
  const steps: Step[] = [];
  const taps: number[] = [];
  let picture: PictureStep | undefined;
  let done = 0;
  const add = (tensor: Tensor) => tensors.push(tensor) - 1;
  for (const layer of NETWORKS[net]) {
    const from = tensors.length - 1;
    if (layer.kind === "tap") {
      taps.push(from);
      continue;
    }
    const margin = marginFor(layers[++done]);
    if (layer.kind === "pool") {
      const to = add(pooled(tensors[from], layer, margin));
      steps.push({ kind: "pool", size: layer.size, from, to });
    } else if (layer.kind === "fire") {
      steps.push(...fireSteps(tensors, from, layer, margin));
    } else if (picture === undefined) {
      const { stride: block, padding } = layer;
      const output = convolved({ width, height }, layer, margin);
      const size = Math.ceil(layer.size / block);
      picture = { block, padding, to: add(blocks(output, layer, size)) };
      steps.push({ kind: "convolution", layer, size, first: 0, block, from: 0, to: add(output), channel: 0 });
    } else {
      steps.push(plain(tensors, layer, from, add(convolved(tensors[from], layer, margin)), 0));
    }
  }
  if (picture === undefined || tensors.some((tensor) => !(tensor.width > 0 && tensor.height > 0))) {
    const why = `${width}×${height} pixels leave nothing after its pooling layers`;
    throw new BenchError({ what: `Cannot measure LPIPS with ${net}`, why, fix: "Use larger pictures" });
  }
  return { width, height, picture, steps, tensors, taps };
}

/** Floats of one channel of one picture. */
export const planeLength = ({ rows, stride }: Tensor): number => rows * stride;

/** Bytes of one picture's tensor. */
export const byteLength = (tensor: Tensor): number => 4 * tensor.channels * planeLength(tensor);

/** A tensor's margin is the padding of the layer that reads it, if that is a convolution. */
function marginFor(next: Layer | undefined): number {
  return next?.kind === "convolution" ? next.padding : 0;
}

function fireSteps(tensors: Tensor[], from: number, layer: Fire, margin: number): ConvolutionStep[] {
  const { squeeze, expand1, expand3 } = layer;
  const squeezed = tensors.push(convolved(tensors[from], squeeze, expand3.padding)) - 1;
  const wide = { ...expand1, outputs: expand1.outputs + expand3.outputs };
  const to = tensors.push(convolved(tensors[squeezed], wide, margin)) - 1;
  return [
    plain(tensors, squeeze, from, squeezed, 0),
    plain(tensors, expand1, squeezed, to, 0),
    plain(tensors, expand3, squeezed, to, expand1.outputs),
  ];
}

function plain(
  tensors: readonly Tensor[],
  layer: Convolution,
  from: number,
  to: number,
  channel: number,
): ConvolutionStep {
  const first = tensors[from].margin - layer.padding;
  return { kind: "convolution", layer, size: layer.size, first, block: 1, from, to, channel };
}

function convolved(
  { width, height }: { width: number; height: number },
  { outputs, size, stride, padding }: Convolution,
  margin: number,
): Tensor {
  const side = (n: number) => Math.floor((n + 2 * padding - size) / stride) + 1;
  return tensor(outputs, side(width), side(height), margin);
}

/** What the first convolution reads: each output needs `size` blocks a side. */
function blocks({ width, height }: Tensor, { inputs, stride }: Convolution, size: number): Tensor {
  return tensor(inputs * stride ** 2, width + size - 1, height + size - 1, 0);
}

function pooled({ channels, width, height }: Tensor, { size, partial }: Pool, margin: number): Tensor {
  const round = partial ? Math.ceil : Math.floor;
  const side = (n: number) => round((n - size) / 2) + 1;
  return tensor(channels, side(width), side(height), margin);
}

function tensor(channels: number, width: number, height: number, margin: number): Tensor {
  const stride = Math.ceil((width + 2 * margin) / 4) * 4;
  return { channels, width, height, margin, rows: height + 2 * margin, stride };
}
