import assert from "node:assert/strict";
import { BenchError, GpuError } from "../../../env/errors.ts";
import { blankImage, type Image } from "../../../env/image.ts";
import { type Gpu, openGpu } from "../../../gpu/device.ts";
import { LpipsPass } from "../../../splat/score/lpips/lpips_pass.ts";
import type { LpipsNet } from "../../../splat/score/lpips/networks.ts";
import { MetricPass } from "../../../splat/score/metric_pass.ts";
import { DEFAULT_METRICS } from "../../../splat/score/metric_profile.ts";
import { concatenated, deviceMetrics } from "../score/device_metrics.ts";
import { asRendered, formulaPicture, type PictureKind } from "../score/formula_pictures.ts";
import { deviceLpips } from "./device_lpips.ts";
import { drawnWeights } from "./drawn_weights.ts";

const KINDS: PictureKind[] = ["smooth", "noisy", "rough", "near", "white", "object"];

for (const net of ["alex", "squeeze"] as const) {
  Deno.test(`measure() with ${net} is 0 for equal pictures, and finite where features are all zeros`, () =>
    withPass(net, async (gpu, pass) => {
      const photos = [...KINDS.map((kind) => formulaPicture(kind, 67, 45, 3)), blankImage(67, 45, [0, 0, 0])];
      const same = await deviceLpips(gpu, pass, photos.map(asRendered), photos);
      assert.deepEqual(same, photos.map(() => 0));
      const [black, white] = [blankImage(67, 45, [0, 0, 0]), blankImage(67, 45)];
      const [apart] = await deviceLpips(gpu, pass, [asRendered(black)], [white]);
      assert.ok(apart > 0.01 && apart < 10, `black and white are ${apart} apart`);
    }));
}

Deno.test("measure() survives a network whose features are all zeros", () =>
  withGpu(async (gpu) => {
    const drawn = drawnWeights("squeeze");
    // Biases far below zero: every ReLU is shut (PerceptualSimilarity issues 69 and 121).
    const shut = [...drawn.convolutions].map(([name, { weight, bias }]) =>
      [name, { weight, bias: bias.map(() => -100) }] as const
    );
    const pass = await LpipsPass.create(gpu, { ...drawn, convolutions: new Map(shut) });
    const [a, b] = [formulaPicture("noisy", 67, 45, 3), formulaPicture("smooth", 67, 45, 3)];
    assert.deepEqual(await deviceLpips(gpu, pass, [asRendered(a)], [b]), [0]);
  }));

Deno.test("measure() does not change when every feature shrinks by one factor, down to 1e-7", () =>
  withGpu(async (gpu) => {
    const drawn = drawnWeights("squeeze");
    const [a, b] = [formulaPicture("rough", 53, 45, 3), formulaPicture("smooth", 53, 45, 3)];
    const distances: number[] = [];
    for (const factor of [1, 2 ** -16, 2 ** -22]) {
      // Without biases a network of ReLUs is homogeneous: what its first layer is multiplied by, all features are.
      const scaled = [...drawn.convolutions].map(([name, { weight, bias }]) =>
        [name, {
          weight: name === "0" ? weight.map((w) => w * factor) : weight,
          bias: bias.map(() => 0),
        }] as const
      );
      const pass = await LpipsPass.create(gpu, { ...drawn, convolutions: new Map(scaled) });
      distances.push(...await deviceLpips(gpu, pass, [asRendered(a)], [b]));
    }
    const [whole, ...shrunk] = distances;
    // The length that features are divided by has 1e-10 added outside of the root; inside, it would be 1e-5.
    for (const distance of shrunk) assert.ok(Math.abs(distance / whole - 1) < 0.003, `${distances}`);
  }));

Deno.test("measure() refuses colours outside of −0.01 to 1.01 and NaN, and says which view", () =>
  withPass("squeeze", async (gpu, pass) => {
    const photo = formulaPicture("smooth", 41, 53, 1);
    const good = asRendered(photo);
    const last = good.length - 2; // blue of the last pixel
    for (const value of [-0.011, 1.011, NaN, Infinity, -1]) {
      const bad = Float32Array.from(good, (old, at) => at === last ? value : old);
      await assert.rejects(
        deviceLpips(gpu, pass, [good, bad], [photo, photo]),
        (error) => error instanceof GpuError && /LPIPS of view 1: .* −0\.01 to 1\.01/.test(error.message),
        String(value),
      );
    }
    // In [−1, 1], as other implementations want it (PerceptualSimilarity issue 83).
    const scaled = good.map((value) => 2 * value - 1);
    await assert.rejects(deviceLpips(gpu, pass, [scaled], [photo]), GpuError);
    const edge = good.map((value, at) => at % 4 === 3 ? 55 : value < 0.5 ? -0.0099 : 1.0099);
    assert.equal((await deviceLpips(gpu, pass, [edge], [photo])).length, 1);
  }));

Deno.test("measure() gives each pair the same whatever goes through the network with it", () =>
  withPass("squeeze", async (gpu, pass) => {
    const size = [39, 58] as const;
    // More photos than go through the network at once, and pairs out of order.
    const photos = Array.from({ length: 11 }, (_, i) => formulaPicture(KINDS[i % 6], ...size, i));
    const views = Array.from(
      { length: 5 },
      (_, i) => asRendered(formulaPicture(KINDS[(i + 3) % 6], ...size, 90 + i)),
    );
    const pairs = Array.from({ length: 23 }, (_, i) => ({ view: i * 3 % 5, photo: i * 7 % 11 }));
    const together = await deviceLpips(gpu, pass, views, photos, pairs);
    for (const [at, { view, photo }] of pairs.entries()) {
      const [alone] = await deviceLpips(gpu, pass, [views[view]], [photos[photo]]);
      assert.equal(together[at], alone, `pair ${at}`);
    }
    assert.deepEqual(await deviceLpips(gpu, pass, views, photos, pairs), together);
  }));

