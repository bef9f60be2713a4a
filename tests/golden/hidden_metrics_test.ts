/** Hidden metrics as the environment scores them, against the float64 reference measured by the Python packages. */
import assert from "node:assert/strict";
import { sceneToRows } from "../../splat/scene.ts";
import { loadTask } from "../../splat/load_task.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import fixture from "./hidden_metrics/fixture.json" with { type: "json" };
import { CASES } from "./hidden_metrics/scenes.ts";

const PSNR_TOLERANCE_DB = 1e-3;
const SSIM_TOLERANCE = 1e-5;

Deno.test("scoreStates() agrees with float64 pictures measured by scikit-image and torch", async () => {
  const environment = splatEnvironment({});
  try {
    const worst = { psnr: 0, ssim: 0 };
    for (const [index, { task, scene }] of CASES.entries()) {
      const expected = fixture.cases[index];
      assert.equal(expected.task, task);
      const [info] = await environment.findTasks([task]);
      const [{ metrics }] = await environment.scoreStates(info, [sceneToRows(scene(await loadTask(task)))]);
      worst.psnr = Math.max(worst.psnr, Math.abs(metrics.psnr - expected.psnr));
      worst.ssim = Math.max(worst.ssim, Math.abs(metrics.ssim - expected.ssim));
    }
    assert.ok(worst.psnr <= PSNR_TOLERANCE_DB, `PSNR is off by ${worst.psnr} dB`);
    assert.ok(worst.ssim <= SSIM_TOLERANCE, `SSIM is off by ${worst.ssim}`);
  } finally {
    environment.close();
  }
});
