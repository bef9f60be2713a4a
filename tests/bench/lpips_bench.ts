/** How fast LPIPS is: against its convolutions alone, in the fastest pattern known. */
import type { Gpu } from "../../gpu/device.ts";
import type { Command } from "../../gpu/kernel.ts";
import { planFeatures } from "../../splat/score/lpips/feature_plan.ts";
import { LpipsPass } from "../../splat/score/lpips/lpips_pass.ts";
import { drawnWeights } from "../splat/lpips/drawn_weights.ts";
import { concatenated } from "../splat/score/device_metrics.ts";
import { asRendered, formulaPicture } from "../splat/score/formula_pictures.ts";
import type { BenchRow } from "./bench_row.ts";
import { leastMs } from "./least_ms.ts";
import { unrolledConvolution } from "./unrolled_convolution.ts";

const [VIEWS, SIZE] = [8, 256];
/** LPIPS with alex of 8 pictures at 256², the features of the photos being there. */
export async function lpipsBench(gpu: Gpu): Promise<BenchRow[]> {
  const pass = await LpipsPass.create(gpu, drawnWeights("alex"));
  const images = Array.from({ length: VIEWS }, (_, at) => formulaPicture("smooth", SIZE, SIZE, at));
  const photos = await pass.photos(images);
  const views = images.map((_, at) => asRendered(formulaPicture("rough", SIZE, SIZE, at)));
  const rendered = gpu.upload("views", concatenated(views));
  const pairs = images.map((_, at) => ({ view: at, photo: at }));
  const measurement = pass.measure({ rendered, width: SIZE, height: SIZE, photos, pairs });
  const yardstick = await convolutionsAlone(gpu);

  const [whole, alone] = [await deviceMs(gpu, measurement.commands), await deviceMs(gpu, yardstick.commands)];
  for (const owner of [measurement, photos, rendered, pass, yardstick]) owner.destroy();
  return [{
    name:
      `LPIPS of ${VIEWS} pictures at ${SIZE}², against its convolutions alone in the fastest pattern known`,
    ratio: alone / whole,
    wanted: 0.5,
    detail: `${whole.toFixed(0)} ms on the device; ${
      alone.toFixed(0)
    } ms for unrolled convolutions of packed halves`,
  }];
}

async function convolutionsAlone(gpu: Gpu): Promise<{ commands: Command[]; destroy(): void }> {
  const { steps, tensors } = planFeatures("alex", SIZE, SIZE);
  const made = await Promise.all(steps.flatMap((step) => {
    if (step.kind === "pool") return [];
    const [input, { width, height }] = [tensors[step.from], tensors[step.to]];
    const size = { inputs: input.channels, outputs: step.layer.outputs, size: step.size, width, height };
    return [unrolledConvolution(gpu, VIEWS, size)];
  }));
  return {
    commands: made.map(({ command }) => command),
    destroy: () => made.forEach((one) => one.destroy()),
  };
}

/** Least time of the commands, less that of an empty submit, which costs a wait of its own. */
async function deviceMs(gpu: Gpu, commands: readonly Command[]): Promise<number> {
  const probe = gpu.buffer("probe", 4);
  const empty = await leastMs(() => gpu.submit("empty", [], [probe]));
  const full = await leastMs(() => gpu.submit("LPIPS", commands, [probe]));
  probe.destroy();
  return full - empty;
}
