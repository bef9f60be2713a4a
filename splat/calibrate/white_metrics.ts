/**
 * PSNR and SSIM of a white picture against photos in float64 on the host, under every convention at once: no renderer
 * and no device stands between a recorded number and what it says about the conventions.
 */
import type { Image } from "../../env/image.ts";
import { DEFAULT_METRICS, windowRadius, windowTaps } from "../score/metric_profile.ts";
import type { MetricConvention } from "./metric_knobs.ts";

/** Measures the same photos under many conventions; what these share is computed once. */
export class WhiteMetrics {
  readonly #ssim = new Map<string, number>();
  readonly #moments = new Map<string, PlaneMoments[]>();

  constructor(private readonly photos: readonly Image[]) {}

  /** dB over all photos. */
  psnr({ mode }: MetricConvention): number {
    const errors = this.photos.map(squaredErrors);
    switch (mode) {
      case "per-view":
        return mean(errors.map((channels) => decibel(mean(channels))));
      case "pooled":
        return decibel(mean(errors.map(mean)));
      case "per-channel":
        return mean(errors.flatMap((channels) => channels.map(decibel)));
    }
  }

  /** Mean over the photos. */
  ssim(convention: MetricConvention): number {
    const { window, border, covariance, channels, dataRange } = convention;
    const key = [window, border, covariance, channels, dataRange].join();
    const known = this.#ssim.get(key);
    if (known !== undefined) return known;
    const measured = mean(
      this.photos.map((photo, at) =>
        mean(
          PLANES[channels].map((weights) =>
            ssimOf(this.#momentsOf(photo, at, weights, convention), convention)
          ),
        )
      ),
    );
    this.#ssim.set(key, measured);
    return measured;
  }

  #momentsOf(photo: Image, at: number, weights: Weights, convention: MetricConvention): PlaneMoments {
    const { window, border } = convention;
    const key = [at, window, border].join();
    const known = this.#moments.get(key) ?? [];
    this.#moments.set(key, known);
    const place = ALL_PLANES.indexOf(weights);
    return known[place] ??= windowMoments(plane(photo, weights), photo, convention);
  }
}

type Weights = readonly [number, number, number];

const RGB: readonly Weights[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
const BT601: Weights = [0.299, 0.587, 0.114];
const BT709: Weights = [0.2126, 0.7152, 0.0722];
const PLANES = { rgb: RGB, gray: [BT601], gray709: [BT709] };
const ALL_PLANES: readonly Weights[] = [...RGB, BT601, BT709];

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const decibel = (error: number) => Math.min(DEFAULT_METRICS.psnr.cap, -10 * Math.log10(error));

/** Mean squared error of each channel to white, [3]. */
function squaredErrors({ data }: Image): number[] {
  const sums = [0, 0, 0];
  for (let i = 0; i < data.length; i++) sums[i % 3] += (1 - data[i] / 255) ** 2;
  return sums.map((sum) => 3 * sum / data.length);
}

/** One value a pixel, in [0, 1]. */
function plane({ data }: Image, [r, g, b]: Weights): Float64Array {
  const values = new Float64Array(data.length / 3);
  for (let i = 0; i < values.length; i++) {
    values[i] = (r * data[3 * i] + g * data[3 * i + 1] + b * data[3 * i + 2]) / 255;
  }
  return values;
}

/** Window means of a plane, and how much of each window lies in the picture (zeros outside it), of each window. */
interface PlaneMoments {
  readonly mass: Float64Array;
  readonly first: Float64Array;
  readonly second: Float64Array;
}

function windowMoments(values: Float64Array, size: Size, convention: MetricConvention): PlaneMoments {
  const blurred = (of: Float64Array) => blur(of, size, convention);
  return {
    mass: blurred(values.map(() => 1)),
    first: blurred(values),
    second: blurred(values.map((value) => value * value)),
  };
}

/** With x the white picture: E[x] = E[x²] = mass and E[xy] = E[y]. */
function ssimOf({ mass, first, second }: PlaneMoments, convention: MetricConvention): number {
  const { covariance, dataRange } = convention;
  const pixels = (2 * windowRadius(ssimConvention(convention)) + 1) ** 2;
  const factor = covariance === "sample" ? pixels / (pixels - 1) : 1;
  const [c1, c2] = [(0.01 * dataRange) ** 2, (0.03 * dataRange) ** 2];
  let sum = 0;
  for (let i = 0; i < mass.length; i++) {
    const [x, y] = [mass[i], first[i]];
    const variances = factor * (x - x * x + second[i] - y * y);
    const both = factor * (y - x * y);
    sum += (2 * x * y + c1) * (2 * both + c2) / ((x * x + y * y + c1) * (variances + c2));
  }
  return sum / mass.length;
}

type Size = Pick<Image, "width" | "height">;

/** Separable window means, rows then columns; one value a window. */
function blur(values: Float64Array, { width, height }: Size, convention: MetricConvention): Float64Array {
  const ssim = ssimConvention(convention);
  const radius = windowRadius(ssim);
  const taps = windowTaps(ssim);
  const margin = ssim.border === "valid" ? radius : 0;
  const along = (from: Float64Array, lines: number, length: number, step: number, stride: number) => {
    const kept = length - 2 * margin;
    const out = new Float64Array(lines * kept);
    for (let line = 0; line < lines; line++) {
      for (let at = 0; at < kept; at++) {
        let sum = 0;
        for (let offset = -radius; offset <= radius; offset++) {
          const place = inside(at + margin + offset, length, ssim.border);
          if (place >= 0) sum += taps[Math.abs(offset)] * from[line * stride + place * step];
        }
        out[line * kept + at] = sum;
      }
    }
    return out;
  };
  const rows = along(values, height, width, 1, width);
  const columns = width - 2 * margin;
  return along(rows, columns, height, columns, 1);
}

/** The place that stands for one outside the picture, negative where that is black. */
function inside(at: number, length: number, border: MetricConvention["border"]): number {
  if (at >= 0 && at < length) return at;
  if (border === "zero") return -1;
  return at < 0 ? -at : 2 * (length - 1) - at;
}

function ssimConvention({ window, border, covariance, channels }: MetricConvention) {
  return { ...DEFAULT_METRICS.ssim, window, border, covariance, channels };
}
