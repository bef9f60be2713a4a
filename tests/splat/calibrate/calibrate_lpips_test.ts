import assert from "node:assert/strict";
import { openGpu } from "../../../gpu/device.ts";
import { calibrateLpips } from "../../../splat/calibrate/calibrate_lpips.ts";
import { ProfileMeter } from "../../../splat/calibrate/profile_meter.ts";
import { taskFromFile } from "../../../splat/load_task.ts";
import { DEFAULT_METRICS } from "../../../splat/score/metric_profile.ts";
import type { LpipsWeights } from "../../../splat/score/lpips/lpips_weights.ts";
import { Renderer } from "../../../splat/render/renderer.ts";
import { RENDER_PROFILES } from "../../../splat/render/profile.ts";
import { smallTask } from "../../support/small_task.ts";
import { drawnWeights } from "../lpips/drawn_weights.ts";

const meterOf = (weights: LpipsWeights) => new ProfileMeter(() => openGpu("software"), weights);

Deno.test("calibrateLpips() tells the network behind recorded values, or that it is none of those that are there", async () => {
  const { heldOut } = taskFromFile(await smallTask("table__sculpt"), "embedded");
  const views = heldOut.slice(0, 2);
  const squeeze = drawnWeights("squeeze");
  const gpu = await openGpu("software");
  const renderer = await Renderer.open(gpu, RENDER_PROFILES.torch, DEFAULT_METRICS, squeeze);
  const photos = await renderer.scoredPhotos(views.map(({ photo }) => photo));
  const [measured] = await renderer.render([
    { scene: [], cameras: views.map(({ camera }) => camera), photos, pixels: false },
  ]);
  gpu.close();
  const mean = measured.reduce((sum, { metrics }) => sum + (metrics?.lpips ?? NaN) / measured.length, 0);
  const task = (lpips: number) => ({ heldOut: views, empty: { lpips: Number(lpips.toFixed(3)) } });

  const nets = [drawnWeights("alex"), squeeze];
  const found = await calibrateLpips([task(mean)], nets, meterOf);
  assert.deepEqual([found?.finding.verdict, found?.finding.value], ["decided", "squeeze"]);
  assert.equal(found?.weights, squeeze);

  const none = await calibrateLpips([task(mean + 0.01)], [squeeze], meterOf);
  assert.equal(none?.finding.verdict, "unexplained");
  assert.equal(none?.weights, null);
  assert.equal(await calibrateLpips([task(mean)], [], meterOf), null);
});
