import assert from "node:assert/strict";
import { BenchError, GpuError } from "../../../env/errors.ts";
import { blankImage, type Image } from "../../../env/image.ts";
import { openGpu } from "../../../gpu/device.ts";
import type { Gpu } from "../../../gpu/device.ts";
import { MetricPass } from "../../../splat/score/metric_pass.ts";
import { DEFAULT_METRICS, type MetricProfile, SSIM_FLAVOURS } from "../../../splat/score/metric_profile.ts";
import { referenceMetrics } from "../../reference/metrics.ts";
import { concatenated, deviceMetrics } from "./device_metrics.ts";
import { asRendered, formulaPicture, type PictureKind } from "./formula_pictures.ts";

const KINDS: PictureKind[] = ["smooth", "noisy", "rough", "near", "white", "object"];

Deno.test("measure() gives cap, 1 and 1 for views that equal their photos", () =>
  withGpu(async (gpu) => {
    const photos = KINDS.map((kind) => formulaPicture(kind, 37, 71, 3));
    const views = await deviceMetrics(gpu, DEFAULT_METRICS, photos.map(asRendered), photos);
    for (const view of views) assert.deepEqual(view, { psnr: 100, ssim: 1, iou: 1 });
  }));

Deno.test("measure() finds no difference in any of the 256 photo values", () =>
  withGpu(async (gpu) => {
    const photo = { width: 16, height: 16, data: Uint8Array.from({ length: 768 }, (_, i) => i % 256) };
    const [{ psnr }] = await deviceMetrics(
      gpu,
      { ...DEFAULT_METRICS, psnr: { mode: "per-view", cap: 1e6 } },
      [
        asRendered(photo),
      ],
      [photo],
    );
    assert.equal(psnr, 1e6);
  }));

Deno.test("measure() agrees with the closed form for pictures of one colour", () =>
  withGpu(async (gpu) => {
    // Flat pictures have no variance, so SSIM is its luminance term: (2ab + C1) / (a² + b² + C1).
    const [a, b] = [51 / 255, 204 / 255];
    const expected = (2 * a * b + 1e-4) / (a * a + b * b + 1e-4);
    for (const flavour of ["pytorch-msssim", "torchmetrics", "skimage"] as const) {
      const profile = { ...DEFAULT_METRICS, ssim: SSIM_FLAVOURS[flavour] };
      const [{ ssim, psnr }] = await deviceMetrics(gpu, profile, [
        asRendered(blankImage(23, 19, [51, 51, 51])),
      ], [blankImage(23, 19, [204, 204, 204])]);
      assert.ok(Math.abs(ssim - expected) < 1e-6, `${flavour}: ${ssim}, not ${expected}`);
      assert.ok(Math.abs(psnr - -20 * Math.log10(0.6)) < 1e-5);
    }
  }));

Deno.test("measure() gives the same SSIM with photo and render exchanged", () =>
  withGpu(async (gpu) => {
    const [a, b] = [formulaPicture("rough", 45, 61, 1), formulaPicture("object", 45, 61, 2)];
    for (const ssim of Object.values(SSIM_FLAVOURS)) {
      const [there, back] = await deviceMetrics(gpu, { ...DEFAULT_METRICS, ssim }, [a, b].map(asRendered), [
        b,
        a,
      ]);
      assert.ok(Math.abs(there.ssim - back.ssim) < 1e-6, `${there.ssim} and ${back.ssim}`);
      assert.ok(Math.abs(there.psnr - back.psnr) < 1e-5);
    }
  }));

Deno.test("measure() agrees with float64 on odd sizes, in every flavour, with the change anywhere", () =>
  withGpu(async (gpu) => {
    const sizes = [[11, 11], [12, 33], [13, 65], [35, 31], [66, 32]];
    for (const ssim of Object.values(SSIM_FLAVOURS)) {
      for (const [width, height] of sizes) {
        const photo = formulaPicture("smooth", width, height, 1);
        // One changed pixel: every window that sees it must be measured, whatever block it lies in. The corner of the
        // smallest picture is also the worst case for the average that a block is measured relative to.
        const spots = [[0, 0], [width - 1, height - 1], [width >> 1, height >> 1]];
        const views = spots.map(([x, y]) => withPixel(asRendered(photo), width, x, y));
        const profile = { ...DEFAULT_METRICS, ssim };
        const actual = await deviceMetrics(gpu, profile, views, views.map(() => photo));
        for (const [index, view] of views.entries()) {
          const expected = referenceMetrics(profile, view, photo);
          assert.ok(
            Math.abs(actual[index].ssim - expected.ssim) < 1e-6,
            `${width}×${height} at ${spots[index]}`,
          );
          assert.ok(Math.abs(actual[index].psnr - expected.psnr) < 1e-4);
        }
      }
    }
  }));

