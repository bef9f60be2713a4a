import { GpuError } from "../env/errors.ts";
import { checkRange, GpuBuffer } from "./buffer.ts";

/** Bytes to bring back to the host: a whole buffer or a range of it (offset and length multiples of 4). */
export type ReadBack = GpuBuffer | { buffer: GpuBuffer; byteOffset: number; byteLength: number };

/** Where each range lies in the one staging buffer of a submit. */
export interface ReadPlan {
  readonly byteLength: number;
  readonly ranges: readonly PlannedRange[];
}

/** Lays ranges out one behind the other. Throws GpuError when one lies outside its buffer or all are too large. */
export function planReads(reads: readonly ReadBack[], limits: GPUSupportedLimits): ReadPlan {
  const ranges: PlannedRange[] = [];
  let end = 0;
  for (const read of reads) {
    const { buffer, byteOffset, byteLength } = read instanceof GpuBuffer
      ? { buffer: read, byteOffset: 0, byteLength: read.byteLength }
      : read;
    const what = `Cannot read buffer "${buffer.label}"`;
    buffer.assertUsable(what);
    checkRange(what, byteOffset, byteLength, buffer.byteLength);
    ranges.push({ buffer, byteOffset, byteLength, stagingOffset: end });
    end += byteLength;
  }
  if (end > limits.maxBufferSize) {
    throw new GpuError({
      what: `Cannot read ${reads.length} ranges at once`,
      why: `${end} bytes together, the device allows ${limits.maxBufferSize}`,
      fix: "Split the submit",
    });
  }
  return { byteLength: end, ranges };
}

/** Encodes the copies into the staging buffer. */
export function encodeReads(encoder: GPUCommandEncoder, staging: GPUBuffer, plan: ReadPlan): void {
  for (const { buffer, byteOffset, byteLength, stagingOffset } of plan.ranges) {
    if (byteLength > 0) {
      encoder.copyBufferToBuffer(buffer.handle, byteOffset, staging, stagingOffset, byteLength);
    }
  }
}

/** Copies each range out of the mapped staging buffer. */
export function cutRanges(bytes: ArrayBuffer, plan: ReadPlan): ArrayBuffer[] {
  return plan.ranges.map(({ stagingOffset, byteLength }) =>
    bytes.slice(stagingOffset, stagingOffset + byteLength)
  );
}

interface PlannedRange {
  readonly buffer: GpuBuffer;
  readonly byteOffset: number;
  readonly byteLength: number;
  readonly stagingOffset: number;
}
