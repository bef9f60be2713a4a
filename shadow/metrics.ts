/** Hidden metrics as logs and tables name them. */
import type { MetricColumn } from "../env/environment.ts";
import type { Metrics } from "../env/records.ts";
import type { ShadowScore } from "./score/shadow_score.ts";

export function metricsOf({ iou, outlineF, holes, wrists, solved }: ShadowScore, peeks: number): Metrics {
  return { iou, outline_f: outlineF, holes, wrists, peeks, solved: Number(solved) };
}

export const COLUMNS: readonly MetricColumn[] = [
  { key: "score", title: "Score", digits: 1, higherIsBetter: true },
  { key: "iou", title: "IoU", digits: 3, higherIsBetter: true },
  { key: "outline_f", title: "Outline F", digits: 3, higherIsBetter: true },
  { key: "holes", title: "Holes", digits: 3, higherIsBetter: true },
  { key: "wrists", title: "Wrists", digits: 3, higherIsBetter: true },
];
