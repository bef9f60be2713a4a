import assert from "node:assert/strict";
import { prefetched } from "../../tasks/prefetched_source.ts";
import { memorySource } from "../support/memory_source.ts";

const KB = 1024;

Deno.test("prefetched() reads ranges that touch together, nothing between others, and all else when asked", async () => {
  const bytes = Uint8Array.from({ length: 300 * KB }, (_, i) => i % 251);
  const source = memorySource(bytes);
  const near = await prefetched(source, [
    { start: 200 * KB, end: 210 * KB },
    { start: 10 * KB, end: 20 * KB },
    { start: 15 * KB, end: 18 * KB },
    { start: 20 * KB, end: 30 * KB },
  ]);
  assert.deepEqual(source.reads, [[10 * KB, 30 * KB], [200 * KB, 210 * KB]]);
  for (
    const [start, end] of [[10, 20], [15, 18], [19, 30], [201, 209]].map((pair) => pair.map((kb) => kb * KB))
  ) {
    assert.deepEqual(await near.read(start, end), bytes.slice(start, end));
  }
  assert.equal(source.reads.length, 2);
  // Partly outside of what was read.
  assert.deepEqual(await near.read(5 * KB, 15 * KB), bytes.slice(5 * KB, 15 * KB));
  assert.deepEqual(source.reads[2], [5 * KB, 15 * KB]);
});
