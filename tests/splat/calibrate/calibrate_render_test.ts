import assert from "node:assert/strict";
import { calibrateRender } from "../../../splat/calibrate/calibrate_render.ts";
import type { EvidenceTask } from "../../../splat/calibrate/evidence_task.ts";
import { choiceOf, knobsWith } from "../../../splat/calibrate/knob.ts";
import type { Conventions, MeterJob } from "../../../splat/calibrate/profile_meter.ts";
import { type Candidate, coupledStarts, RENDER_KNOBS } from "../../../splat/calibrate/render_knobs.ts";
import { roundingOf, unrounded } from "../../../splat/calibrate/scene_rounding.ts";
import { RENDER_PROFILES } from "../../../splat/render/profile.ts";
import type { Scene } from "../../../splat/scene.ts";
import { DEFAULT_METRICS } from "../../../splat/score/metric_profile.ts";
import { splatScore } from "../../../splat/score/splat_score.ts";
import { gaussian } from "../render/random_scenes.ts";

const { torch } = RENDER_PROFILES;

/** A renderer whose pictures depend on dilation, pixel centre and the scene alone. */
const meter = {
  measure: ({ render }: Conventions, { scenes }: MeterJob) =>
    Promise.resolve(scenes.map((scene) => ({
      psnr: 10 + scene.length * (1 + render.dilation) + 3 * render.pixelCenter,
      ssim: 0.5 + 0.01 * scene.length * (1 + render.pixelCenter),
    }))),
};

const sceneOf = (size: number): Scene => Array.from({ length: size }, (_, id) => gaussian({ id: id + 1 }));

async function scored(render: typeof torch, size: number): Promise<number> {
  const scenes = [sceneOf(size), [], sceneOf(20)];
  const [own, empty, fit] = await meter.measure({ render, metrics: DEFAULT_METRICS }, { views: [], scenes });
  return splatScore("partial", own, { empty, fit });
}

Deno.test("calibrateRender() predicts partial scores between the fixed points of each profile", async () => {
  const truth = { ...torch, pixelCenter: 0 };
  const scenes = await Promise.all([3, 8].map(async (size) => ({
    origin: "episode" as const,
    scene: sceneOf(size),
    metrics: {},
    score: Number((await scored(truth, size)).toFixed(2)),
  })));
  const task: EvidenceTask = {
    id: "t",
    reference: [],
    heldOut: [],
    empty: null,
    fits: [sceneOf(20)],
    scenes,
  };
  const start = { render: torch, metrics: [DEFAULT_METRICS] as const };
  const { findings } = await calibrateRender([task], start, meter);
  const verdicts = new Map(findings.map((finding) => [finding.knob, finding]));
  // These scores are shares of the fit's gain, from which both conventions drop out.
  assert.equal(verdicts.get("pixelCenter")?.verdict, "undecided");
  assert.equal(verdicts.get("dilation")?.verdict, "undecided");
  const metrics = await meter.measure({ render: truth, metrics: DEFAULT_METRICS }, {
    views: [],
    scenes: [sceneOf(8)],
  });
  const told = { ...task, scenes: [{ ...scenes[0], scene: sceneOf(8), metrics: metrics[0], score: null }] };
  const { findings: decided, render } = await calibrateRender([told], start, meter);
  assert.deepEqual(decided.slice(0, 2).map(({ verdict }) => verdict), ["decided", "decided"]);
  assert.deepEqual(render, truth);
});

Deno.test("calibrateRender() gives what the fits prefer where nothing is recorded, and no findings", async () => {
  const task: EvidenceTask = {
    id: "t",
    reference: [],
    heldOut: [],
    empty: null,
    fits: [sceneOf(20)],
    scenes: [],
  };
  const found = await calibrateRender([task], { render: torch, metrics: [DEFAULT_METRICS] }, meter);
  assert.deepEqual(found.findings, []);
  // More dilation is always better for this meter.
  assert.equal(found.render.dilation, 1);
});

Deno.test("knobsWith() tries a profile's own value along where the list lacks it", () => {
  const odd: Candidate = { ...torch, dilation: 0.25, metrics: DEFAULT_METRICS };
  const knobs = knobsWith<Candidate>(RENDER_KNOBS, odd);
  const [, dilation] = knobs;
  assert.deepEqual(dilation.values.at(-1), { label: "0.25", change: { dilation: 0.25 } });
  assert.equal(choiceOf(knobs, odd)[1], dilation.values.length - 1);
  assert.equal(RENDER_KNOBS[1].values.length, dilation.values.length - 1);
});

Deno.test("coupledStarts() gives every combination of the coupled knobs once, the given one first", () => {
  const choice = choiceOf(RENDER_KNOBS, torch);
  const starts = coupledStarts(RENDER_KNOBS, choice);
  assert.deepEqual(starts[0], choice);
  assert.equal(new Set(starts.map(String)).size, 2 * 5 * 2 * 3);
  assert.equal(starts.length, 2 * 5 * 2 * 3);
});

Deno.test("unrounded() moves a scene within its digits; exact scenes have none", () => {
  const scene = [gaussian({ mean: [0.123, -0.5, 0.25], scale: [0.1, 0.02, 0.3] })];
  assert.equal(roundingOf([scene]), 5e-4);
  assert.equal(roundingOf([scene, [gaussian({ mean: [Math.PI / 10, 0, 0] })]]), 0);
  const moved = unrounded(scene, 5e-4, 1);
  assert.notDeepEqual(moved, scene);
  assert.deepEqual(moved[0].mean.map((value) => Number(value.toFixed(3))), scene[0].mean);
  assert.deepEqual(moved[0].scale.map((value) => Number(value.toFixed(3))), scene[0].scale);
  assert.deepEqual(unrounded(scene, 5e-4, 1), moved);
});
