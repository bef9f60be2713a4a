/** Every convention behind PSNR, SSIM and silhouette IoU, as one value that is hashed into each score. */
import { z } from "zod";

export const MetricProfile = z.strictObject({
  psnr: z.strictObject({
    /** Over a scene's views: mean of the views' dB, or dB of the mean of their squared errors. */
    mode: z.enum(["per-view", "pooled"]),
    /** dB of identical pictures, and the most that a view gets. */
    cap: z.number().positive(),
  }),
  /** K1 = 0.01, K2 = 0.03, data range 1; each channel by itself, then the mean. */
  ssim: z.strictObject({
    window: z.enum(["gaussian11", "uniform7"]),
    /** Standard deviation of the Gaussian window, pixels. */
    sigma: z.number().positive(),
    /** Windows inside the picture only, or one around every pixel with zeros or the mirrored picture outside. */
    border: z.enum(["valid", "zero", "reflect"]),
    /** Divides by n, or by n − 1 with n the number of pixels of the window, whatever their weights (scikit-image). */
    covariance: z.enum(["population", "sample"]),
    /** RGB, or luma by ITU-R BT.601 or BT.709. */
    channels: z.enum(["rgb", "gray", "gray709"]),
  }),
  /** A pixel belongs to the silhouette when it is further from white than `threshold`, in units of the data range. */
  iou: z.strictObject({
    threshold: z.number().min(0),
    /** 1 − the smallest channel ("min"), 1 − their mean, or the length of (1, 1, 1) − colour. */
    distance: z.enum(["min", "mean", "l2"]),
    /** The render's silhouette: by colour as in the photo, or where 1 − transmittance is above `alphaThreshold`. */
    renderMask: z.enum(["color", "alpha"]),
    alphaThreshold: z.number().min(0).max(1),
  }),
});

export type MetricProfile = z.infer<typeof MetricProfile>;
type SsimConvention = MetricProfile["ssim"];

/** Per-view PSNR; SSIM as 3D Gaussian splatting code measures it. */
export const DEFAULT_METRICS: MetricProfile = {
  psnr: { mode: "per-view", cap: 100 },
  ssim: { window: "gaussian11", sigma: 1.5, border: "zero", covariance: "population", channels: "rgb" },
  iou: { threshold: 0.05, distance: "min", renderMask: "alpha", alphaThreshold: 0.5 },
};

/**
 * SSIM as well-known packages compute it, by the package. TensorFlow's equals pytorch-msssim's.
 *
 * torchmetrics also clamps variances at 0, which only ever removes rounding: a variance under weights ≥ 0 is ≥ 0.
 */
export const SSIM_FLAVOURS = {
  "inria": DEFAULT_METRICS.ssim,
  "pytorch-msssim": { ...DEFAULT_METRICS.ssim, border: "valid" },
  "torchmetrics": { ...DEFAULT_METRICS.ssim, border: "reflect" },
  "skimage": { ...DEFAULT_METRICS.ssim, window: "uniform7", border: "valid", covariance: "sample" },
  "skimage-wang": { ...DEFAULT_METRICS.ssim, border: "valid" },
  "skimage-gaussian": { ...DEFAULT_METRICS.ssim, border: "valid", covariance: "sample" },
  "gray": { ...DEFAULT_METRICS.ssim, border: "valid", channels: "gray" },
  "gray709": { ...DEFAULT_METRICS.ssim, border: "valid", channels: "gray709" },
} as const satisfies Record<string, SsimConvention>;

/** Pixels from the middle of the SSIM window to its edge. */
export const windowRadius = ({ window }: SsimConvention): number => window === "uniform7" ? 3 : 5;

/** Factors of the separable SSIM window by distance from its middle, [6]; they sum to 1 over the whole window. */
export function windowTaps({ window, sigma }: SsimConvention): number[] {
  const distances = [0, 1, 2, 3, 4, 5];
  const weights = window === "uniform7"
    ? distances.map((distance) => distance <= 3 ? 1 : 0)
    : distances.map((distance) => Math.exp(-(distance ** 2) / (2 * sigma ** 2)));
  const total = weights.reduce((sum, weight, distance) => sum + (distance === 0 ? weight : 2 * weight), 0);
  return weights.map((weight) => weight / total);
}
