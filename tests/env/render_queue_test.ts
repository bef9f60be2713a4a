import assert from "node:assert/strict";
import { RenderQueue } from "../../env/render_queue.ts";

Deno.test("RenderQueue merges what waits while a batch is on the device", async () => {
  const batches: number[][] = [];
  const queue = new RenderQueue<number, number>(async (requests) => {
    batches.push([...requests]);
    await new Promise((resolve) => setTimeout(resolve, 5));
    return requests.map((request) => request * request);
  }, 4);
  const first = [1, 2, 3].map((n) => queue.request(n));
  await new Promise((resolve) => setTimeout(resolve, 1));
  const later = [4, 5, 6, 7, 8].map((n) => queue.request(n));
  assert.deepEqual(await Promise.all([...first, ...later]), [1, 4, 9, 16, 25, 36, 49, 64]);
  assert.deepEqual(batches, [[1, 2, 3], [4, 5, 6, 7], [8]]);
});

Deno.test("RenderQueue rejects only the batch that failed and goes on", async () => {
  const queue = new RenderQueue<number, number>((requests) => {
    if (requests.includes(13)) return Promise.reject(new Error("lost"));
    return Promise.resolve(requests);
  }, 2);
  const results = await Promise.allSettled([13, 1, 2, 3].map((n) => queue.request(n)));
  assert.deepEqual(results.map((result) => result.status), [
    "rejected",
    "rejected",
    "fulfilled",
    "fulfilled",
  ]);
  assert.equal(await queue.request(5), 5);
});
