import assert from "node:assert/strict";
import { RenderPool } from "../../splat/render_pool.ts";
import { DEFAULT_METRICS } from "../../splat/score/metric_profile.ts";
import { StubRenderer, stubScoring, stubTask } from "../support/splat_stub.ts";

Deno.test("RenderPool keeps the photos of the 64 tasks used last and frees the others'", async () => {
  const renderer = new StubRenderer();
  const pool = new RenderPool(renderer.open, stubScoring());
  const tasks = Array.from({ length: 70 }, () => stubTask());
  for (const task of tasks) await pool.studio(task).score([]);
  assert.equal(renderer.openPhotoSets, 2 * 64, "reference and held-out photos");
  const before = renderer.scored.length;
  await pool.studio(tasks[69]).score([]);
  assert.equal(renderer.scored.length, before, "the last task's score is still known");
  await pool.studio(tasks[0]).score([]);
  assert.equal(renderer.scored.length, before + 1, "the first task's is not");
});

Deno.test("RenderPool frees no photos of a task whose render is under way", async () => {
  const renderer = new StubRenderer();
  const pool = new RenderPool(renderer.open, stubScoring());
  const results = await Promise.all(Array.from({ length: 100 }, () => pool.studio(stubTask()).score([])));
  assert.equal(results.length, 100);
  assert.equal(renderer.openPhotoSets, 2 * 64, "reference and held-out photos");
});

Deno.test("RenderPool pools PSNR over views where the metric profile says so", async () => {
  const pooled = { ...DEFAULT_METRICS, psnr: { mode: "pooled" as const, cap: 100 } };
  const renderer = new StubRenderer();
  const pool = new RenderPool(renderer.open, stubScoring({ metricProfile: pooled }));
  const { metrics } = await pool.studio(stubTask()).score([]);
  // The stub gives 10, 11 and 12 dB for the three held-out views of an empty scene.
  const error = (10 ** -1 + 10 ** -1.1 + 10 ** -1.2) / 3;
  assert.ok(Math.abs(metrics.psnr + 10 * Math.log10(error)) < 1e-12);
});
