/** LPIPS v0.1 of rendered views against photos, as commands for the renderer's own submit. */
import { BenchError, GpuError } from "../../../env/errors.ts";
import type { Image } from "../../../env/image.ts";
import type { GpuBuffer } from "../../../gpu/buffer.ts";
import type { Gpu } from "../../../gpu/device.ts";
import { clear, type Command } from "../../../gpu/kernel.ts";
import type { ReadBack } from "../../../gpu/readback.ts";
import type { ViewPair } from "../metric_pass.ts";
import { checkPictures } from "../photos.ts";
import { FeaturePass, type FeatureRoom } from "./feature_pass.ts";
import { byteLength, planeLength } from "./feature_plan.ts";
import { type LpipsKernels, lpipsKernels, Slot } from "./lpips_kernels.ts";
import { LpipsPhotos, type PhotoGroup } from "./lpips_photos.ts";
import type { LpipsWeights } from "./lpips_weights.ts";
import type { LpipsNet } from "./networks.ts";

export interface LpipsRequest {
  /** vec4f `[views, height, width]`: RGB in [0, 1], the fourth number unused; of the photos' size. */
  readonly rendered: GpuBuffer;
  readonly width: number;
  readonly height: number;
  readonly photos: LpipsPhotos;
  readonly pairs: readonly ViewPair[];
}

/** Work to append to a submit, and what to do with the bytes it reads back. */
export interface LpipsMeasurement {
  readonly commands: readonly Command[];
  readonly reads: readonly ReadBack[];
  /** LPIPS of each pair, from the bytes of `reads`. Throws GpuError for colours outside of [−0.01, 1.01] or NaN. */
  decode(buffers: readonly ArrayBuffer[]): number[];
  /** Frees what the work needed; after the submit has resolved. */
  destroy(): void;
}

export class LpipsPass {
  #gpu: Gpu;
  #kernels: LpipsKernels;
  #features: FeaturePass;
  /** Weight of each channel, one buffer a tap. */
  #lins: readonly GpuBuffer[];

  private constructor(
    gpu: Gpu,
    readonly net: LpipsNet,
    kernels: LpipsKernels,
    features: FeaturePass,
    lins: readonly GpuBuffer[],
  ) {
    this.#gpu = gpu;
    this.#kernels = kernels;
    this.#features = features;
    this.#lins = lins;
  }

  /** Uploads the weights of a network and compiles its kernels. */
  static async create(gpu: Gpu, weights: LpipsWeights): Promise<LpipsPass> {
    const [kernels, features] = await Promise.all([lpipsKernels(gpu), FeaturePass.create(gpu, weights)]);
    const lins = weights.lins.map((lin, tap) => gpu.upload(`LPIPS weights of tap ${tap}`, lin));
    return new LpipsPass(gpu, weights.net, kernels, features, lins);
  }