Deno.test("measure() gives each view of a batch the bits it has alone", () =>
  withGpu(async (gpu) => {
    const photos = KINDS.map((kind) => formulaPicture(kind, 43, 61, 2));
    const views = KINDS.map((kind) => asRendered(formulaPicture(kind, 43, 61, 5))).reverse();
    const together = await deviceMetrics(gpu, DEFAULT_METRICS, views, photos);
    for (const [index, view] of views.entries()) {
      assert.deepEqual(await deviceMetrics(gpu, DEFAULT_METRICS, [view], [photos[index]]), [together[index]]);
    }
  }));

Deno.test("measure() pairs any view with any photo of several sets in one submit", () =>
  withGpu(async (gpu) => {
    const pass = await MetricPass.create(gpu, DEFAULT_METRICS);
    const wide = KINDS.slice(0, 3).map((kind) => formulaPicture(kind, 61, 43, 1));
    const tall = KINDS.slice(3).map((kind) => formulaPicture(kind, 19, 40, 1));
    const pairs = [{ view: 2, photo: 0 }, { view: 0, photo: 1 }, { view: 2, photo: 2 }, {
      view: 1,
      photo: 0,
    }];
    const sets = [wide, tall].map((images) => ({
      images,
      photos: pass.photos(images),
      rendered: gpu.upload("rendered", concatenated(images.map(asRendered))),
    }));
    const measurements = sets.map(({ photos, rendered }) =>
      pass.measure({ photos, rendered, background: null, pairs })
    );
    const bytes = await gpu.submit(
      "two sets",
      measurements.flatMap(({ commands }) => commands),
      measurements.flatMap(({ reads }) => reads),
    );
    for (const [index, { images }] of sets.entries()) {
      const expected = pairs.map(({ view, photo }) =>
        referenceMetrics(DEFAULT_METRICS, asRendered(images[view]), images[photo])
      );
      for (const [pair, actual] of measurements[index].decode([bytes[index]]).entries()) {
        assert.ok(Math.abs(actual.ssim - expected[pair].ssim) < 1e-6);
        assert.ok(Math.abs(actual.psnr - expected[pair].psnr) < 1e-4);
        assert.equal(actual.iou, expected[pair].iou);
      }
    }
  }));

Deno.test("measure() gives the IoU of overlapping rectangles, and 1 for two empty silhouettes", () =>
  withGpu(async (gpu) => {
    // 10×6 and 8×10 pixels that share 4×3: 12 / (60 + 80 − 12).
    const [a, b] = [rectangle(3, 5, 10, 6), rectangle(9, 8, 8, 10)];
    const white = blankImage(29, 37);
    const profiles = (["min", "mean", "l2"] as const).map((distance): MetricProfile => ({
      ...DEFAULT_METRICS,
      iou: { ...DEFAULT_METRICS.iou, distance },
    }));
    for (const profile of profiles) {
      const views = await deviceMetrics(gpu, profile, [a, b, white, a].map(asRendered), [b, b, white, white]);
      assert.deepEqual(views.map(({ iou }) => iou), [12 / 128, 1, 1, 0]);
    }
  }));

Deno.test("measure() tells the silhouette by the profile's distance from white", () =>
  withGpu(async (gpu) => {
    // 1 − colour is (0.2, 0.2, 0.04): smallest channel 0.2, mean 0.1467, length 0.2857.
    const tint = { ...rectangle(3, 5, 10, 6, [204, 204, 245]) };
    const solid = rectangle(3, 5, 10, 6);
    const thresholds = { min: [0.19, 0.21], mean: [0.146, 0.148], l2: [0.28, 0.29] } as const;
    for (const [distance, [below, above]] of Object.entries(thresholds)) {
      for (const [threshold, expected] of [[below, 1], [above, 0]]) {
        const iou = {
          ...DEFAULT_METRICS.iou,
          renderMask: "color" as const,
          distance: distance as keyof typeof thresholds,
          threshold,
        };
        const views = await deviceMetrics(
          gpu,
          { ...DEFAULT_METRICS, iou },
          [tint, solid].map(asRendered),
          [solid, tint],
        );
        assert.deepEqual(
          views.map((view) => view.iou),
          [expected, expected],
          `${distance} above ${threshold}`,
        );
      }
    }
  }));

