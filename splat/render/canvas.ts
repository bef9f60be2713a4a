/** Pictures on the device that outlive a drawing, so that the next one writes only the tiles that change. */
import type { GpuBuffer } from "../../gpu/buffer.ts";
import type { Gpu } from "../../gpu/device.ts";

/** Pixels of a tile: what one invocation of rasterize.wgsl owns. */
export const TILE = { width: 8, height: 4 } as const;

/** What a tile of a canvas holds. A new canvas is zeros, so that every tile of it is written once. */
export const TILE_STATE = { unknown: 0, background: 1, drawn: 2 } as const;

/** Bytes of a pixel of a view, the largest buffer there is. */
export const BYTES_PER_PIXEL = 16;

/** Room for views of one size. Drawings that follow each other on a device may share one. */
export class Canvas {
  /** vec4f [capacity, height, width]: RGB in [0, 1], then transmittance. */
  readonly rendered: GpuBuffer;
  /** u32 [capacity, tile rows, tile columns]: a `TILE_STATE`; `background` is exactly what an empty scene looks like. */
  readonly states: GpuBuffer;

  /** Throws GpuError when the device does not allow the size. */
  constructor(gpu: Gpu, readonly width: number, readonly height: number, readonly capacity: number) {
    this.rendered = gpu.buffer("rendered", capacity * width * height * BYTES_PER_PIXEL);
    this.states = gpu.buffer("tile states", capacity * tileCount(width, height) * 4);
  }

  /** Whether `views` pictures of a size find room. */
  fits(width: number, height: number, views: number): boolean {
    return width === this.width && height === this.height && views <= this.capacity;
  }

  destroy(): void {
    this.rendered.destroy();
    this.states.destroy();
  }
}

/** Tiles of a picture. */
export function tileCount(width: number, height: number): number {
  return Math.ceil(width / TILE.width) * Math.ceil(height / TILE.height);
}
