/** Metrics of a scene from those of its views. */
import { BenchError } from "../../env/errors.ts";
import type { ViewMetrics } from "../render/renderer_types.ts";
import type { MetricProfile } from "./metric_profile.ts";

/**
 * Mean over views; PSNR in the profile's mode. Throws BenchError for no views.
 *
 * Pooled PSNR is −10 log10 of the views' mean squared error, which each view's PSNR gives back: 10^(−psnr / 10). A view
 * at the cap counts with the error that the cap stands for.
 */
export function viewMeans(
  { psnr: { mode, cap } }: MetricProfile,
  views: readonly ViewMetrics[],
): ViewMetrics {
  if (views.length === 0) throw new BenchError({ what: "Cannot average views", why: "there are none" });
  const lpips = views.flatMap(({ lpips }) => lpips ?? []);
  const pooled = -10 * Math.log10(mean(views.map(({ psnr }) => 10 ** (-psnr / 10))));
  return {
    psnr: mode === "pooled" ? Math.min(cap, pooled) : mean(views.map(({ psnr }) => psnr)),
    ssim: mean(views.map(({ ssim }) => ssim)),
    iou: mean(views.map(({ iou }) => iou)),
    ...(lpips.length === views.length ? { lpips: mean(lpips) } : {}),
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
