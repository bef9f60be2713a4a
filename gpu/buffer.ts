import { GpuError } from "../env/errors.ts";
import type { Guard } from "./guard.ts";

/** Storage on the device, zeroed when made. It lives until `destroy`: garbage collection frees it far too late. */
export class GpuBuffer {
  /** The WebGPU buffer; only this folder touches it. */
  readonly handle: GPUBuffer;
  #guard: Guard;
  #destroyed = false;

  /** `byteLength` is rounded up to a multiple of 4. Throws GpuError when the device does not allow the size. */
  constructor(guard: Guard, readonly label: string, byteLength: number) {
    const what = `Cannot make buffer "${label}"`;
    const limit = guard.device.limits.maxBufferSize;
    const size = Math.ceil(byteLength / 4) * 4;
    if (!(size > 0 && size <= limit)) {
      throw new GpuError({ what, why: `${byteLength} bytes, the device allows 1 to ${limit}` });
    }
    this.#guard = guard;
    this.handle = guard.deferred(what, () => guard.device.createBuffer({ label, size, usage: usage() }));
    guard.buffers.add(this.handle);
  }

  get byteLength(): number {
    return this.handle.size;
  }

  /** Queues a write of `data` at `byteOffset`; both its length and the offset are multiples of 4. */
  write(data: ArrayBufferView, byteOffset = 0): void {
    const what = `Cannot write buffer "${this.label}"`;
    this.assertUsable(what);
    checkRange(what, byteOffset, data.byteLength, this.byteLength);
    if (data.byteLength === 0) return;
    const bytes = ownBytes(data);
    this.#guard.deferred(what, () => this.#guard.device.queue.writeBuffer(this.handle, byteOffset, bytes));
  }

  /** Frees the memory; any later use is an error. Work already submitted still finishes. */
  destroy(): void {
    this.#destroyed = true;
    this.#guard.buffers.delete(this.handle);
    this.handle.destroy();
  }

  /** Throws GpuError naming this buffer when it was destroyed. */
  assertUsable(what: string, kernel?: string): void {
    if (this.#destroyed) {
      throw new GpuError({ what, why: `buffer "${this.label}" was destroyed` }, kernel);
    }
  }
}

/** Throws GpuError unless `byteOffset` and `byteLength` are multiples of 4 and lie inside `available` bytes. */
export function checkRange(what: string, byteOffset: number, byteLength: number, available: number): void {
  const aligned = byteOffset % 4 === 0 && byteLength % 4 === 0;
  if (!aligned) {
    throw new GpuError({
      what,
      why: `offset ${byteOffset} and length ${byteLength} must be multiples of 4 bytes`,
    });
  }
  if (!(byteOffset >= 0 && byteLength >= 0 && byteOffset + byteLength <= available)) {
    throw new GpuError({
      what,
      why: `bytes ${byteOffset} to ${byteOffset + byteLength} wanted, it has ${available}`,
    });
  }
}

/** Read when a buffer is made: the global does not exist where WebGPU is missing. */
function usage(): number {
  return GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
}

function ownBytes(data: ArrayBufferView): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset, byteLength } = data;
  if (buffer instanceof ArrayBuffer) return new Uint8Array(buffer, byteOffset, byteLength);
  return new Uint8Array(new Uint8Array(buffer, byteOffset, byteLength));
}
