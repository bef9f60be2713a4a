import assert from "node:assert/strict";
import { blankImage, type Image } from "../../../env/image.ts";
import { openGpu } from "../../../gpu/device.ts";
import type { Camera } from "../../../splat/camera.ts";
import { RENDER_PROFILES } from "../../../splat/render/profile.ts";
import { Renderer } from "../../../splat/render/renderer.ts";
import { type PhotoSet, type RenderJob, viewImage } from "../../../splat/render/renderer_types.ts";
import { DEFAULT_METRICS } from "../../../splat/score/metric_profile.ts";
import { referenceMetrics } from "../../reference/metrics.ts";
import { referenceRender } from "../../reference/render.ts";
import { fittedScene, gaussian, orbitCameras } from "./random_scenes.ts";

const { torch } = RENDER_PROFILES;
const small = orbitCameras(3, 37, 29);
const large = orbitCameras(2, 61, 40);

function photo(camera: Camera, level: number): Image {
  return blankImage(camera.width, camera.height, [level, 200, 255 - level]);
}

async function openRenderer() {
  const gpu = await openGpu("software");
  return { gpu, renderer: await Renderer.open(gpu, torch, DEFAULT_METRICS) };
}

Deno.test("Renderer draws and measures jobs of unlike sizes, scenes and photos in one call", async () => {
  const { gpu, renderer } = await openRenderer();
  const photosA = small.map((camera, k) => photo(camera, 40 * k));
  const photosB = large.map((camera, k) => photo(camera, 90 + 60 * k));
  const photosC = [photo(small[1], 250)];
  const [a, b, c] = [photosA, photosB, photosC].map((images) => renderer.photos(images));
  const scene = fittedScene(1, 40);
  const jobs: (RenderJob & { images: Image[] | null })[] = [
    { scene, cameras: small, photos: a, pixels: true, images: photosA },
    { scene: [], cameras: large, photos: b, pixels: false, images: photosB },
    { scene: fittedScene(2, 70), cameras: large, photos: null, pixels: true, images: null },
    { scene: [gaussian()], cameras: [small[1]], photos: c, pixels: true, images: photosC },
    { scene, cameras: [], photos: null, pixels: true, images: null },
  ];
  const results = await renderer.render(jobs);
  assert.deepEqual(results.map((views) => views.length), [3, 2, 2, 1, 0]);
  for (const [k, { scene, cameras, pixels, images }] of jobs.entries()) {
    for (const [v, camera] of cameras.entries()) {
      const { rgbt, metrics } = results[k][v];
      const wanted = referenceRender(scene, camera, torch).rgbt;
      assert.equal(rgbt !== null, pixels);
      rgbt?.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) <= 1e-4));
      assert.equal(metrics === null, images === null);
      if (metrics === null || images === null) continue;
      const measured = referenceMetrics(DEFAULT_METRICS, wanted, images[v]);
      assert.ok(Math.abs(metrics.psnr - measured.psnr) < 1e-3, `${metrics.psnr} dB, wanted ${measured.psnr}`);
      assert.ok(
        Math.abs(metrics.ssim - measured.ssim) < 1e-4,
        `SSIM ${metrics.ssim}, wanted ${measured.ssim}`,
      );
      assert.ok(Math.abs(metrics.iou - measured.iou) < 0.01, `IoU ${metrics.iou}, wanted ${measured.iou}`);
    }
  }
  for (const [k, job] of jobs.entries()) {
    assert.deepEqual((await renderer.render([job]))[0], results[k], `job ${k} alone`);
  }
  gpu.close();
});

Deno.test("Renderer answers overlapping calls each with its own pictures", async () => {
  const { gpu, renderer } = await openRenderer();
  const jobs = [1, 2, 3, 4].map((seed): RenderJob => ({
    scene: fittedScene(seed, 10 * seed),
    cameras: small,
    photos: null,
    pixels: true,
  }));
  const together = await Promise.all(jobs.map((job) => renderer.render([job])));
  assert.deepEqual(together.flat(), await renderer.render(jobs));
  gpu.close();
});

Deno.test("Renderer gives an empty scene the score of a blank photo", async () => {
  const { gpu, renderer } = await openRenderer();
  const photos = renderer.photos(small.map(({ width, height }) => blankImage(width, height)));
  const [views] = await renderer.render([{ scene: [], cameras: small, photos, pixels: false }]);
  for (const { metrics } of views) {
    assert.deepEqual(metrics, { psnr: DEFAULT_METRICS.psnr.cap, ssim: 1, iou: 1 });
  }
  assert.deepEqual(await renderer.render([]), []);
  gpu.close();
});

Deno.test("Renderer refuses photos that are not the cameras', and cameras that cannot see", async () => {
  const { gpu, renderer } = await openRenderer();
  const photos = renderer.photos(small.map((camera) => photo(camera, 0)));
  const job = { scene: [gaussian()], cameras: small, photos, pixels: true };
  await assert.rejects(renderer.render([{ ...job, cameras: large }]), /it has 3 photos and 2 cameras/);
  await assert.rejects(
    renderer.render([{ ...job, cameras: [...large, large[0]] }]),
    /Cannot measure job 0 of the batch: its photos have 37x29 pixels, a camera 61x40\. Give one photo/,
  );
  const foreign: PhotoSet = { width: 37, height: 29, count: 3, pick: () => foreign, destroy: () => {} };
  await assert.rejects(
    renderer.render([{ ...job, photos: foreign }]),
    /they are not on this device/,
  );
  const flat: Camera = { ...small[0], rotation: [[1, 0, 0], [0, 1, 0], [1, 0, 0]] };
  await assert.rejects(
    renderer.render([{ ...job, cameras: [flat], photos: null }]),
    /its rotation R has determinant 0, wanted 1/,
  );
  await assert.rejects(
    renderer.render([{ ...job, cameras: [{ ...small[0], width: 0 }], photos: null }]),
    /a camera has 0x29 pixels/,
  );
  gpu.close();
});

Deno.test("viewImage() rounds every level and half level to the nearest, and leaves out transmittance", () => {
  const levels = Array.from({ length: 2 * 255 + 1 }, (_, i) => i / 2);
  const rgbt = new Float32Array(levels.flatMap((level) => [level / 255, 1 - level / 255, 0.5, 0.25]));
  const { data } = viewImage(rgbt, levels.length, 1);
  const wanted = Array.from({ length: levels.length }, (_, i) => [4 * i, 4 * i + 1, 4 * i + 2]).flat()
    .map((at) => Math.round(255 * rgbt[at]));
  assert.deepEqual([...data], wanted);
});
