/** What `calibrate metrics` searches, and how a finding becomes a `MetricProfile`. */
import { DEFAULT_METRICS, type MetricProfile } from "../score/metric_profile.ts";
import type { Knob } from "./knob.ts";

/** Conventions of PSNR and SSIM, those that `MetricProfile` has no knob for included. */
export interface MetricConvention {
  /** As `MetricProfile`, or the mean of the dB of each channel of each view. */
  readonly mode: MetricProfile["psnr"]["mode"] | "per-channel";
  readonly window: MetricProfile["ssim"]["window"];
  readonly border: MetricProfile["ssim"]["border"];
  readonly covariance: MetricProfile["ssim"]["covariance"];
  readonly channels: MetricProfile["ssim"]["channels"];
  /** L of SSIM's constants; 2 is what old scikit-image took for float pictures. */
  readonly dataRange: 1 | 2;
}

/** Values that `MetricProfile` cannot express; a table that needs one is not ours to score. */
export const FOREIGN_LABEL = " (no knob)";

export const PSNR_KNOBS: readonly Knob<MetricConvention>[] = [{
  name: "psnr.mode",
  values: [
    { label: "per-view", change: { mode: "per-view" } },
    { label: "pooled", change: { mode: "pooled" } },
    { label: `per-channel${FOREIGN_LABEL}`, change: { mode: "per-channel" } },
  ],
}];

export const SSIM_KNOBS: readonly Knob<MetricConvention>[] = [
  {
    name: "ssim.window",
    values: (["gaussian11", "uniform7"] as const).map((window) => ({ label: window, change: { window } })),
  },
  {
    name: "ssim.border",
    values: (["zero", "valid", "reflect"] as const).map((border) => ({ label: border, change: { border } })),
  },
  {
    name: "ssim.covariance",
    values: (["population", "sample"] as const).map((covariance) => ({
      label: covariance,
      change: { covariance },
    })),
  },
  {
    name: "ssim.channels",
    values: (["rgb", "gray", "gray709"] as const).map((channels) => ({
      label: channels,
      change: { channels },
    })),
  },
  {
    name: "ssim.dataRange",
    values: [
      { label: "1", change: { dataRange: 1 } },
      { label: `2${FOREIGN_LABEL}`, change: { dataRange: 2 } },
    ],
  },
];

export const DEFAULT_CONVENTION: MetricConvention = conventionOf(DEFAULT_METRICS);

export function conventionOf({ psnr: { mode }, ssim }: MetricProfile): MetricConvention {
  const { window, border, covariance, channels } = ssim;
  return { mode, window, border, covariance, channels, dataRange: 1 };
}

/** The profile of a convention, with the nearest value where there is no knob. */
export function metricProfileOf(convention: MetricConvention, base = DEFAULT_METRICS): MetricProfile {
  const { mode, window, border, covariance, channels } = convention;
  return {
    ...base,
    psnr: { ...base.psnr, mode: mode === "per-channel" ? "per-view" : mode },
    ssim: { ...base.ssim, window, border, covariance, channels },
  };
}
