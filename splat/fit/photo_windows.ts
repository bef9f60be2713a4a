/** What the D-SSIM loss needs of a photo and never changes: means and variances of its windows. */
import type { Image } from "../../env/image.ts";
import { windowTaps } from "../score/metric_profile.ts";
import { LOSS_WINDOW } from "./fit_kernels.ts";

/**
 * Window means less 1, then variances, `[height, ⌈width / 4⌉, 6]` vec4f: by channel, four pixels each. Zeros outside the
 * picture; padding columns are zero.
 */
export function photoWindows({ width, height, data }: Image): Float32Array<ArrayBuffer> {
  const columns = Math.ceil(width / 4);
  const out = new Float32Array(height * columns * 24);
  for (let channel = 0; channel < 3; channel++) {
    const values = new Float64Array(width * height).map((_, i) => data[i * 3 + channel] / 255);
    const means = blur(values, width, height);
    const squares = blur(values.map((value) => value * value), width, height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const mean = means[y * width + x];
        const at = (y * columns + (x >> 2)) * 24 + channel * 4 + (x & 3);
        out[at] = mean - 1;
        out[at + 12] = Math.max(0, squares[y * width + x] - mean * mean);
      }
    }
  }
  return out;
}

/** The photo by channel, `[height, ⌈width / 4⌉, 3]`, four bytes of pixels each; padding columns are zero. */
export function photoStrips({ width, height, data }: Image): Uint8Array<ArrayBuffer> {
  const columns = Math.ceil(width / 4);
  const out = new Uint8Array(height * columns * 12);
  for (let i = 0; i < width * height; i++) {
    const x = i % width;
    const strip = Math.floor(i / width) * columns + (x >> 2);
    for (let channel = 0; channel < 3; channel++) {
      out[strip * 12 + channel * 4 + (x & 3)] = data[i * 3 + channel];
    }
  }
  return out;
}

function blur(values: Float64Array, width: number, height: number): Float64Array {
  const taps = windowTaps(LOSS_WINDOW);
  const pass = (from: Float64Array, step: number, length: number, place: (i: number) => number) =>
    from.map((value, i) => {
      let sum = taps[0] * value;
      const at = place(i);
      for (let k = 1; k < taps.length; k++) {
        const before = at >= k ? from[i - k * step] : 0;
        const after = at + k < length ? from[i + k * step] : 0;
        sum += taps[k] * (before + after);
      }
      return sum;
    });
  return pass(pass(values, 1, width, (i) => i % width), width, height, (i) => Math.floor(i / width));
}