Deno.test("measure() counts no soft tail of a Gaussian, unless the silhouette is one of colour", () =>
  withGpu(async (gpu) => {
    const [width, height] = [161, 147];
    // A black Gaussian of alpha exp(−r²/2σ²) on white, before a photo of the disk where that is above a half.
    const variance = 20 ** 2;
    const squares = Array.from(
      { length: width * height },
      (_, i) => (i % width - 80.3) ** 2 + (Math.floor(i / width) - 71.8) ** 2,
    );
    const photo = blankImage(width, height);
    const view = new Float32Array(4 * width * height);
    for (const [i, square] of squares.entries()) {
      view.fill(1 - Math.exp(-square / 2 / variance), 4 * i, 4 * i + 4);
      if (square < 2 * Math.LN2 * variance) photo.data.fill(0, 3 * i, 3 * i + 3);
    }
    const [measured] = await deviceMetrics(gpu, DEFAULT_METRICS, [view], [photo]);
    assert.equal(measured.iou, 1);
    const color = { ...DEFAULT_METRICS, iou: { ...DEFAULT_METRICS.iou, renderMask: "color" as const } };
    const [byColor] = await deviceMetrics(gpu, color, [view], [photo]);
    // Areas as r²: down to alpha 1/2, and down to 1/20. Their borders are pixels, hence a band.
    assert.ok(Math.abs(byColor.iou - Math.log(2) / Math.log(20)) < 0.01, `${byColor.iou}`);
  }));

Deno.test("measure() takes the render's silhouette from its transmittance", () =>
  withGpu(async (gpu) => {
    const photo = rectangle(3, 5, 10, 6);
    const { iou } = DEFAULT_METRICS;
    // White Gaussians on white: nothing to see, but half of the rectangle is covered.
    const view = asRendered(blankImage(29, 37));
    for (let i = 0; i < 29 * 37; i++) view[4 * i + 3] = isObject(photo, i) && i % 29 < 8 ? 0.4 : 0.6;
    const [{ iou: actual }] = await deviceMetrics(gpu, { ...DEFAULT_METRICS, iou }, [view], [photo]);
    assert.equal(actual, 0.5);
  }));

Deno.test("photos() refuses pictures smaller than the window, and takes those of its size", () =>
  withGpu(async (gpu) => {
    for (const [flavour, side] of [["inria", 11], ["pytorch-msssim", 11], ["skimage", 7]] as const) {
      const pass = await MetricPass.create(gpu, { ...DEFAULT_METRICS, ssim: SSIM_FLAVOURS[flavour] });
      for (const [width, height] of [[side - 1, 40], [40, side - 1]]) {
        assert.throws(
          () => pass.photos([blankImage(width, height)]),
          (error) => error instanceof BenchError && error.message.includes(`${width}×${height}`),
        );
      }
      pass.photos([blankImage(side, side)]).destroy();
    }
  }));

Deno.test("photos() refuses no photos, two sizes, and pixels that do not fill a picture", () =>
  withGpu(async (gpu) => {
    const pass = await MetricPass.create(gpu, DEFAULT_METRICS);
    const sets: [Image[], RegExp][] = [
      [[], /no photos/],
      [[blankImage(20, 30), blankImage(30, 20)], /20×30 and 30×20/],
      [[{ width: 20, height: 30, data: new Uint8Array(20 * 30 * 4) }], /2400 bytes.*1800/],
    ];
    for (const [images, message] of sets) {
      assert.throws(
        () => pass.photos(images),
        (error) => error instanceof BenchError && message.test(error.message),
      );
    }
  }));

Deno.test("measure() throws for a rendered pixel that is not finite, instead of a number", () =>
  withGpu(async (gpu) => {
    for (const bad of [NaN, Infinity, -Infinity]) {
      const view = asRendered(blankImage(31, 17));
      view[4 * 200 + 1] = bad;
      await assert.rejects(deviceMetrics(gpu, DEFAULT_METRICS, [view], [blankImage(31, 17)]), GpuError);
    }
  }));

async function withGpu(test: (gpu: Gpu) => Promise<void>): Promise<void> {
  const gpu = await openGpu("software");
  try {
    await test(gpu);
  } finally {
    gpu.close();
  }
}

function withPixel(view: Float32Array, width: number, x: number, y: number): Float32Array {
  view.set([0.9, 0.1, 0.5], 4 * (y * width + x));
  return view;
}

function rectangle(
  left: number,
  top: number,
  width: number,
  height: number,
  color: readonly number[] = [200, 40, 90],
): Image {
  const image = blankImage(29, 37);
  for (let y = top; y < top + height; y++) {
    for (let x = left; x < left + width; x++) image.data.set(color, 3 * (y * 29 + x));
  }
  return image;
}

const isObject = (image: Image, pixel: number) => image.data[3 * pixel] !== 255;
