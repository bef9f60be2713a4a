/** SplatScore: each metric placed between an empty scene (0) and a fit by gradient descent (100), and the mean of all. */
import type { Metrics, ScoreKind } from "../../env/records.ts";

/** What a score of each kind averages. */
export const SCORE_METRICS: Readonly<Record<ScoreKind, readonly string[]>> = {
  full: ["psnr", "ssim", "lpips"],
  partial: ["psnr", "ssim"],
};

/** Metrics of the held-out views at 0 and at 100 points. */
export interface FixedPoints {
  readonly empty: Metrics;
  readonly fit: Metrics;
}

/** Metrics whose fixed points are this close tell scenes apart by rounding alone. */
const LEAST_SPAN = 1e-6;

/** The first metric in which the fit is no better than nothing, so that there is no score; null when there is one. */
export function metricWithoutSpan(kind: ScoreKind, points: FixedPoints): string | null {
  return SCORE_METRICS[kind].find((metric) => !(gain(metric, points.fit, points.empty) > LEAST_SPAN)) ?? null;
}

/**
 * SplatScore = 100/k Σ (m − m_empty) / (m_fit − m_empty) over the kind's k metrics; may be below 0 and above 100.
 *
 * The formula needs no sign for LPIPS, of which less is better: both differences turn around.
 */
export function splatScore(kind: ScoreKind, metrics: Metrics, { empty, fit }: FixedPoints): number {
  const names = SCORE_METRICS[kind];
  const shares = names.map((metric) => gain(metric, metrics, empty) / gain(metric, fit, empty));
  return 100 / names.length * shares.reduce((sum, share) => sum + share, 0);
}

/** Reward of an episode: clip(score / 100, 0, 1). */
export function reward(score: number): number {
  return Math.min(1, Math.max(0, score / 100));
}

/** For training, so that scenes worse than an empty one still rank: clip((score + 50) / 150, 0, 1). */
export function trainingReward(score: number): number {
  return Math.min(1, Math.max(0, (score + 50) / 150));
}

/** What each step earned: its hidden score less that of the step before, in hundreds of points; 0 for the first. */
export function deltaRewards(scores: readonly number[]): number[] {
  return scores.map((score, step) => step === 0 ? 0 : (score - scores[step - 1]) / 100);
}

/** How much better `now` is than `before`. */
function gain(metric: string, now: Metrics, before: Metrics): number {
  return (metric === "lpips" ? -1 : 1) * (now[metric] - before[metric]);
}
