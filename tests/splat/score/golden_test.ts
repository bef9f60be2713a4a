/** Metrics against scikit-image, pytorch-msssim and torchmetrics; `tests/golden/metrics/generate.py` made the values. */
import assert from "node:assert/strict";
import { openGpu } from "../../../gpu/device.ts";
import { DEFAULT_METRICS, SSIM_FLAVOURS } from "../../../splat/score/metric_profile.ts";
import { viewMeans } from "../../../splat/score/view_means.ts";
import golden from "../../golden/metrics/golden.json" with { type: "json" };
import { referenceMetrics } from "../../reference/metrics.ts";
import { deviceMetrics } from "./device_metrics.ts";
import { asRendered, formulaPicture, type PictureKind } from "./formula_pictures.ts";

/** Float32 on the device. Measured worst: 2.0e-7 and 5.2e-7 dB. */
const DEVICE = { ssim: 1e-5, psnr: 1e-4 };
/** Float64, but rendered colours come as float32. Measured worst: 2.1e-8 and 3.3e-6 dB. */
const REFERENCE = { ssim: 1e-7, psnr: 1e-5 };

type Flavour = keyof typeof SSIM_FLAVOURS;
type GoldenCase = typeof golden.cases[number];

for (const [flavour, ssim] of Object.entries(SSIM_FLAVOURS) as [Flavour, typeof SSIM_FLAVOURS[Flavour]][]) {
  const profile = { ...DEFAULT_METRICS, ssim };

  Deno.test(`MetricPass measures SSIM as ${flavour}, and PSNR, within float32`, async () => {
    const gpu = await openGpu("software");
    for (const cases of bySize()) {
      const measured = await deviceMetrics(gpu, profile, cases.map(rendered), cases.map(photo));
      for (const [index, { psnr, ssim }] of measured.entries()) {
        const expected = cases[index];
        assertNear(ssim, expected.ssim[flavour], DEVICE.ssim, `SSIM of ${named(expected)}`);
        assertNear(psnr, expected.psnr, DEVICE.psnr, `PSNR of ${named(expected)}`);
      }
    }
    gpu.close();
  });

  Deno.test(`referenceMetrics() gives SSIM as ${flavour}, and PSNR, within float64`, () => {
    // The smallest and one larger picture: direct 2D sums are slow, and the rest follows from the device's agreement.
    for (const expected of golden.cases.filter(({ width }) => width === 11 || width === 32)) {
      const { psnr, ssim } = referenceMetrics(profile, rendered(expected), photo(expected));
      assertNear(ssim, expected.ssim[flavour], REFERENCE.ssim, `SSIM of ${named(expected)}`);
      assertNear(psnr, expected.psnr, REFERENCE.psnr, `PSNR of ${named(expected)}`);
    }
  });
}

Deno.test("viewMeans() pools squared errors as torchmetrics does over a batch", async () => {
  const gpu = await openGpu("software");
  const profile = { ...DEFAULT_METRICS, psnr: { mode: "pooled" as const, cap: 100 } };
  for (const [index, cases] of bySize().entries()) {
    const views = await deviceMetrics(gpu, profile, cases.map(rendered), cases.map(photo));
    assertNear(viewMeans(profile, views).psnr, golden.pooled[index].psnr, DEVICE.psnr, "pooled PSNR");
  }
  gpu.close();
});

function bySize(): GoldenCase[][] {
  return golden.pooled.map(({ width }) => golden.cases.filter((one) => one.width === width));
}

const rendered = (one: GoldenCase) =>
  asRendered(formulaPicture(one.rendered as PictureKind, one.width, one.height, 1));
const photo = (one: GoldenCase) => formulaPicture(one.photo as PictureKind, one.width, one.height, 2);
const named = (one: GoldenCase) => `${one.rendered} against ${one.photo}, ${one.width}×${one.height}`;

function assertNear(actual: number, expected: number, tolerance: number, what: string): void {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what} is ${actual}, not ${expected} ± ${tolerance}`);
}
