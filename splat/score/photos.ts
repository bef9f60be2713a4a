/** Photos on the device, packed for the metric kernels. */
import { BenchError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { PhotoSet } from "../render/renderer_types.ts";
import type { LpipsPhotos } from "./lpips/lpips_photos.ts";
import { blockGrid, BlockSums } from "./metric_kernels.ts";
import { type MetricProfile, windowRadius } from "./metric_profile.ts";

/** What photos take on the device; sets picked from each other share it. */
export interface PhotoStore {
  /** `[count, height, width]` pixels of r | g << 8 | b << 16 | silhouette << 24. */
  readonly pixels: GpuBuffer;
  /** BlockSums `[count, blocks]`: each photo against a view of nothing but background. */
  readonly blank: GpuBuffer;
  readonly count: number;
  /** Their features, where they are to be scored with LPIPS. */
  readonly lpips: LpipsPhotos | null;
  /** Whether `blank` has been measured. */
  blankMeasured: boolean;
}

/** Photos of one size. */
export class DevicePhotos implements PhotoSet {
  constructor(
    readonly store: PhotoStore,
    readonly width: number,
    readonly height: number,
    /** Which photos of the store these are. */
    readonly places: readonly number[],
  ) {}

  get count(): number {
    return this.places.length;
  }

  pick(indices: readonly number[]): DevicePhotos {
    const places = indices.map((index) => this.places[index]);
    return new DevicePhotos(this.store, this.width, this.height, places);
  }

  destroy(): void {
    this.store.pixels.destroy();
    this.store.blank.destroy();
    this.store.lpips?.destroy();
  }
}

/** Uploads photos. Throws BenchError for no photos, unlike sizes, or pictures smaller than the SSIM window. */
export function uploadPhotos(
  gpu: Gpu,
  profile: MetricProfile,
  images: readonly Image[],
  lpips: LpipsPhotos | null = null,
): DevicePhotos {
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
  const store: PhotoStore = {
    pixels: gpu.upload("photos", words),
    blank: gpu.buffer("blank sums", images.length * blockGrid(width, height).blocks * BlockSums.byteLength),
    count: images.length,
    lpips,
    blankMeasured: false,
  };
  return new DevicePhotos(store, width, height, [...images.keys()]);
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
