/** A convolution's weights as `convolution.wgsl` reads them. */
import type { ConvolutionStep } from "./feature_plan.ts";

/** Output channels that one invocation makes. */
export const OUTPUTS_AT_ONCE = 8;

/**
 * `[outputs / 8, inputs · block², window, window, 8]` from `[outputs, inputs, size, size]`.
 *
 * With blocks, place (y, x) of the window becomes place (y / block, x / block) of a smaller window and channel
 * c · block² + (y mod block) · block + x mod block; places beyond the old window weigh 0.
 */
export function packedWeights(
  { layer: { inputs, outputs, size: from }, size: to, block }: ConvolutionStep,
  weight: Float32Array,
): Float32Array {
  const channels = inputs * block ** 2;
  const packed = new Float32Array(outputs * channels * to ** 2);
  let at = 0;
  for (let output = 0; output < outputs; output++) {
    for (let input = 0; input < inputs; input++) {
      for (let y = 0; y < from; y++) {
        for (let x = 0; x < from; x++) {
          const channel = (input * block + y % block) * block + x % block;
          const place = Math.floor(y / block) * to + Math.floor(x / block);
          const group = Math.floor(output / OUTPUTS_AT_ONCE);
          const slot = ((group * channels + channel) * to ** 2 + place) * OUTPUTS_AT_ONCE;
          packed[slot + output % OUTPUTS_AT_ONCE] = weight[at++];
        }
      }
    }
  }
  return packed;
}
