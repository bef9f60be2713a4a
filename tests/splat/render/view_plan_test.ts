import assert from "node:assert/strict";
import type { RenderJob } from "../../../splat/render/renderer_types.ts";
import { CAPACITY, planSubmits } from "../../../splat/render/view_plan.ts";
import { fittedScene, orbitCameras } from "./random_scenes.ts";

function job(cameras: number, width: number, height: number): RenderJob {
  return {
    scene: fittedScene(1, 5),
    cameras: orbitCameras(cameras, width, height),
    photos: null,
    pixels: true,
  };
}

const sizes = (jobs: RenderJob[], capacity = CAPACITY) =>
  planSubmits(jobs, capacity).map((groups) => groups.map((group) => group.length));

Deno.test("planSubmits() groups views by picture size within one submit", () => {
  const jobs = [job(3, 40, 30), job(2, 50, 20), job(4, 40, 30)];
  const submits = planSubmits(jobs);
  assert.equal(submits.length, 1);
  const places = submits[0].map((group) => group.map(({ job, index }) => [job, index]));
  assert.deepEqual(places, [[[0, 0], [0, 1], [0, 2], [2, 0], [2, 1], [2, 2], [2, 3]], [[1, 0], [1, 1]]]);
  assert.deepEqual(planSubmits([]), []);
  assert.deepEqual(planSubmits([job(0, 40, 30)]), []);
});

Deno.test("planSubmits() keeps every buffer and every submit within the device's limits", () => {
  // 256x256 pixels of 16 bytes are 1 MiB a view, and a group leaves room for one view more.
  assert.deepEqual(sizes([job(300, 256, 256)]), [Array(16).fill(16), [16, 16, 12]]);
  const narrow = { binding: 5 * 2 ** 20, group: 8 * 2 ** 20, submit: 6 * 2 ** 20 };
  assert.deepEqual(sizes([job(5, 256, 256), job(1, 128, 128), job(3, 256, 128)], narrow), [[4, 1, 1], [3]]);
  for (const groups of planSubmits([job(9, 200, 150)], narrow)) {
    for (const group of groups) assert.ok((group.length + 1) * 200 * 150 * 16 <= narrow.binding);
  }
  // A picture larger than a group likes to be is drawn alone.
  assert.deepEqual(sizes([job(2, 256, 256)], { ...narrow, group: 2 ** 19 }), [[1, 1]]);
});

Deno.test("planSubmits() keeps views whose pixels are read apart from the others", () => {
  const jobs = [job(2, 40, 30), { ...job(3, 40, 30), pixels: false }, job(1, 40, 30)];
  const [groups] = planSubmits(jobs);
  assert.deepEqual(groups.map((group) => group.map(({ job }) => job)), [[0, 0, 2], [1, 1, 1]]);
});

Deno.test("planSubmits() counts the Gaussians of small pictures", () => {
  const crowd: RenderJob = { ...job(4, 8, 4), scene: fittedScene(1, 300) };
  // 300 Gaussians of 112 bytes a view, not 512 bytes of pixels.
  assert.deepEqual(sizes([crowd], { binding: 3 * 300 * 112, group: 9e9, submit: 4 * 300 * 112 }), [[2, 2]]);
});

Deno.test("planSubmits() refuses a picture that no buffer can hold", () => {
  assert.throws(
    () => planSubmits([job(1, 4096, 4096)]),
    /Cannot draw a view of 4096x4096 pixels: it takes 268435456 bytes, twice that with its background; the device gives 134217728/,
  );
});
