/** How an environment makes scores of metrics; the same for all of its tasks. */
import type { ScoreKind } from "../../env/records.ts";
import type { FixedPointStore } from "./fixed_points.ts";
import type { MetricProfile } from "./metric_profile.ts";

export interface Scoring {
  /** Fits what the renderer measures: `full` with LPIPS, `partial` without. */
  readonly kind: ScoreKind;
  readonly metricProfile: MetricProfile;
  readonly fixedPoints: FixedPointStore;
  /** Everything besides the task that decides a metric, device included, as JSON. */
  conventions(): Promise<unknown>;
  /** A line for the user. */
  notice(line: string): void;
}
