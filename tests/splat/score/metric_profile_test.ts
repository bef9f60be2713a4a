import assert from "node:assert/strict";
import { contentHash } from "../../../env/hash.ts";
import {
  DEFAULT_METRICS,
  MetricProfile,
  SSIM_FLAVOURS,
  windowTaps,
} from "../../../splat/score/metric_profile.ts";
import { viewMeans } from "../../../splat/score/view_means.ts";
import golden from "../../golden/metrics/golden.json" with { type: "json" };

Deno.test("MetricProfile takes every flavour and refuses unknown or missing conventions", () => {
  for (const ssim of Object.values(SSIM_FLAVOURS)) MetricProfile.parse({ ...DEFAULT_METRICS, ssim });
  const { iou: _iou, ...incomplete } = DEFAULT_METRICS;
  const wrong = [
    incomplete,
    { ...DEFAULT_METRICS, lpips: {} },
    { ...DEFAULT_METRICS, ssim: { ...DEFAULT_METRICS.ssim, sigma: 0 } },
    { ...DEFAULT_METRICS, psnr: { mode: "per-view", cap: Infinity } },
  ];
  for (const profile of wrong) assert.equal(MetricProfile.safeParse(profile).success, false);
});

Deno.test("contentHash() of a profile tells profiles apart and is blind to the order of keys", () => {
  const { psnr, ssim, iou } = DEFAULT_METRICS;
  assert.equal(contentHash({ iou, ssim, psnr }), contentHash(DEFAULT_METRICS));
  const others = [
    { psnr: { ...psnr, mode: "pooled" as const }, ssim, iou },
    { psnr, ssim: SSIM_FLAVOURS.torchmetrics, iou },
    { psnr, ssim, iou: { ...iou, threshold: 0.1 } },
  ];
  assert.equal(new Set([DEFAULT_METRICS, ...others].map(contentHash)).size, 4);
});

Deno.test("windowTaps() gives the 11-tap window of pytorch-msssim, and seven equal taps", () => {
  for (const [distance, tap] of windowTaps(SSIM_FLAVOURS["pytorch-msssim"]).entries()) {
    for (const at of [5 - distance, 5 + distance]) assert.ok(Math.abs(tap - golden.window[at]) < 1e-7);
  }
  assert.deepEqual(windowTaps(SSIM_FLAVOURS.skimage), [1 / 7, 1 / 7, 1 / 7, 1 / 7, 0, 0]);
});

Deno.test("viewMeans() averages decibels per view, or squared errors when pooled", () => {
  // Errors 1e-2 and 1e-4: 20 and 40 dB; their mean is 5.05e-3.
  const views = [{ psnr: 20, ssim: 0.5, iou: 0 }, { psnr: 40, ssim: 0.75, iou: 1 }];
  assert.deepEqual(viewMeans(DEFAULT_METRICS, views), { psnr: 30, ssim: 0.625, iou: 0.5 });
  const pooled = { ...DEFAULT_METRICS, psnr: { mode: "pooled" as const, cap: 100 } };
  assert.ok(Math.abs(viewMeans(pooled, views).psnr - -10 * Math.log10(5.05e-3)) < 1e-12);
  assert.equal(viewMeans(pooled, [{ psnr: 100, ssim: 1, iou: 1 }]).psnr, 100);
  assert.throws(() => viewMeans(pooled, []), /there are none/);
});
