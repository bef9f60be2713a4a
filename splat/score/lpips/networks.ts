/**
 * The feature networks of LPIPS v0.1 (Zhang et al. 2018, arXiv 1801.03924) as lists of layers: the convolutional part of
 * torchvision's AlexNet, VGG-16 and SqueezeNet 1.1, cut where LPIPS looks at the features (always after a ReLU).
 */
import { z } from "zod";

export const lpipsNetSchema = z.enum(["alex", "vgg", "squeeze"]);

export type LpipsNet = z.infer<typeof lpipsNetSchema>;

/** The network of the benchmark's own scores. */
export const SCORE_NET: LpipsNet = "alex";

/** A convolution with bias, followed by a ReLU; `name` is its place in torchvision's `features`. */
export interface Convolution {
  readonly kind: "convolution";
  readonly name: string;
  readonly inputs: number;
  readonly outputs: number;
  /** Side of the square window, pixels. */
  readonly size: number;
  readonly stride: number;
  /** Zeros around the input, pixels. */
  readonly padding: number;
}

/** Greatest value of each `size`² window, every second pixel; `partial` also takes windows that stick out. */
export interface Pool {
  readonly kind: "pool";
  readonly size: number;
  readonly partial: boolean;
}

/** SqueezeNet's module: `squeeze`, whose output goes through both others, whose outputs are put side by side. */
export interface Fire {
  readonly kind: "fire";
  readonly squeeze: Convolution;
  readonly expand1: Convolution;
  readonly expand3: Convolution;
}

/** Where LPIPS compares features. */
export interface Tap {
  readonly kind: "tap";
}

export type Layer = Convolution | Pool | Fire | Tap;

const TAP: Tap = { kind: "tap" };

export const NETWORKS: Readonly<Record<LpipsNet, readonly Layer[]>> = {
  alex: [
    convolution("0", 3, 64, 11, { stride: 4, padding: 2 }),
    TAP,
    pool(3),
    convolution("3", 64, 192, 5),
    TAP,
    pool(3),
    convolution("6", 192, 384, 3),
    TAP,
    convolution("8", 384, 256, 3),
    TAP,
    convolution("10", 256, 256, 3),
    TAP,
  ],
  vgg: [
    convolution("0", 3, 64, 3),
    convolution("2", 64, 64, 3),
    TAP,
    pool(2),
    convolution("5", 64, 128, 3),
    convolution("7", 128, 128, 3),
    TAP,
    pool(2),
    convolution("10", 128, 256, 3),
    convolution("12", 256, 256, 3),
    convolution("14", 256, 256, 3),
    TAP,
    pool(2),
    convolution("17", 256, 512, 3),
    convolution("19", 512, 512, 3),
    convolution("21", 512, 512, 3),
    TAP,
    pool(2),
    convolution("24", 512, 512, 3),
    convolution("26", 512, 512, 3),
    convolution("28", 512, 512, 3),
    TAP,
  ],
  squeeze: [
    convolution("0", 3, 64, 3, { stride: 2, padding: 0 }),
    TAP,
    pool(3, true),
    fire("3", 64, 16, 64),
    fire("4", 128, 16, 64),
    TAP,
    pool(3, true),
    fire("6", 128, 32, 128),
    fire("7", 256, 32, 128),
    TAP,
    pool(3, true),
    fire("9", 256, 48, 192),
    TAP,
    fire("10", 384, 48, 192),
    TAP,
    fire("11", 384, 64, 256),
    TAP,
    fire("12", 512, 64, 256),
    TAP,
  ],
};

/** Every convolution of a network, in the order of its parameters. */
export function convolutions(net: LpipsNet): Convolution[] {
  return NETWORKS[net].flatMap((layer) => {
    if (layer.kind === "convolution") return [layer];
    return layer.kind === "fire" ? [layer.squeeze, layer.expand1, layer.expand3] : [];
  });
}

/** Channels of each tap. */
export function tapChannels(net: LpipsNet): number[] {
  let channels = 0;
  const taps: number[] = [];
  for (const layer of NETWORKS[net]) {
    if (layer.kind === "tap") taps.push(channels);
    if (layer.kind === "convolution") channels = layer.outputs;
    if (layer.kind === "fire") channels = layer.expand1.outputs + layer.expand3.outputs;
  }
  return taps;
}

function convolution(
  name: string,
  inputs: number,
  outputs: number,
  size: number,
  { stride, padding } = { stride: 1, padding: (size - 1) / 2 },
): Convolution {
  return { kind: "convolution", name, inputs, outputs, size, stride, padding };
}

function pool(size: number, partial = false): Pool {
  return { kind: "pool", size, partial };
}

function fire(name: string, inputs: number, squeezed: number, expanded: number): Fire {
  return {
    kind: "fire",
    squeeze: convolution(`${name}.squeeze`, inputs, squeezed, 1),
    expand1: convolution(`${name}.expand1x1`, squeezed, expanded, 1),
    expand3: convolution(`${name}.expand3x3`, squeezed, expanded, 3),
  };
}
