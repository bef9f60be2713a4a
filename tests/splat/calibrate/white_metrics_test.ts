import assert from "node:assert/strict";
import type { Image } from "../../../env/image.ts";
import { stream } from "../../../env/random.ts";
import {
  DEFAULT_CONVENTION,
  type MetricConvention,
  metricProfileOf,
} from "../../../splat/calibrate/metric_knobs.ts";
import { WhiteMetrics } from "../../../splat/calibrate/white_metrics.ts";
import { viewMeans } from "../../../splat/score/view_means.ts";
import { referenceMetrics } from "../../reference/metrics.ts";

const [WIDTH, HEIGHT] = [23, 17];

/** Noise down to the borders, white in a corner. */
function photo(seed: number): Image {
  const draw = stream(seed, "photo");
  const data = Uint8Array.from(
    { length: WIDTH * HEIGHT * 3 },
    (_, i) => (i / 3) % WIDTH < 8 && i / 3 / WIDTH < 6 ? 255 : draw.integer(0, 256),
  );
  return { width: WIDTH, height: HEIGHT, data };
}

Deno.test("WhiteMetrics measures what the float64 reference does of a white picture, under every convention", () => {
  const photos = [photo(1), photo(2)];
  const white = new WhiteMetrics(photos);
  const blank = new Float64Array(WIDTH * HEIGHT * 4).fill(1);
  let checked = 0;
  for (const mode of ["per-view", "pooled"] as const) {
    for (const window of ["gaussian11", "uniform7"] as const) {
      for (const border of ["zero", "valid", "reflect"] as const) {
        for (const covariance of ["population", "sample"] as const) {
          for (const channels of ["rgb", "gray", "gray709"] as const) {
            const convention: MetricConvention = { mode, window, border, covariance, channels, dataRange: 1 };
            const profile = metricProfileOf(convention);
            const expected = viewMeans(profile, photos.map((own) => referenceMetrics(profile, blank, own)));
            assert.ok(Math.abs(white.psnr(convention) - expected.psnr) < 1e-9, JSON.stringify(convention));
            assert.ok(Math.abs(white.ssim(convention) - expected.ssim) < 1e-9, JSON.stringify(convention));
            checked++;
          }
        }
      }
    }
  }
  assert.equal(checked, 72);
});

Deno.test("WhiteMetrics has closed forms for flat photos: dB of each channel, SSIM without variance", () => {
  const [r, g, b] = [200, 100, 50];
  const data = Uint8Array.from({ length: WIDTH * HEIGHT * 3 }, (_, i) => [r, g, b][i % 3]);
  const white = new WhiteMetrics([{ width: WIDTH, height: HEIGHT, data }]);
  const decibels = [r, g, b].map((value) => -20 * Math.log10(1 - value / 255));
  const convention: MetricConvention = { ...DEFAULT_CONVENTION, border: "valid" };
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  assert.ok(Math.abs(white.psnr({ ...convention, mode: "per-channel" }) - mean(decibels)) < 1e-9);
  for (const dataRange of [1, 2] as const) {
    const c1 = (0.01 * dataRange) ** 2;
    const expected = mean([r, g, b].map((value) => (2 * value / 255 + c1) / (1 + (value / 255) ** 2 + c1)));
    assert.ok(Math.abs(white.ssim({ ...convention, dataRange }) - expected) < 1e-9);
  }
});
