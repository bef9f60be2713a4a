import type { Guard } from "./guard.ts";

/** A host-visible buffer that device memory is copied to and read from. */
export interface Staging {
  readonly handle: GPUBuffer;
  readonly byteLength: number;
  /** Whether it has been mapped before; see `StagingPool`. */
  mappedBefore: boolean;
}

/**
 * Staging buffers for readback, kept for later submits.
 *
 * Deno 2.9 waits for the device inside `mapAsync` itself and then sleeps 10 ms before its promise resolves. The
 * bytes are there before that sleep, and a buffer that was mapped once before hands them out at once. (On the first
 * time Deno panics: it sets the map mode only after the sleep.) So buffers are kept, and each rests until its own
 * promise resolves. Measured with lavapipe: a small readback takes 11 ms without this and 0.15 ms with it.
 */
export class StagingPool {
  #guard: Guard;
  #free: Staging[] = [];

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  /** A free buffer of at least `byteLength` bytes, or a new one. Runs inside the caller's error scopes. */
  take(byteLength: number): Staging {
    const index = this.#free.findIndex((s) =>
      s.byteLength >= byteLength && s.byteLength <= ROOMY * byteLength
    );
    if (index !== -1) return this.#free.splice(index, 1)[0];
    const { device } = this.#guard;
    const size = Math.min(
      2 ** Math.ceil(Math.log2(Math.max(byteLength, SMALLEST))),
      device.limits.maxBufferSize,
    );
    const handle = device.createBuffer({
      label: `readback of ${size} bytes`,
      size,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    return { handle, byteLength: size, mappedBefore: false };
  }

  /** The first `byteLength` bytes (at least 4) once all submitted work is done; then the buffer is free again. */
  async read(what: string, staging: Staging, byteLength: number): Promise<ArrayBuffer> {
    const { handle } = staging;
    const mapping = handle.mapAsync(GPUMapMode.READ);
    const early = EARLY && staging.mappedBefore ? mappedBytes(handle, byteLength) : undefined;
    if (early) {
      mapping.then(() => this.#giveBack(staging)).catch(() => handle.destroy());
      return early;
    }
    try {
      await this.#guard.whileAlive(what, mapping);
      staging.mappedBefore = true;
      const bytes = handle.getMappedRange(0, byteLength).slice(0);
      this.#giveBack(staging);
      return bytes;
    } catch (error) {
      handle.destroy();
      throw error;
    }
  }

  /** Keeps the buffer, and frees the longest unused ones above the bounds. */
  #giveBack(staging: Staging): void {
    staging.handle.unmap();
    this.#free.push(staging);
    while (this.#free.length > MOST_BUFFERS || this.#keptBytes() > MOST_BYTES) {
      this.#free.shift()?.handle.destroy();
    }
  }

  #keptBytes(): number {
    return this.#free.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }
}

/** Tried on 2.9.0 and 2.9.6. Elsewhere the early look could panic, and the promise is waited for. */
const EARLY = Deno.version.deno.startsWith("2.9.");

/** Sizes are powers of two from here up, so that submits of similar size share buffers. */
const SMALLEST = 4096;

/** A small readback takes no buffer more than this many times its size: mapping costs by the buffer's size. */
const ROOMY = 64;

const MOST_BUFFERS = 32;
const MOST_BYTES = 128 * 2 ** 20;

/** The bytes when the buffer is already mapped; WebGPU says no by throwing. */
function mappedBytes(handle: GPUBuffer, byteLength: number): ArrayBuffer | undefined {
  try {
    return handle.getMappedRange(0, byteLength).slice(0);
  } catch {
    return undefined;
  }
}
