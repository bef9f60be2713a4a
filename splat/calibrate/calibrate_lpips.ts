/** Which network LPIPS was measured with, from the recorded values of empty scenes. */
import type { LpipsWeights } from "../score/lpips/lpips_weights.ts";
import { DEFAULT_RENDER_PROFILE } from "../render/profile.ts";
import type { EvidenceTask } from "./evidence_task.ts";
import { type Finding, findingsOf } from "./findings.ts";
import type { ProfileMeter } from "./profile_meter.ts";
import { recordedNumbers } from "./recorded.ts";
import { searchWholeGrid } from "./search.ts";

export interface LpipsCalibration {
  readonly finding: Finding;
  readonly numbers: number;
  /** Of the network nearest to the records; null where none agrees. */
  readonly weights: LpipsWeights | null;
}

/** Null where no task records LPIPS, or there are no weights to measure it with. */
export async function calibrateLpips(
  tasks: readonly Pick<EvidenceTask, "heldOut" | "empty">[],
  weights: readonly LpipsWeights[],
  meterOf: (weights: LpipsWeights) => ProfileMeter,
): Promise<LpipsCalibration | null> {
  const recorded = tasks.flatMap(({ heldOut, empty }) =>
    empty?.lpips === undefined ? [] : [{ views: heldOut, value: empty.lpips }]
  );
  if (recorded.length === 0 || weights.length === 0) return null;
  const measured: number[][] = [];
  for (const own of weights) {
    const meter = meterOf(own);
    try {
      const values: number[] = [];
      for (const { views } of recorded) {
        const [{ lpips }] = await meter.measure(DEFAULT_RENDER_PROFILE, { views, scenes: [[]] });
        values.push(lpips);
      }
      measured.push(values);
    } finally {
      meter.close();
    }
  }
  const group = recordedNumbers("lpips", recorded.map(({ value }) => value));
  const result = await searchWholeGrid({
    sizes: [weights.length],
    starts: [[0]],
    groups: [group],
    predict: ([net]) => Promise.resolve(measured[net]),
  });
  const knob = { name: "lpips.net", values: weights.map(({ net }) => ({ label: net, change: {} })) };
  const [finding] = findingsOf([knob], group, result);
  return { finding, numbers: group.length, weights: result.agrees ? weights[result.best[0]] : null };
}
