/** Bytes in memory as a source, which counts what is read of it. */
import assert from "node:assert/strict";
import type { ByteSource } from "../../tasks/byte_source.ts";

export interface MemorySource extends ByteSource {
  reads: [number, number][];
}

export function memorySource(bytes: Uint8Array, name = "memory"): MemorySource {
  const reads: [number, number][] = [];
  return {
    name,
    byteLength: bytes.length,
    reads,
    read(start, end) {
      assert.ok(0 <= start && start <= end && end <= bytes.length, `${start} to ${end} of ${bytes.length}`);
      reads.push([start, end]);
      return Promise.resolve(bytes.slice(start, end));
    },
  };
}
