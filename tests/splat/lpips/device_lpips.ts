/** Runs an LPIPS pass by itself, for tests. */
import type { Image } from "../../../env/image.ts";
import type { Gpu } from "../../../gpu/device.ts";
import type { LpipsPass } from "../../../splat/score/lpips/lpips_pass.ts";
import type { ViewPair } from "../../../splat/score/metric_pass.ts";
import { concatenated } from "../score/device_metrics.ts";

/** LPIPS of rendered views `[height, width, 4]` against photos: of pairs, or of the same index, in one submit. */
export async function deviceLpips(
  gpu: Gpu,
  pass: LpipsPass,
  views: readonly Float32Array[],
  images: readonly Image[],
  pairs: readonly ViewPair[] = images.map((_, index) => ({ view: index, photo: index })),
): Promise<number[]> {
  const [{ width, height }] = images;
  const photos = await pass.photos(images);
  const rendered = gpu.upload("views", concatenated(views));
  const measurement = pass.measure({ rendered, width, height, photos, pairs });
  try {
    return measurement.decode(await gpu.submit("lpips", measurement.commands, measurement.reads));
  } finally {
    for (const owner of [measurement, photos, rendered]) owner.destroy();
  }
}
