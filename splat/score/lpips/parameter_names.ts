/** Where the parameters of a network lie in files of different makers. */
import { type Convolution, convolutions, type LpipsNet } from "./networks.ts";
import type { TensorValues } from "./tensor_file.ts";

/** A convolution's tensors in a file. */
export interface ParameterNames {
  readonly weight: string;
  readonly bias: string;
  /** Order of the weight's axes: output, input, row, column, or row, column, input, output. */
  readonly layout: "OIHW" | "HWIO";
}

/**
 * Names of the tensors of each convolution, by its name in torchvision's `features`; those not found are left out.
 *
 * Two ways of naming are known: torch's (`features.3.weight`; `slice2.3.weight` in the lpips package; or without the
 * first part), and Flax's (`conv2.kernel`; `conv3.conv.layers.2.kernel` for the parts of a VGG block), whose n-th
 * convolution is the network's n-th.
 */
export function parameterNames(net: LpipsNet, names: Iterable<string>): Map<string, ParameterNames> {
  const all = [...names];
  const wanted = convolutions(net).map(({ name }) => name);
  const torch = all.flatMap((name) => {
    const match = TORCH.exec(name);
    return match !== null && wanted.includes(match[2]) ? [[match[2], `${match[1]}${match[2]}`] as const] : [];
  });
  if (torch.length > 0) {
    return new Map(torch.map(([convolution, prefix]) => [
      convolution,
      { weight: `${prefix}.weight`, bias: `${prefix}.bias`, layout: "OIHW" },
    ]));
  }
  const flax = all.flatMap((name) => {
    const match = FLAX.exec(name);
    return match === null ? [] : [{ prefix: match[1], block: Number(match[2]), part: Number(match[3] ?? 0) }];
  }).sort((a, b) => a.block - b.block || a.part - b.part);
  return new Map(
    flax.slice(0, wanted.length).map(({ prefix }, at) => [
      wanted[at],
      { weight: `${prefix}.kernel`, bias: `${prefix}.bias`, layout: "HWIO" },
    ]),
  );
}

/** A weight as `[outputs, inputs, size, size]`; null when its shape is not the layer's. */
export function orderedWeight(
  { inputs, outputs, size }: Convolution,
  layout: ParameterNames["layout"],
  { shape, values }: TensorValues,
): Float32Array | null {
  const wanted = layout === "OIHW" ? [outputs, inputs, size, size] : [size, size, inputs, outputs];
  if (shape.length !== 4 || shape.some((side, axis) => side !== wanted[axis])) return null;
  if (layout === "OIHW") return values;
  const ordered = new Float32Array(values.length);
  const places = size * size;
  for (let from = 0; from < values.length; from++) {
    const output = from % outputs;
    const input = Math.floor(from / outputs) % inputs;
    const place = Math.floor(from / (outputs * inputs));
    ordered[(output * inputs + input) * places + place] = values[from];
  }
  return ordered;
}

/** A classifier's layers have numbers, too; their names are told by what stands before. */
const TORCH = /^((?:(?:.*\.)?(?:features|slice\d+)\.)?)(\d+(?:\.(?:squeeze|expand1x1|expand3x3))?)\.weight$/;
const FLAX = /^((?:.*\.)?conv(\d+)(?:\.conv\.layers\.(\d+))?)\.kernel$/;
