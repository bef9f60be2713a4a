import assert from "node:assert/strict";
import {
  deltaRewards,
  metricWithoutSpan,
  reward,
  splatScore,
  trainingReward,
} from "../../../splat/score/splat_score.ts";

const POINTS = {
  empty: { psnr: 12, ssim: 0.5, lpips: 0.6 },
  fit: { psnr: 28, ssim: 0.9, lpips: 0.1 },
};

const close = (actual: number, expected: number) =>
  assert.ok(Math.abs(actual - expected) < 1e-12, `${actual} is not ${expected}`);

Deno.test("splatScore() is 0 for the empty scene and 100 for the fit, of either kind", () => {
  for (const kind of ["full", "partial"] as const) {
    assert.equal(splatScore(kind, POINTS.empty, POINTS), 0);
    assert.equal(splatScore(kind, POINTS.fit, POINTS), 100);
  }
});

Deno.test("splatScore() averages what each metric reaches of its span, less LPIPS being better", () => {
  // A quarter, half and three quarters of the way.
  const metrics = { psnr: 16, ssim: 0.7, lpips: 0.225 };
  close(splatScore("full", metrics, POINTS), 50);
  close(splatScore("partial", metrics, POINTS), 37.5);
  // One metric one span below its empty value, one a span above the fit's: no clipping of either.
  close(splatScore("partial", { psnr: -4, ssim: 1.3 }, POINTS), (-100 + 200) / 2);
  close(splatScore("full", { ...POINTS.empty, lpips: 1.1 }, POINTS), -100 / 3);
});

Deno.test("metricWithoutSpan() names the metric in which the fit is no better than nothing", () => {
  const points = (fit: Record<string, number>) => ({ ...POINTS, fit: { ...POINTS.fit, ...fit } });
  assert.equal(metricWithoutSpan("full", POINTS), null);
  assert.equal(metricWithoutSpan("partial", points({ psnr: 12 })), "psnr");
  assert.equal(metricWithoutSpan("full", points({ ssim: 0.4 })), "ssim");
  assert.equal(metricWithoutSpan("full", points({ lpips: 0.7 })), "lpips");
  assert.equal(metricWithoutSpan("partial", points({ lpips: 0.7 })), null);
});

Deno.test("reward() and trainingReward() clip; an empty scene earns a third when training, the fit 1", () => {
  assert.deepEqual([-51.7, 0, 67.7, 100, 130].map(reward), [0, 0, 0.677, 1, 1]);
  assert.deepEqual([-60, -50, 0, 100, 130].map(trainingReward), [0, 0, 1 / 3, 1, 1]);
});

Deno.test("deltaRewards() of an episode add up to what its score gained", () => {
  const scores = [-51.7, -51.7, 10, 4, 67.7];
  const rewards = deltaRewards(scores);
  assert.deepEqual(rewards.slice(0, 2), [0, 0]);
  close(rewards[3], -0.06);
  close(rewards.reduce((sum, reward) => sum + reward, 0), (67.7 + 51.7) / 100);
  assert.deepEqual(deltaRewards([]), []);
});
