/** LPIPS against the lpips package; `tests/golden/lpips/generate.py` made the values. */
import assert from "node:assert/strict";
import { BenchError, GpuError } from "../../../env/errors.ts";
import { blankImage, type Image } from "../../../env/image.ts";
import { type Gpu, openGpu } from "../../../gpu/device.ts";
import { LpipsPass } from "../../../splat/score/lpips/lpips_pass.ts";
import { convolutions, lpipsNetSchema } from "../../../splat/score/lpips/networks.ts";
import golden from "../../golden/lpips/golden.json" with { type: "json" };
import { concatenated } from "../score/device_metrics.ts";
import { asRendered, formulaPicture, type PictureKind } from "../score/formula_pictures.ts";
import { drawnWeights } from "./drawn_weights.ts";

for (const net of lpipsNetSchema.options) {
  Deno.test(`measure() gives the distances of the lpips package with ${net}`, () =>
    withGpu(async (gpu) => {
      const weights = drawnWeights(net);
      for (const { name, last } of golden.nets[net].parameters) {
        const [, convolution, kind] = /^(.*)\.(weight|bias)$/.exec(name) ?? [];
        const parameters = weights.convolutions.get(convolution);
        assert.equal((kind === "bias" ? parameters?.bias : parameters?.weight)?.at(-1), last, name);
      }
      const pass = await LpipsPass.create(gpu, weights);
      const cases = golden.cases.filter((entry) => entry.net === net);
      for (const [size, same] of Map.groupBy(cases, ({ width, height }) => `${width}x${height}`)) {
        const { width, height } = same[0];
        const distances = await measured(
          gpu,
          pass,
          same.map(({ rendered }) => asRendered(formulaPicture(kindOf(rendered), width, height, 1))),
          same.map(({ photo }) => formulaPicture(kindOf(photo), width, height, 2)),
        );
        for (const [at, { rendered, photo, float64 }] of same.entries()) {
          const error = Math.abs(distances[at] - float64);
          assert.ok(
            error < 2e-7 + 1e-5 * float64,
            `${net} ${size} ${rendered}–${photo}: ${distances[at]}, not ${float64}`,
          );
        }
      }
      pass.destroy();
    }));
}

async function measured(
  gpu: Gpu,
  pass: LpipsPass,
  views: readonly Float32Array[],
  images: readonly Image[],
): Promise<number[]> {
  const [{ width, height }] = images;
  const photos = await pass.photos(images);
  const rendered = gpu.upload("views", concatenated(views));
  const pairs = images.map((_, index) => ({ view: index, photo: index }));
  const { commands, reads, decode, destroy } = pass.measure({ rendered, width, height, photos, pairs });
  const distances = decode(await gpu.submit("lpips", commands, reads));
  destroy();
  photos.destroy();
  rendered.destroy();
  return distances;
}

function kindOf(name: string): PictureKind {
  // deno-lint-ignore no-explicit-any
  return name as any;
}

async function withGpu(run: (gpu: Gpu) => Promise<void>): Promise<void> {
  const gpu = await openGpu("software");
  try {
    await run(gpu);
  } finally {
    gpu.close();
  }
}