Deno.test("measure() gives the same with photo and render exchanged", () =>
  withPass("squeeze", async (gpu, pass) => {
    const [a, b] = [formulaPicture("rough", 45, 61, 1), formulaPicture("object", 45, 61, 2)];
    const [there, back] = await deviceLpips(gpu, pass, [a, b].map(asRendered), [b, a]);
    assert.ok(Math.abs(there - back) < 1e-6 * there, `${there} and ${back}`);
  }));

Deno.test("measure() shares a submit and its readback with the other metrics", () =>
  withPass("squeeze", async (gpu, pass) => {
    const images = [formulaPicture("object", 43, 37, 1), formulaPicture("rough", 43, 37, 2)];
    const views = [formulaPicture("near", 43, 37, 3), formulaPicture("noisy", 43, 37, 4)].map(asRendered);
    const rendered = gpu.upload("views", concatenated(views));
    const pairs = [{ view: 0, photo: 0 }, { view: 1, photo: 1 }];
    const metrics = await MetricPass.create(gpu, DEFAULT_METRICS);
    const photos = await pass.photos(images);
    const lpips = pass.measure({ rendered, width: 43, height: 37, photos, pairs });
    const other = metrics.measure({ rendered, background: null, photos: metrics.photos(images), pairs });
    const buffers = await gpu.submit("both", [...other.commands, ...lpips.commands], [
      ...other.reads,
      ...lpips.reads,
    ]);
    assert.deepEqual(
      other.decode(buffers.slice(0, 1)),
      await deviceMetrics(gpu, DEFAULT_METRICS, views, images),
    );
    assert.deepEqual(lpips.decode(buffers.slice(1)), await deviceLpips(gpu, pass, views, images));
  }));

Deno.test("photos() keeps its features for every later measurement, also after pictures of another size", () =>
  withPass("squeeze", async (gpu, pass) => {
    const images = [formulaPicture("object", 43, 37, 1)];
    const photos = await pass.photos(images);
    const rendered = gpu.upload("views", asRendered(formulaPicture("rough", 43, 37, 2)));
    const distance = async () => {
      const { commands, reads, decode, destroy } = pass.measure({
        rendered,
        width: 43,
        height: 37,
        photos,
        pairs: [{ view: 0, photo: 0 }],
      });
      const [value] = decode(await gpu.submit("lpips", commands, reads));
      destroy();
      return value;
    };
    const first = await distance();
    await deviceLpips(gpu, pass, [asRendered(formulaPicture("noisy", 64, 50, 2))], [
      formulaPicture("smooth", 64, 50, 1),
    ]);
    assert.equal(await distance(), first);
  }));

Deno.test("measure() works for many sizes in one submit, and again after their room was given back", () =>
  withPass("squeeze", async (gpu, pass) => {
    const sizes = [[40, 31], [33, 52], [45, 45], [64, 37], [52, 33]] as const;
    const run = async () => {
      const work = [];
      for (const [width, height] of sizes) {
        const photos = await pass.photos([formulaPicture("rough", width, height, 1)]);
        const rendered = gpu.upload("views", asRendered(formulaPicture("object", width, height, 2)));
        const pairs = [{ view: 0, photo: 0 }];
        const measurement = pass.measure({ rendered, width, height, photos, pairs });
        work.push({
          measurement,
          destroy: () => [measurement, photos, rendered].forEach((own) => own.destroy()),
        });
      }
      const buffers = await gpu.submit(
        "all sizes",
        work.flatMap(({ measurement }) => measurement.commands),
        work.flatMap(({ measurement }) => measurement.reads),
      );
      const distances = work.map(({ measurement }) => measurement.decode(buffers.splice(0, 2))[0]);
      work.forEach(({ destroy }) => destroy());
      return distances;
    };
    const first = await run();
    assert.deepEqual(await run(), first);
    assert.equal(new Set(first).size, sizes.length);
  }));

Deno.test("photos() and measure() refuse pictures they cannot compare", () =>
  withPass("squeeze", async (gpu, pass) => {
    const refused = async (images: Image[], message: RegExp) =>
      await assert.rejects(
        pass.photos(images),
        (error) => error instanceof BenchError && message.test(error.message),
      );
    await refused([], /no photos were given/);
    await refused([blankImage(40, 30), blankImage(30, 40)], /40×30 and 30×40 pixels in one set/);
    await refused(
      [blankImage(400, 8)],
      /400×8 pixels leave nothing after its pooling layers. Use larger pictures/,
    );
    const photos = await pass.photos([blankImage(40, 30)]);
    const rendered = gpu.buffer("views", 40 * 30 * 16);
    const pairs = [{ view: 0, photo: 0 }];
    assert.throws(
      () => pass.measure({ rendered, width: 30, height: 40, photos, pairs }),
      /views of 30×40 and photos of 40×30/,
    );
    await refused(
      [blankImage(20_000, 200)],
      /on this device: 20000×200 pixels need a buffer of \d+ bytes, it allows \d+/,
    );
  }));

async function withPass(net: LpipsNet, run: (gpu: Gpu, pass: LpipsPass) => Promise<void>): Promise<void> {
  await withGpu(async (gpu) => {
    const pass = await LpipsPass.create(gpu, drawnWeights(net));
    await run(gpu, pass);
    pass.destroy();
  });
}

async function withGpu(run: (gpu: Gpu) => Promise<void>): Promise<void> {
  const gpu = await openGpu("software");
  try {
    await run(gpu);
  } finally {
    gpu.close();
  }
}