  /**
   * Computes the features of photos, which stay on the device until `destroy`.
   *
   * Throws BenchError for no photos, unlike sizes, or sizes that the network or the device cannot take.
   */
  async photos(images: readonly Image[]): Promise<LpipsPhotos> {
    checkPictures(images);
    const [{ width, height }] = images;
    const room = this.#features.acquire(width, height);
    const groups: PhotoGroup[] = [];
    try {
      for (let first = 0; first < images.length; first += room.slots) {
        groups.push(await this.#photoGroup(room, first, images.slice(first, first + room.slots)));
      }
    } finally {
      this.#features.release(room);
    }
    return new LpipsPhotos(width, height, images.length, groups);
  }

  /** Plans the measurement of at least one pair; nothing runs before the commands are submitted. */
  measure({ rendered, width, height, photos, pairs }: LpipsRequest): LpipsMeasurement {
    if (width !== photos.width || height !== photos.height) {
      const why = `views of ${width}×${height} and photos of ${photos.width}×${photos.height} pixels`;
      throw new BenchError({ what: "Cannot measure LPIPS", why });
    }
    const gpu = this.#gpu;
    const room = this.#features.acquire(width, height);
    const planes = room.plan.taps.map((at) => planeLength(room.plan.tensors[at]) / 4);
    const partials = gpu.buffer("LPIPS partial sums", pairs.length * 4 * planes.reduce((a, b) => a + b));
    const distances = gpu.buffer("LPIPS", pairs.length * 4);
    const outOfRange = gpu.buffer("colours out of range", pairs.length * 4);
    const work = chunksOf(pairs, photos, room.slots).map(({ group, slots }) => {
      const table = gpu.upload("LPIPS slots", Slot.pack(slots));
      const commands = this.#features.commands(room, {
        pictures: rendered,
        table,
        outOfRange,
        count: slots.length,
      });
      const distance = room.plan.taps.map((at, tap) =>
        this.#kernels.distance.dispatch({
          shape: room.tapShapes[tap],
          slots: table,
          rendered: room.tensors[at],
          photos: group.taps[tap],
          weights: this.#lins[tap],
          partials,
        }, [Math.ceil(planes[tap] / 64), slots.length])
      );
      return { table, commands: [...commands, ...distance] };
    });
    return {
      commands: [
        clear(outOfRange),
        ...work.flatMap(({ commands }) => commands),
        this.#kernels.sum.dispatch({ partials, distances }, [pairs.length]),
      ],
      reads: [distances, outOfRange],
      decode: ([values, marks]) => decode(pairs, new Float32Array(values), new Uint32Array(marks)),
      destroy: () => {
        for (const buffer of [partials, distances, outOfRange]) buffer.destroy();
        for (const { table } of work) table.destroy();
        this.#features.release(room);
      },
    };
  }

  /** Frees the network; photos are freed by themselves. */
  destroy(): void {
    this.#features.destroy();
    this.#lins.forEach((buffer) => buffer.destroy());
  }

  async #photoGroup(room: FeatureRoom, first: number, images: readonly Image[]): Promise<PhotoGroup> {
    const gpu = this.#gpu;
    const count = images.length;
    const pictures = gpu.upload("photos", floatPictures(images));
    const table = gpu.upload(
      "LPIPS slots",
      Slot.pack(images.map((_, at) => ({ picture: at, photo: at, pair: at }))),
    );
    const outOfRange = gpu.buffer("colours out of range", count * 4);
    const tensors = room.plan.taps.map((at) => room.plan.tensors[at]);
    const taps = tensors.map((tensor, tap) =>
      gpu.buffer(`photo features of tap ${tap}`, count * byteLength(tensor))
    );
    const normalize = room.plan.taps.map((at, tap) =>
      this.#kernels.normalize.dispatch({
        shape: room.tapShapes[tap],
        slots: table,
        input: room.tensors[at],
        output: taps[tap],
      }, [Math.ceil(planeLength(tensors[tap]) / 256), count])
    );
    const features = this.#features.commands(room, { pictures, table, outOfRange, count });
    await gpu.submit("photo features", [...features, ...normalize]);
    for (const buffer of [pictures, table, outOfRange]) buffer.destroy();
    return { first, count, taps };
  }
}

type SlotValue = Parameters<typeof Slot.pack>[0][number];

/** Pairs in groups that compare with photos of one group and go through the network together. */
function chunksOf(
  pairs: readonly ViewPair[],
  { groups }: LpipsPhotos,
  most: number,
): { group: PhotoGroup; slots: SlotValue[] }[] {
  return groups.flatMap((group) => {
    const slots = pairs.flatMap(({ view, photo }, pair) =>
      photo >= group.first && photo < group.first + group.count
        ? [{ picture: view, photo: photo - group.first, pair }]
        : []
    );
    const chunks = Math.ceil(slots.length / most);
    return Array.from(
      { length: chunks },
      (_, at) => ({ group, slots: slots.slice(at * most, (at + 1) * most) }),
    );
  });
}

/** vec4f `[pictures, height, width]`, colours from 0 to 1. */
function floatPictures(images: readonly Image[]): Float32Array {
  const pixels = images[0].width * images[0].height;
  const values = new Float32Array(images.length * pixels * 4);
  for (const [index, { data }] of images.entries()) {
    for (let pixel = 0; pixel < pixels; pixel++) {
      for (let c = 0; c < 3; c++) values[(index * pixels + pixel) * 4 + c] = data[pixel * 3 + c] / 255;
    }
  }
  return values;
}

function decode(pairs: readonly ViewPair[], distances: Float32Array, outOfRange: Uint32Array): number[] {
  const wrong = outOfRange.findIndex((mark, pair) => mark !== 0 || !Number.isFinite(distances[pair]));
  if (wrong !== -1) {
    throw new GpuError({
      what: `Cannot measure LPIPS of view ${pairs[wrong].view}`,
      why: "a rendered colour is not a number or lies outside of −0.01 to 1.01",
      fix: "Give colours from 0 to 1; the scaling that LPIPS wants is done inside",
    });
  }
  return [...distances];
}
