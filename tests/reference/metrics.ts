/**
 * PSNR, SSIM and silhouette IoU in float64, written from their definitions: one direct 2D sum a window, no tiling and no
 * separable blur. Z. Wang et al., "Image quality assessment: from error visibility to structural similarity", 2004.
 */
import type { Image } from "../../env/image.ts";
import type { ViewMetrics } from "../../splat/render/renderer_types.ts";
import type { MetricProfile } from "../../splat/score/metric_profile.ts";

/** A rendered view, `[height, width, 4]`: RGB in [0, 1], transmittance. */
export type Rgbt = Float32Array | Float64Array;

/** All three metrics of a rendered view against its photo. */
export function referenceMetrics(profile: MetricProfile, rgbt: Rgbt, photo: Image): ViewMetrics {
  return {
    psnr: referencePsnr(profile, rgbt, photo),
    ssim: referenceSsim(profile, rgbt, photo),
    iou: referenceIou(profile, rgbt, photo),
  };
}

function referencePsnr({ psnr }: MetricProfile, rgbt: Rgbt, photo: Image): number {
  let sum = 0;
  for (let c = 0; c < 3; c++) {
    const [x, y] = [renderPlane(rgbt, c), photoPlane(photo, c)];
    for (let i = 0; i < x.length; i++) sum += (x[i] - y[i]) ** 2;
  }
  return Math.min(psnr.cap, 10 * Math.log10(photo.data.length / sum));
}

function referenceSsim({ ssim }: MetricProfile, rgbt: Rgbt, photo: Image): number {
  const planes = ssim.channels === "rgb"
    ? [0, 1, 2].map((c) => [renderPlane(rgbt, c), photoPlane(photo, c)])
    : [[luma(ssim.channels, (c) => renderPlane(rgbt, c)), luma(ssim.channels, (c) => photoPlane(photo, c))]];
  const values = planes.map(([x, y]) => planeSsim(ssim, x, y, photo.width, photo.height));
  return values.reduce((a, b) => a + b) / values.length;
}

function planeSsim(
  ssim: MetricProfile["ssim"],
  x: number[],
  y: number[],
  width: number,
  height: number,
): number {
  const radius = ssim.window === "uniform7" ? 3 : 5;
  const window = windowWeights(ssim, radius);
  const margin = ssim.border === "valid" ? radius : 0;
  const side = 2 * radius + 1;
  const normalisation = ssim.covariance === "sample" ? side ** 2 / (side ** 2 - 1) : 1;
  const [values, count] = [[0, 0, 0, 0, 0], (width - 2 * margin) * (height - 2 * margin)];
  let total = 0;
  for (let row = margin; row < height - margin; row++) {
    for (let column = margin; column < width - margin; column++) {
      values.fill(0);
      for (const { dx, dy, weight } of window) {
        const at = place(ssim.border, column + dx, row + dy, width, height);
        const [a, b] = at === null ? [0, 0] : [x[at], y[at]];
        [a, b, a * a, b * b, a * b].forEach((value, k) => values[k] += weight * value);
      }
      const [ma, mb, maa, mbb, mab] = values;
      const va = normalisation * (maa - ma * ma);
      const vb = normalisation * (mbb - mb * mb);
      const vab = normalisation * (mab - ma * mb);
      const luminance = (2 * ma * mb + 0.01 ** 2) / (ma ** 2 + mb ** 2 + 0.01 ** 2);
      const structure = (2 * vab + 0.03 ** 2) / (va + vb + 0.03 ** 2);
      total += luminance * structure;
    }
  }
  return total / count;
}

function windowWeights({ window, sigma }: MetricProfile["ssim"], radius: number) {
  const weights = [];
  for (let dy = -radius; dy <= radius; dy++) {
    for (let dx = -radius; dx <= radius; dx++) {
      const weight = window === "uniform7" ? 1 : Math.exp(-(dx ** 2 + dy ** 2) / (2 * sigma ** 2));
      weights.push({ dx, dy, weight });
    }
  }
  const sum = weights.reduce((total, { weight }) => total + weight, 0);
  return weights.map((entry) => ({ ...entry, weight: entry.weight / sum }));
}

/** Index of the pixel that a window sees at a place, or null for black. */
function place(border: string, column: number, row: number, width: number, height: number): number | null {
  const outside = column < 0 || row < 0 || column >= width || row >= height;
  if (outside && border === "zero") return null;
  const mirror = (at: number, size: number) => at < 0 ? -at : at >= size ? 2 * size - 2 - at : at;
  return mirror(row, height) * width + mirror(column, width);
}

function referenceIou({ iou }: MetricProfile, rgbt: Rgbt, photo: Image): number {
  const far = (color: number[]) => {
    const gaps = color.map((value) => 1 - value);
    const distance = {
      min: Math.max(...gaps),
      mean: gaps.reduce((a, b) => a + b) / 3,
      l2: Math.hypot(...gaps),
    }[iou.distance];
    return distance > iou.threshold;
  };
  let [both, either] = [0, 0];
  for (let i = 0; i < photo.width * photo.height; i++) {
    const inPhoto = far([...photo.data.subarray(3 * i, 3 * i + 3)].map((value) => value / 255));
    const inRender = iou.renderMask === "alpha"
      ? 1 - rgbt[4 * i + 3] > iou.alphaThreshold
      : far([...rgbt.subarray(4 * i, 4 * i + 3)]);
    if (inPhoto && inRender) both++;
    if (inPhoto || inRender) either++;
  }
  return either === 0 ? 1 : both / either;
}

function renderPlane(rgbt: Rgbt, c: number): number[] {
  return Array.from({ length: rgbt.length / 4 }, (_, i) => rgbt[4 * i + c]);
}

function photoPlane(photo: Image, c: number): number[] {
  return Array.from({ length: photo.data.length / 3 }, (_, i) => photo.data[3 * i + c] / 255);
}

function luma(kind: "gray" | "gray709", plane: (c: number) => number[]): number[] {
  const weights = kind === "gray" ? [0.299, 0.587, 0.114] : [0.2126, 0.7152, 0.0722];
  const [r, g, b] = [plane(0), plane(1), plane(2)];
  return r.map((_, i) => weights[0] * r[i] + weights[1] * g[i] + weights[2] * b[i]);
}
