/** Photos on the device, packed for the metric kernels. */
import { BenchError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { PhotoSet } from "../render/renderer_types.ts";
import type { LpipsPhotos } from "./lpips/lpips_photos.ts";
import { type MetricProfile, windowRadius } from "./metric_profile.ts";

/** Photos of one size, `[count, height, width]` pixels of r | g << 8 | b << 16 | silhouette << 24. */
export class DevicePhotos implements PhotoSet {
  constructor(
    readonly buffer: GpuBuffer,
    readonly width: number,
    readonly height: number,
    readonly count: number,
    /** Their features, where they are to be scored with LPIPS. */
    readonly lpips: LpipsPhotos | null = null,
  ) {}

  destroy(): void {
    this.buffer.destroy();
    this.lpips?.destroy();
  }
}

/** Uploads photos. Throws BenchError for no photos, unlike sizes, or pictures smaller than the SSIM window. */
export function uploadPhotos(gpu: Gpu, profile: MetricProfile, images: readonly Image[]): DevicePhotos {
  checkPictures(images);
  checkWindow(profile, images[0]);
  const { width, height } = images[0];
  const isObject = silhouetteTest(profile);
  const words = new Uint32Array(images.length * width * height);
  for (const [index, { data }] of images.entries()) {
    const first = index * width * height;
    for (let pixel = 0; pixel < width * height; pixel++) {
      const [r, g, b] = [data[pixel * 3], data[pixel * 3 + 1], data[pixel * 3 + 2]];
      words[first + pixel] = (r | g << 8 | b << 16 | Number(isObject(r, g, b)) << 24) >>> 0;
    }
  }
  return new DevicePhotos(gpu.upload("photos", words), width, height, images.length);
}

/** Whether an 8-bit colour is further from white than the profile's threshold. */
function silhouetteTest({ iou }: MetricProfile): (r: number, g: number, b: number) => boolean {
  const threshold = 255 * iou.threshold;
  switch (iou.distance) {
    case "min":
      return (r, g, b) => 255 - Math.min(r, g, b) > threshold;
    case "mean":
      return (r, g, b) => 255 - (r + g + b) / 3 > threshold;
    case "l2":
      return (r, g, b) => Math.hypot(255 - r, 255 - g, 255 - b) > threshold;
  }
}

/** Throws BenchError for no pictures, unlike sizes or a wrong number of bytes. */
export function checkPictures(images: readonly Image[]): void {
  const what = "Cannot measure pictures";
  if (images.length === 0) throw new BenchError({ what, why: "no photos were given" });
  const [{ width, height }] = images;
  const other = images.find((image) => image.width !== width || image.height !== height);
  if (other) {
    const why = `photos of ${width}×${height} and ${other.width}×${other.height} pixels in one set`;
    throw new BenchError({ what, why, fix: "Make one set for each size" });
  }
  const bytes = images.findIndex(({ data }) => data.length !== width * height * 3);
  if (bytes !== -1) {
    const why = `photo ${bytes} has ${images[bytes].data.length} bytes, ${width}×${height} RGB has ${
      width * height * 3
    }`;
    throw new BenchError({ what, why });
  }
}

function checkWindow({ ssim }: MetricProfile, { width, height }: Image): void {
  const side = 2 * windowRadius(ssim) + 1;
  if (width < side || height < side) {
    const why = `${width}×${height} pixels, the SSIM window has ${side}×${side}`;
    throw new BenchError({
      what: "Cannot measure pictures",
      why,
      fix: `Use photos of at least ${side}×${side} pixels`,
    });
  }
}
