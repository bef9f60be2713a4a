/** Runs a metric pass by itself, for tests. */
import type { Image } from "../../../env/image.ts";
import type { Gpu } from "../../../gpu/device.ts";
import type { ViewMetrics } from "../../../splat/render/renderer_types.ts";
import { MetricPass } from "../../../splat/score/metric_pass.ts";
import type { MetricProfile } from "../../../splat/score/metric_profile.ts";

/** Metrics of rendered views `[height, width, 4]` against photos, in pairs of the same index, in one submit. */
export async function deviceMetrics(
  gpu: Gpu,
  profile: MetricProfile,
  rendered: readonly Float32Array[],
  photos: readonly Image[],
): Promise<ViewMetrics[]> {
  const pass = await MetricPass.create(gpu, profile);
  const photoSet = pass.photos(photos);
  const buffer = gpu.upload("rendered", concatenated(rendered));
  const pairs = photos.map((_, index) => ({ view: index, photo: index }));
  const measurement = pass.measure({ rendered: buffer, background: null, photos: photoSet, pairs });
  try {
    return measurement.decode(await gpu.submit("measure", measurement.commands, measurement.reads));
  } finally {
    for (const owner of [measurement, photoSet, buffer]) owner.destroy();
  }
}

/** Views one behind the other, as the renderer leaves them. */
export function concatenated(views: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(views.reduce((sum, view) => sum + view.length, 0));
  let at = 0;
  for (const view of views) {
    all.set(view, at);
    at += view.length;
  }
  return all;
}
