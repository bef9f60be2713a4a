/** The conventions of PSNR and SSIM behind the recorded metrics of empty scenes. */
import { imageKey } from "../../env/hash.ts";
import { DEFAULT_METRICS, type MetricProfile } from "../score/metric_profile.ts";
import type { EvidenceTask } from "./evidence_task.ts";
import { type Finding, findingsOf } from "./findings.ts";
import { choiceOf, profileOf } from "./knob.ts";
import {
  conventionOf,
  FOREIGN_LABEL,
  type MetricConvention,
  metricProfileOf,
  PSNR_KNOBS,
  SSIM_KNOBS,
} from "./metric_knobs.ts";
import { recordedNumbers } from "./recorded.ts";
import { searchWholeGrid } from "./search.ts";
import { WhiteMetrics } from "./white_metrics.ts";

export interface MetricCalibration {
  readonly findings: readonly Finding[];
  /** Recorded numbers that were used. */
  readonly numbers: number;
  /** The best convention, or `base` in what nothing explains and in what has no knob. */
  readonly profile: MetricProfile;
}

/**
 * Tries every convention. A scene without Gaussians is a white picture, so that nothing but photos and conventions
 * decides its metrics.
 *
 * @param base preferred among conventions that agree equally well
 */
export async function calibrateMetrics(
  tasks: readonly Pick<EvidenceTask, "heldOut" | "empty">[],
  base: MetricProfile = DEFAULT_METRICS,
): Promise<MetricCalibration> {
  const start = conventionOf(base);
  const parts = [
    { metric: "psnr", knobs: PSNR_KNOBS, of: (white: WhiteMetrics, to: MetricConvention) => white.psnr(to) },
    { metric: "ssim", knobs: SSIM_KNOBS, of: (white: WhiteMetrics, to: MetricConvention) => white.ssim(to) },
  ];
  const white = whiteMetrics();
  const findings: Finding[] = [];
  let [numbers, convention] = [0, start];
  for (const { metric, knobs, of } of parts) {
    const recorded = tasks.flatMap(({ heldOut, empty }) => {
      const value = empty?.[metric];
      return value === undefined ? [] : [{ white: white(heldOut.map(({ photo }) => photo)), value }];
    });
    if (recorded.length === 0) continue;
    const group = recordedNumbers(metric, recorded.map(({ value }) => value));
    const result = await searchWholeGrid({
      sizes: knobs.map(({ values }) => values.length),
      starts: [choiceOf(knobs, start)],
      groups: [group],
      predict: (choice) => {
        const candidate = profileOf(knobs, start, choice);
        return Promise.resolve(recorded.map(({ white }) => of(white, candidate)));
      },
    });
    findings.push(...findingsOf(knobs, group, result));
    numbers += group.length;
    if (result.agrees) convention = profileOf<MetricConvention>(knobs, convention, result.best);
  }
  return { findings, numbers, profile: metricProfileOf(convention, base) };
}

/** Whether the records need a convention that `MetricProfile` does not have. */
export function isForeign({ verdict, evidence }: Finding): boolean {
  return verdict !== "unexplained" &&
    evidence.filter(({ possible }) => possible).every(({ label }) => label.endsWith(FOREIGN_LABEL));
}

/** Build and reassembly of an object have the same photos. */
function whiteMetrics(): (photos: ConstructorParameters<typeof WhiteMetrics>[0]) => WhiteMetrics {
  const known = new Map<string, WhiteMetrics>();
  return (photos) => {
    const key = photos.map(imageKey).join();
    const measured = known.get(key) ?? new WhiteMetrics(photos);
    known.set(key, measured);
    return measured;
  };
}
