/** The numbers behind LPIPS: a trained network, and how much each of its channels counts. */
import { BenchError } from "../../../env/errors.ts";
import { sha256 } from "../../../env/hash.ts";
import linWeights from "./lin_weights.json" with { type: "json" };
import { type Convolution, convolutions, type LpipsNet, tapChannels } from "./networks.ts";
import { orderedWeight, parameterNames } from "./parameter_names.ts";
import type { TensorFile, TensorValues } from "./tensor_file.ts";

export interface LpipsWeights {
  readonly net: LpipsNet;
  /** By the convolution's name in torchvision's `features`. */
  readonly convolutions: ReadonlyMap<string, ConvolutionWeights>;
  /** Non-negative weights of the channels, one array a tap. */
  readonly lins: readonly Float32Array[];
  /** Hash of all of these numbers, whatever file they came from. */
  readonly sha256: string;
}

export interface ConvolutionWeights {
  /** `[outputs, inputs, size, size]`. */
  readonly weight: Float32Array;
  /** `[outputs]`. */
  readonly bias: Float32Array;
}

/**
 * Takes a network out of a file; the weights of the taps come with the program.
 *
 * @throws BenchError when layers are missing, of another shape or not finite, or when the file holds other weights of
 *   the taps than LPIPS v0.1
 */
export async function readLpipsWeights(net: LpipsNet, file: TensorFile): Promise<LpipsWeights> {
  const layers = convolutions(net);
  const names = parameterNames(net, file.shapes.keys());
  const missing = layers.filter(({ name }) => !names.has(name));
  if (missing.length > 0) throw unfit(net, `it lacks the layer features.${missing[0].name}`);
  const tensors = await file.read([...names.values()].flatMap(({ weight, bias }) => [weight, bias]));
  const read = layers.map((layer): [string, ConvolutionWeights] => {
    const found = names.get(layer.name);
    const [weight, bias] = [tensors.get(found?.weight ?? ""), tensors.get(found?.bias ?? "")];
    if (found === undefined || weight === undefined || bias === undefined) {
      throw unfit(net, `it lacks the layer features.${layer.name}`);
    }
    return [layer.name, checkedConvolution(net, layer, orderedWeight(layer, found.layout, weight), bias)];
  });
  await checkOwnLins(net, file);
  return assembleWeights(net, new Map(read));
}

/** Weights from parameters in memory, with the weights of the taps that come with the program. */
export function assembleWeights(
  net: LpipsNet,
  parameters: ReadonlyMap<string, ConvolutionWeights>,
): LpipsWeights {
  const lins = lpipsLins(net);
  const values = [...parameters].flatMap((
    [name, { weight, bias }],
  ) => [name, bytesOf(weight), bytesOf(bias)]);
  return { net, convolutions: parameters, lins, sha256: sha256(net, ...values, ...lins.map(bytesOf)) };
}

/** Weights of the channels in LPIPS v0.1, one array a tap. Throws BenchError when they are damaged. */
export function lpipsLins(net: LpipsNet): Float32Array[] {
  const lins = linWeights[net].map((text) => {
    const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Float32Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(4 * at, true));
  });
  const counts = tapChannels(net);
  const fine = lins.length === counts.length &&
    lins.every((lin, tap) =>
      lin.length === counts[tap] && lin.every((value) => value >= 0 && Number.isFinite(value))
    );
  if (!fine) throw unfit(net, "the weights of its taps are damaged");
  return lins;
}

/** The tensors under torchvision's names, as a file of our own holds them. */
export function namedTensors({ net, convolutions: parameters }: LpipsWeights): Map<string, TensorValues> {
  const tensors = new Map<string, TensorValues>();
  for (const { name, inputs, outputs, size } of convolutions(net)) {
    const { weight, bias } = parameters.get(name) ?? { weight: [], bias: [] };
    const shape = [outputs, inputs, size, size];
    tensors.set(`features.${name}.weight`, { shape, values: Float32Array.from(weight) });
    tensors.set(`features.${name}.bias`, { shape: [outputs], values: Float32Array.from(bias) });
  }
  return tensors;
}

function checkedConvolution(
  net: LpipsNet,
  { name, outputs }: Convolution,
  weight: Float32Array | null,
  bias: TensorValues,
): ConvolutionWeights {
  const layer = `the layer features.${name}`;
  if (weight === null || bias.values.length !== outputs) throw unfit(net, `${layer} has another shape`);
  if (!weight.every(Number.isFinite) || !bias.values.every(Number.isFinite)) {
    throw unfit(net, `${layer} has numbers that are not finite`);
  }
  if (weight.every((value) => value === 0)) throw unfit(net, `${layer} is all zeros`);
  return { weight, bias: bias.values };
}

/** A file of the whole of LPIPS also holds weights of the taps; other ones are another metric. */
async function checkOwnLins(net: LpipsNet, file: TensorFile): Promise<void> {
  for (const [tap, lin] of lpipsLins(net).entries()) {
    const name = [...file.shapes.keys()].find((name) => OWN_LIN.exec(name)?.[1] === String(tap));
    if (name === undefined) continue;
    const values = (await file.read([name])).get(name)?.values ?? new Float32Array();
    if (values.length !== lin.length || values.some((value, channel) => value !== lin[channel])) {
      throw unfit(net, `its ${name} is not that of LPIPS v0.1`);
    }
  }
}

const OWN_LIN = /^lins?\.?(\d)\.model\.1\.weight$/;

function bytesOf({ buffer, byteOffset, byteLength }: Float32Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}

function unfit(net: LpipsNet, why: string): BenchError {
  return new BenchError({
    what: `Cannot use these weights for LPIPS with ${net}`,
    why,
    fix: "Get the right ones with `bench fetch weights`",
  });
}
