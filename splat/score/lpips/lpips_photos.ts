/** Photo features on the device. */
import type { GpuBuffer } from "../../../gpu/buffer.ts";

/** Features of some photos that follow one another, as many as go through the network at once. */
export interface PhotoGroup {
  readonly first: number;
  readonly count: number;
  /** One buffer a tap, `[count, channels, rows, stride]`, of length 1 a pixel. */
  readonly taps: readonly GpuBuffer[];
}

/** Photos of one size, their features kept for every later measurement. */
export class LpipsPhotos {
  constructor(
    readonly width: number,
    readonly height: number,
    readonly count: number,
    readonly groups: readonly PhotoGroup[],
  ) {}

  destroy(): void {
    for (const { taps } of this.groups) taps.forEach((buffer) => buffer.destroy());
  }
}
