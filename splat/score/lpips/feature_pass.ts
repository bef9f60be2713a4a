/** A network on the device, and room for the features of a few pictures at a time. */
import { BenchError } from "../../../env/errors.ts";
import type { GpuBuffer } from "../../../gpu/buffer.ts";
import type { Gpu } from "../../../gpu/device.ts";
import type { Command, Kernel } from "../../../gpu/kernel.ts";
import { byteLength, type FeaturePlan, planeLength, planFeatures } from "./feature_plan.ts";
import { pictureKernel, PictureShape, TapShape } from "./lpips_kernels.ts";
import { type BoundStep, type LoadedStep, loadStep } from "./feature_steps.ts";
import type { LpipsWeights } from "./lpips_weights.ts";

/** Most pictures at once, and most memory for their features; more pictures follow one another through it. */
const MOST_SLOTS = 8;
const MOST_BYTES = 256 * 2 ** 20;

/** Sizes of pictures whose room is kept while nothing uses it. */
const MOST_IDLE_ROOMS = 2;

/** Room for the features of some pictures of one size. */
export interface FeatureRoom {
  readonly plan: FeaturePlan;
  /** Pictures at once. */
  readonly slots: number;
  /** One buffer a tensor of the plan, `[slots, channels, rows, stride]`. */
  readonly tensors: readonly GpuBuffer[];
  /** One a tap, for the kernels that read it. */
  readonly tapShapes: readonly GpuBuffer[];
  readonly pictureShape: GpuBuffer;
  readonly steps: readonly BoundStep[];
}

/** Pictures to put through the network, at most as many as a room has slots. */
export interface Pictures {
  /** vec4f `[pictures, height, width]`, RGB in [0, 1]. */
  readonly pictures: GpuBuffer;
  /** `Slot` a picture. */
  readonly table: GpuBuffer;
  readonly count: number;
  /** u32 `[pairs]`, set to 1 for pairs with a colour out of range. */
  readonly outOfRange: GpuBuffer;
}

export class FeaturePass {
  #gpu: Gpu;
  #net: LpipsWeights["net"];
  #picture: Kernel;
  #steps: readonly LoadedStep[];
  /** By size of pictures, least recently used first; `users` counts work that has not been destroyed. */
  #rooms = new Map<string, { room: FeatureRoom; users: number }>();

  private constructor(
    gpu: Gpu,
    net: LpipsWeights["net"],
    picture: Kernel,
    steps: readonly LoadedStep[],
  ) {
    this.#gpu = gpu;
    this.#picture = picture;
    this.#net = net;
    this.#steps = steps;
  }

  /** Uploads the weights and compiles the kernels. */
  static async create(gpu: Gpu, weights: LpipsWeights): Promise<FeaturePass> {
    // Sizes of pictures change the sizes of tensors, never the steps.
    const { steps } = planFeatures(weights.net, 256, 256);
    const [picture, ...loaded] = await Promise.all([
      pictureKernel(gpu),
      ...steps.map((step) => loadStep(gpu, weights, step)),
    ]);
    return new FeaturePass(gpu, weights.net, picture, loaded);
  }

  /**
   * Room for pictures of a size, to be given back with `release` when the work in it is done.
   *
   * All work on one size shares it: commands run one after another. Throws BenchError when pictures are too small or
   * too large.
   */
  acquire(width: number, height: number): FeatureRoom {
    const key = keyOf({ width, height });
    const { room, users } = this.#rooms.get(key) ??
      { room: this.#makeRoom(planFeatures(this.#net, width, height)), users: 0 };
    this.#rooms.delete(key);
    this.#rooms.set(key, { room, users: users + 1 });
    return room;
  }

  /** Gives room back. Of room that nobody uses that of the last sizes is kept, for the work that comes next. */
  release({ plan }: FeatureRoom): void {
    const held = this.#rooms.get(keyOf(plan));
    if (held !== undefined) held.users--;
    const idle = [...this.#rooms].filter(([, { users }]) => users === 0);
    for (const [key, { room }] of idle.slice(0, Math.max(0, idle.length - MOST_IDLE_ROOMS))) {
      destroyRoom(room);
      this.#rooms.delete(key);
    }
  }

  /** Fills the room's tensors with the features of pictures. */
  commands(room: FeatureRoom, { pictures, table, count, outOfRange }: Pictures): Command[] {
    const { picture, tensors } = room.plan;
    const { width, height } = tensors[picture.to];
    const first = this.#picture.dispatch({
      shape: room.pictureShape,
      slots: table,
      pictures,
      output: room.tensors[picture.to],
      out_of_range: outOfRange,
    }, [Math.ceil(width / 8), Math.ceil(height / 8), count]);
    return [first, ...room.steps.map((step) => step.command(count))];
  }

  destroy(): void {
    for (const step of this.#steps) step.destroy();
    for (const { room } of this.#rooms.values()) destroyRoom(room);
  }

  #makeRoom(plan: FeaturePlan): FeatureRoom {
    const gpu = this.#gpu;
    const { width, height } = plan;
    const bytes = plan.tensors.map(byteLength);
    const largest = Math.min(gpu.limits.maxStorageBufferBindingSize, gpu.limits.maxBufferSize);
    if (Math.max(...bytes) > largest) {
      const why = `${width}×${height} pixels need a buffer of ${
        Math.max(...bytes)
      } bytes, it allows ${largest}`;
      const fix = "Use smaller pictures or the network alex";
      throw new BenchError({ what: `Cannot measure LPIPS with ${this.#net} on this device`, why, fix });
    }
    const together = bytes.reduce((sum, size) => sum + size, 0);
    const fitting = Math.floor(Math.min(largest / Math.max(...bytes), MOST_BYTES / together));
    const slots = Math.max(1, Math.min(MOST_SLOTS, fitting));
    const tensors = bytes.map((size, at) => gpu.buffer(`LPIPS tensor ${at}`, slots * size));
    return {
      plan,
      slots,
      tensors,
      tapShapes: tapShapes(plan).map((shape) => gpu.upload("tap shape", shape)),
      pictureShape: gpu.upload("picture shape", pictureShape(plan)),
      steps: this.#steps.map((step) => step.bind(plan.tensors, tensors, slots)),
    };
  }
}

const keyOf = ({ width, height }: { width: number; height: number }): string => `${width}x${height}`;

function destroyRoom({ tensors, tapShapes, pictureShape, steps }: FeatureRoom): void {
  for (const owned of [...tensors, ...tapShapes, pictureShape, ...steps]) owned.destroy();
}

function pictureShape({ width, height, picture: { block, padding, to }, tensors }: FeaturePlan): Uint8Array {
  const { width: columns, height: rows, stride } = tensors[to];
  const plane = planeLength(tensors[to]);
  return PictureShape.pack([{ width, height, block, padding, columns, rows, stride, plane }]);
}

function tapShapes({ taps, tensors }: FeaturePlan): Uint8Array[] {
  const planes = taps.map((at) => planeLength(tensors[at]) / 4);
  const partials = planes.reduce((sum, plane) => sum + plane);
  let firstPartial = 0;
  return taps.map((at, tap) => {
    const { channels, width, height } = tensors[at];
    const plane = planes[tap];
    const shape = TapShape.pack([{ channels, plane, pixels: width * height, partials, firstPartial }]);
    firstPartial += plane;
    return shape;
  });
}
