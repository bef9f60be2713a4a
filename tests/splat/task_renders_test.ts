/** Scores of whole scenes: fixed points, kinds, and tasks without a score. */
import assert from "node:assert/strict";
import { randomBlobScene } from "../../splat/objects/blobs.ts";
import { RenderPool } from "../../splat/render_pool.ts";
import type { Scene } from "../../splat/scene.ts";
import { StubRenderer, stubScoring, stubTask } from "../support/splat_stub.ts";

const scene: Scene = randomBlobScene(4);
const fitted = (scene: Scene) => stubTask({ fits: [{ gaussians: 300, scene, recipeHash: "r" }] });

Deno.test("Studio.score() gives an empty scene 0 and the fit 100, in as many jobs as there are scenes", async () => {
  const renderer = new StubRenderer();
  const studio = new RenderPool(renderer.open, stubScoring()).studio(fitted(scene));
  const [empty, half, fit] = await Promise.all([[], scene.slice(3), scene].map((one) => studio.score(one)));
  assert.deepEqual([empty.score, fit.score], [0, 100]);
  assert.ok(half.score !== null && half.score > 0 && half.score < 100);
  assert.deepEqual(Object.keys(half.metrics), ["psnr", "ssim"]);
  assert.equal(renderer.scored.length, 3);
  await studio.score(scene.slice(5));
  assert.equal(renderer.scored.length, 4);
});

Deno.test("Studio.score() is null, said once, for a task without a fit of 300", async () => {
  const notices: string[] = [];
  const pool = new RenderPool(new StubRenderer().open, stubScoring({ notice: (line) => notices.push(line) }));
  const task = stubTask({ fits: [{ gaussians: 64, scene, recipeHash: "r" }] });
  const studio = pool.studio(task);
  const scored = [await studio.score([]), await studio.score(scene)];
  assert.deepEqual(scored.map(({ score }) => score), [null, null]);
  assert.ok(scored[1].metrics.psnr > scored[0].metrics.psnr);
  assert.deepEqual(notices, ["stub__sculpt has no score: its file holds no fit of 300 Gaussians"]);
});

Deno.test("Studio.score() is null where the fit is no better than an empty scene", async () => {
  const notices: string[] = [];
  const pool = new RenderPool(new StubRenderer().open, stubScoring({ notice: (line) => notices.push(line) }));
  assert.equal((await pool.studio(fitted([])).score(scene)).score, null);
  assert.deepEqual(notices, ["stub__sculpt has no score: its fit is no better than an empty scene in psnr"]);
});

Deno.test("Studio.score() tries again after fixed points that could not be measured", async () => {
  const renderer = new StubRenderer();
  const studio = new RenderPool(renderer.open, stubScoring()).studio(fitted(scene));
  renderer.failure = new Error("lost");
  await assert.rejects(studio.score(scene), /lost/);
  renderer.failure = null;
  assert.equal((await studio.score(scene)).score, 100);
});
