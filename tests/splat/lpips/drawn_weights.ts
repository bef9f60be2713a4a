/** Backbones of numpy draws: number for number those of `tests/golden/lpips/generate.py`. */
import { defaultRng } from "../../../analysis/numpy_random.ts";
import {
  assembleWeights,
  type ConvolutionWeights,
  type LpipsWeights,
} from "../../../splat/score/lpips/lpips_weights.ts";
import { convolutions, type LpipsNet } from "../../../splat/score/lpips/networks.ts";
import golden from "../../golden/lpips/golden.json" with { type: "json" };

/** Weights uniform with variance 2 / inputs, biases in ±0.1, layer by layer from one stream. */
export function drawnWeights(net: LpipsNet): LpipsWeights {
  const draws = defaultRng(BigInt(golden.nets[net].seed));
  const drawn = (size: number, bound: number) =>
    Float32Array.from(draws.random(size), (value) => (2 * value - 1) * bound);
  const parameters = convolutions(net).map(
    ({ name, inputs, outputs, size }): [string, ConvolutionWeights] => {
      const fan = inputs * size ** 2;
      return [name, { weight: drawn(outputs * fan, Math.sqrt(6 / fan)), bias: drawn(outputs, 0.1) }];
    },
  );
  return assembleWeights(net, new Map(parameters));
}
