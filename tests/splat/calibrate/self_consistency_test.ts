import assert from "node:assert/strict";
import { openGpu } from "../../../gpu/device.ts";
import { choiceOf } from "../../../splat/calibrate/knob.ts";
import { ProfileMeter } from "../../../splat/calibrate/profile_meter.ts";
import { RENDER_KNOBS } from "../../../splat/calibrate/render_knobs.ts";
import { selfConsistency } from "../../../splat/calibrate/self_consistency.ts";
import { loadTask } from "../../../splat/load_task.ts";
import { RENDER_PROFILES } from "../../../splat/render/profile.ts";
import { DEFAULT_METRICS } from "../../../splat/score/metric_profile.ts";

/** What the reference measurements say that fits show, by a loss of at least this on the table, dB. */
const SHOWN = { pixelCenter: 0.3, dilation: 0.02, compensation: 0.05 };

Deno.test("selfConsistency() finds the conventions of a stored fit from its reference photos alone", async () => {
  const { reference, fits } = await loadTask("table__sculpt");
  const task = {
    reference: reference.slice(0, 3),
    fits: fits.map(({ scene }) => scene).filter((scene) => scene.length === 300),
  };
  const knobs = RENDER_KNOBS.filter(({ name }) => name in SHOWN || name === "tStop");
  const meter = new ProfileMeter(() => openGpu("software"));
  const torch = { ...RENDER_PROFILES.torch, metrics: DEFAULT_METRICS };
  const start = choiceOf(knobs, { ...torch, dilation: 1, pixelCenter: 0, compensation: "sqrt-det" });
  try {
    const found = await selfConsistency([task, task], knobs, torch, start, meter);
    assert.deepEqual(found?.best, choiceOf(knobs, torch));
    for (const [name, least] of Object.entries(SHOWN)) {
      const k = knobs.findIndex((knob) => knob.name === name);
      const others = (found?.lostDb[k] ?? []).filter((_, value) => value !== found?.best[k]);
      assert.ok(others.length > 0 && others.every((lost) => lost > least), `${name}: ${others}`);
    }
    const unseen = found?.lostDb[knobs.findIndex(({ name }) => name === "tStop")] ?? [];
    assert.ok(unseen.length === 3 && unseen.every((lost) => Math.abs(lost) < 1e-3), `tStop: ${unseen}`);
  } finally {
    meter.close();
  }
});
