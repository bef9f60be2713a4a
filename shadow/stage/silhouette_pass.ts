/** Silhouettes of many poses on a device, as commands for a submit. */
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Command, Kernel } from "../../gpu/kernel.ts";
import { struct } from "../../gpu/struct_layout.ts";
import crossingLib from "./crossing_lib.wgsl" with { type: "text" };
import { MASK_WORDS } from "./mask.ts";
import rasterizeCode from "./rasterize.wgsl" with { type: "text" };
import { MASK_HEIGHT, MASK_WIDTH } from "./stage.ts";
import { SUB_PIXEL_BITS } from "./sub_pixels.ts";
import type { SnappedTriangles } from "./triangle_list.ts";

/** Bytes of a mask on the device. */
export const MASK_BYTES = 4 * MASK_WORDS;

/** Work to append to a submit. */
export interface Silhouettes {
  readonly commands: readonly Command[];
  /** Bits as in `Mask`. [poses, 384, 16] */
  readonly masks: GpuBuffer;
  /** Frees what the work needed, masks too; after the submit has resolved. */
  destroy(): void;
}

export class SilhouettePass {
  #gpu: Gpu;
  #kernel: Kernel;

  private constructor(gpu: Gpu, kernel: Kernel) {
    this.#gpu = gpu;
    this.#kernel = kernel;
  }

  /** Compiles the kernel. */
  static async create(gpu: Gpu): Promise<SilhouettePass> {
    return new SilhouettePass(
      gpu,
      await gpu.kernel({
        name: "shadow/stage/rasterize",
        file: "shadow/stage/rasterize.wgsl",
        code: rasterizeCode,
        libraries: [{ file: "shadow/stage/crossing_lib.wgsl", code: crossingLib }],
        structs: [TriangleRange],
        constants: { WIDTH: MASK_WIDTH, HEIGHT: MASK_HEIGHT, SUB_PIXEL_BITS },
      }),
    );
  }

  /** Plans the masks of at least one pose, each given by its triangles. */
  draw(poses: readonly SnappedTriangles[]): Silhouettes {
    const counts = poses.map((triangles) => triangles.length / VALUES);
    const total = counts.reduce((sum, count) => sum + count, 0);
    // A buffer holds at least one.
    const all = new Int16Array(Math.max(1, total) * VALUES);
    const ranges: { first: number; count: number }[] = [];
    let first = 0;
    for (const [i, triangles] of poses.entries()) {
      all.set(triangles, first * VALUES);
      ranges.push({ first, count: counts[i] });
      first += counts[i];
    }
    const jobs = this.#gpu.upload("triangle ranges", TriangleRange.pack(ranges));
    const corners = this.#gpu.upload("corners", all);
    const masks = this.#gpu.buffer("masks", poses.length * MASK_BYTES);
    return {
      commands: [
        this.#kernel.dispatch({ jobs, corners, masks }, [Math.ceil(Math.max(...counts) / 64), poses.length]),
      ],
      masks,
      destroy: () => [jobs, corners, masks].forEach((buffer) => buffer.destroy()),
    };
  }
}

/** Numbers of a triangle. */
const VALUES = 6;

/** Which of the triangles are a pose's. */
const TriangleRange = struct("TriangleRange", { first: "u32", count: "u32" });
