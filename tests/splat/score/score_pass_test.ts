import assert from "node:assert/strict";
import { blankImage } from "../../../env/image.ts";
import { stream } from "../../../env/random.ts";
import { openGpu } from "../../../gpu/device.ts";
import { orbitCamera } from "../../../splat/camera.ts";
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { DEFAULT_RENDER_PROFILE } from "../../../splat/render/profile.ts";
import { Renderer } from "../../../splat/render/renderer.ts";
import { DEFAULT_METRICS } from "../../../splat/score/metric_profile.ts";
import { drawnWeights } from "../lpips/drawn_weights.ts";

const [WIDTH, HEIGHT] = [47, 39];

Deno.test("Renderer measures LPIPS of each view against its own photo, and only where photos are to be scored", async () => {
  const gpu = await openGpu("software");
  try {
    const weights = drawnWeights("squeeze");
    const renderer = await Renderer.open(gpu, DEFAULT_RENDER_PROFILE, DEFAULT_METRICS, weights);
    const noise = stream(5, "photos");
    const images = [0, 1, 2].map(() => {
      const image = blankImage(WIDTH, HEIGHT);
      return { ...image, data: image.data.map(() => noise.integer(0, 256)) };
    });
    const cameras = [0, 120, 240].map((azimuthDeg) =>
      orbitCamera({ azimuthDeg, elevationDeg: 20, distance: 3, fovDeg: 40 }, WIDTH, HEIGHT)
    );
    const scenes = [randomBlobScene(1), randomBlobScene(2)];
    const photos = await renderer.scoredPhotos(images);
    const shown = renderer.photos(images);
    const together = await renderer.render([
      ...scenes.map((scene) => ({ scene, cameras, photos, pixels: false })),
      { scene: scenes[0], cameras, photos: shown, pixels: false },
    ]);
    for (const [at, scene] of scenes.entries()) {
      for (const [view, image] of images.entries()) {
        const alone = await renderer.scoredPhotos([image]);
        const job = { scene, cameras: [cameras[view]], photos: alone, pixels: false };
        const [[{ metrics }]] = await renderer.render([job]);
        assert.deepEqual(together[at][view].metrics, metrics);
        alone.destroy();
      }
    }
    const distances = together.slice(0, 2).flat().map(({ metrics }) => metrics?.lpips ?? NaN);
    assert.equal(new Set(distances).size, 6);
    assert.ok(distances.every((distance) => distance > 0));
    assert.ok(together[2].every(({ metrics }) => metrics !== null && metrics.lpips === undefined));
    photos.destroy();
    shown.destroy();
  } finally {
    gpu.close();
  }
});

Deno.test("Renderer without weights scores without LPIPS", async () => {
  const gpu = await openGpu("software");
  try {
    const renderer = await Renderer.open(gpu, DEFAULT_RENDER_PROFILE, DEFAULT_METRICS);
    const camera = orbitCamera({ azimuthDeg: 0, elevationDeg: 20, distance: 3, fovDeg: 40 }, WIDTH, HEIGHT);
    const photos = await renderer.scoredPhotos([blankImage(WIDTH, HEIGHT)]);
    const [[{ metrics }]] = await renderer.render([{ scene: [], cameras: [camera], photos, pixels: false }]);
    assert.deepEqual(metrics, { psnr: 100, ssim: 1, iou: 1 });
  } finally {
    gpu.close();
  }
});
