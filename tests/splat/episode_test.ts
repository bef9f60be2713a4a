import assert from "node:assert/strict";
import type { CallOutcome } from "../../env/observation.ts";
import { imageKey } from "../../env/hash.ts";
import type { Image } from "../../env/image.ts";
import { type StepRecord, stepRecordSchema } from "../../env/records.ts";
import type { GaussianRow } from "../../tasks/splat_rows.ts";
import { sceneFromRows } from "../../splat/scene.ts";
import { SplatEpisode } from "../../splat/episode.ts";
import { readOpening } from "../../splat/policies/read_opening.ts";
import { taskVariant } from "../../splat/protocols.ts";
import { stubPlay, stubTask } from "../support/splat_stub.ts";

const one = { pos: [0, 0, 0.1], scale: [0.45, 0.35, 0.03], color: "#805e31" };
const START: GaussianRow[] = [11, 12, 40].map((id) => ({
  id,
  pos: [0.1, 0.2, 0.3],
  scale: [0.1, 0.2, 0.3],
  quat: [1, 0, 0, 0],
  color: [0, 0.5, 1],
  opacity: 0.75,
  group: id < 20 ? "part_1" : null,
}));
const reassembly = () => stubTask({ start: sceneFromRows(START) });

const visible = ({ accepted, done, step, refusal, notRun }: CallOutcome) => ({
  accepted,
  done,
  step,
  refusal,
  notRun,
});

Deno.test("Episode plays build, render, submit: steps, states, hidden metrics and final row", async () => {
  const pictures: (Image | null)[] = [];
  const onStep = (_: StepRecord, image: Image | null) => void pictures.push(image);
  const { episode } = stubPlay("standard", stubTask(), { onStep });
  const opening = await episode.observe();
  assert.equal(opening.text, episode.prompts.user);
  await episode.call("add_gaussians", { gaussians: [one] });
  const render = await episode.call("render_views", { views: [0, 1, 6, 7] });
  await episode.call("edit_gaussians", { edits: [{ id: 1, opacity: 0.5, group: "top" }] });
  assert.equal(episode.done, false);
  const last = await episode.call("submit", {});
  assert.deepEqual(visible(last), { accepted: true, done: true, step: 4, refusal: null, notRun: null });

  const steps = await episode.steps();
  steps.forEach((step) => stepRecordSchema.parse(JSON.parse(JSON.stringify(step))));
  assert.deepEqual(steps.map(({ tool }) => tool), [
    "reset",
    "add_gaussians",
    "render_views",
    "edit_gaussians",
    "submit",
  ]);
  assert.deepEqual(steps.map(({ step }) => step), [0, 1, 2, 3, 4]);
  assert.deepEqual(steps.map(({ done }) => done), [false, false, false, false, true]);
  const added = {
    id: 1,
    pos: [0, 0, 0.1],
    scale: [0.45, 0.35, 0.03],
    quat: [1, 0, 0, 0],
    color: [0x80 / 255, 0x5e / 255, 0x31 / 255],
    opacity: 1,
    group: null,
  };
  const edited = { ...added, opacity: 0.5, group: "top" };
  assert.deepEqual(steps.map(({ state }) => state), [[], [added], null, [edited], null]);
  // The stub's PSNR: 10 + (1 Gaussian + |x| + first scale) + view, over three held-out views; 10 + 1 when empty.
  const psnr = steps.map(({ hidden }) => hidden.psnr);
  assert.deepEqual(psnr.map((value) => Math.round(value * 1e9) / 1e9), [11, 12.45, 12.45, 12.45, 12.45]);
  assert.deepEqual(steps.map(({ hidden_score }) => hidden_score), Array(5).fill(null));
  assert.deepEqual(steps[2].budgets, { calls: 38, renders: 15, gaussians: 299 });
  assert.equal(steps[2].image, render.image && imageKey(render.image));
  assert.deepEqual(pictures.map((picture) => picture !== null), [true, false, true, false, false]);

  const result = await episode.result();
  assert.deepEqual(result.finalState, [edited]);
  assert.deepEqual(result.metrics, steps[4].hidden);
  assert.deepEqual([result.score, result.reward], [null, null]);
  assert.deepEqual(result.details, { submitted_by: "model" });
});

Deno.test("Episode.observe() logs the opening once, and call() before observe() logs it too", async () => {
  const { episode } = stubPlay();
  const outcome = await episode.call("list_gaussians", {});
  assert.equal(outcome.step, 1);
  await episode.observe();
  assert.deepEqual((await episode.steps()).map(({ tool }) => tool), ["reset", "list_gaussians"]);
});

Deno.test("opening text names every reference camera, the limits and the start", async () => {
  const { text, image } = await stubPlay().episode.observe();
  assert.match(text, /^view 3: azimuth 135°, elevation 15°, distance 3, field of view 40°$/m);
  assert.equal(text.match(/^view \d/gm)?.length, 8);
  assert.match(text, /Limits: 300 Gaussians, 40 tool calls, 16 renders\./);
  assert.match(text, /The scene is empty\.$/);
  assert.ok(image !== null && image.width > 4 * 24);
  const assemble = await stubPlay("standard", reassembly()).episode.observe();
  assert.match(assemble.text, /The scene holds 3 Gaussians in 1 group: part_1\.$/);
});

/** Calls that never run: no step, no budget, the model is told. */
const NEVER_RUN: [string, unknown, string][] = [
  ["paint", {}, "unknown_tool"],
  ["__proto__", {}, "unknown_tool"],
  ["add_gaussians", { gaussian: [one] }, "unknown_argument"],
  ["add_gaussians", JSON.parse('{"gaussians":[],"__proto__":1}'), "unknown_argument"],
  ["submit", { reason: "done" }, "unknown_argument"],
  ["render_angle", { azimuth: 1, elevation: 2, zoom: 3 }, "unknown_argument"],
];

for (const [tool, args, reason] of NEVER_RUN) {
  Deno.test(`Episode.call() never runs ${tool} ${JSON.stringify(args)}: ${reason}`, async () => {
    const { episode } = stubPlay();
    const outcome = await episode.call(tool, args);
    assert.deepEqual(visible(outcome), {
      accepted: false,
      done: false,
      step: null,
      refusal: null,
      notRun: reason,
    });
    assert.match(outcome.text, /^Not run: .* Left: 40 calls, 16 renders, 300 Gaussians\.$/);
    assert.equal((await episode.steps()).length, 1);
  });
}

/** Calls that run: refused ones cost a call, too; aliases and missing arguments are taken. */
const RUN: [string, unknown, string | null][] = [
  ["add_gaussians", "text", "bad_value"],
  ["add_gaussians", [1], "bad_value"],
  ["add_gaussians", { gaussians: [] }, "bad_value"],
  ["edit_gaussians", { gaussians: [{ id: 11, opacity: 0 }] }, null],
  ["render_angle", { azimuth_deg: 1, elevation_deg: 2 }, null],
  ["list_gaussians", null, null],
  ["describe_groups", undefined, null],
  ["submit", [], "bad_value"],
];

for (const [tool, args, refusal] of RUN) {
  Deno.test(`Episode.call() runs ${tool} ${JSON.stringify(args)}: ${refusal ?? "accepted"}`, async () => {
    const { episode } = stubPlay("standard", reassembly());
    const before = structuredClone(episode.state());
    const outcome = await episode.call(tool, args);
    assert.deepEqual([outcome.step, outcome.refusal, outcome.notRun], [1, refusal, null]);
    assert.match(outcome.text, /Left: 39 calls, 1[56] renders, 297 Gaussians\.$/);
    assert.equal(episode.budgets.calls.used, 1);
    if (refusal !== null) {
      assert.deepEqual(episode.state(), before);
      assert.match(outcome.text, /^Refused: [^\n]*$/);
    }
  });
}

Deno.test("Episode never runs a call after the end", async () => {
  const { episode } = stubPlay();
  await episode.call("submit", {});
  const outcome = await episode.call("list_gaussians", {});
  assert.deepEqual(visible(outcome), {
    accepted: false,
    done: true,
    step: null,
    refusal: null,
    notRun: "after_end",
  });
  await episode.submit();
  assert.equal((await episode.steps()).length, 2);
});

Deno.test("Episode submits by itself after call 40 and adds a step for it", async () => {
  const { episode } = stubPlay();
  for (let call = 1; call < 40; call++) await episode.call("list_gaussians", {});
  assert.equal(episode.done, false);
  const last = await episode.call("add_gaussians", { gaussians: [one] });
  assert.deepEqual(visible(last), { accepted: true, done: true, step: 40, refusal: null, notRun: null });
  assert.match(last.text, /Left: 0 calls.*submitted/);
  const steps = await episode.steps();
  assert.equal(steps.length, 42);
  assert.deepEqual(steps.slice(-2).map(({ tool, done }) => [tool, done]), [["add_gaussians", false], [
    "submit",
    true,
  ]]);
  assert.equal(episode.budgets.calls.used, 40);
  assert.deepEqual((await episode.result()).details, { submitted_by: "call_budget" });
});

Deno.test("Episode adds no automatic submit when call 40 is the model's own", async () => {
  const { episode } = stubPlay();
  for (let call = 1; call < 40; call++) await episode.call("list_gaussians", {});
  await episode.call("submit", {});
  assert.equal((await episode.steps()).length, 41);
});

Deno.test("Episode.submit() from outside ends it with a step", async () => {
  const { episode } = stubPlay();
  await assert.rejects(episode.result(), /the episode has not ended/);
  await episode.submit();
  assert.deepEqual((await episode.steps()).map(({ tool }) => tool), ["reset", "submit"]);
  assert.deepEqual((await episode.result()).details, { submitted_by: "outside" });
});

Deno.test("Episode refuses the 17th render, whichever tool asks, and shows one view or eight for one render", async () => {
  const { episode } = stubPlay();
  for (let render = 0; render < 15; render++) {
    await episode.call("render_views", { views: render % 2 ? [0] : [0, 1, 2, 3, 4, 5, 6, 7] });
  }
  assert.equal((await episode.call("render_views", { views: [9] })).refusal, "bad_value");
  assert.equal(episode.budgets.renders.used, 15);
  assert.equal((await episode.call("render_angle", { azimuth: 0, elevation: 0 })).accepted, true);
  for (const args of [{ azimuth: 0, elevation: 0 }]) {
    const refused = await episode.call("render_angle", args);
    assert.deepEqual([refused.refusal, refused.image], ["no_renders_left", null]);
  }
  assert.equal((await episode.call("render_views", { views: [0] })).refusal, "no_renders_left");
  assert.deepEqual(episode.budgets.renders, { used: 16, limit: 16 });
  assert.equal(episode.budgets.calls.used, 19);
});

Deno.test("Episode gives ids from 1 on, never twice, and after those of the start", async () => {
  const { episode } = stubPlay();
  await episode.call("add_gaussians", { gaussians: [one, one] });
  await episode.call("delete_gaussians", { ids: [2] });
  const outcome = await episode.call("add_gaussians", { gaussians: [one] });
  assert.match(outcome.text, /Added 1 Gaussian: id 3\. The scene has 2\./);
  const assemble = stubPlay("standard", reassembly()).episode;
  assert.match((await assemble.call("add_gaussians", { gaussians: [one] })).text, /: id 41\./);
});

Deno.test("early_submit_refused refuses the first submit before call 20, once", async () => {
  const { episode } = stubPlay("early_submit_refused");
  const first = await episode.call("submit", {});
  assert.deepEqual(visible(first), {
    accepted: false,
    done: false,
    step: 1,
    refusal: "early_submit",
    notRun: null,
  });
  assert.match(first.text, /views you have not seen/);
  assert.equal(episode.budgets.calls.used, 1);
  assert.equal((await episode.call("submit", {})).done, true);
});

Deno.test("early_submit_refused refuses call 19 and takes call 20", async () => {
  for (const [call, accepted] of [[19, false], [20, true]] as const) {
    const { episode } = stubPlay("early_submit_refused");
    for (let before = 1; before < call; before++) await episode.call("list_gaussians", {});
    assert.equal((await episode.call("submit", {})).accepted, accepted, `call ${call}`);
  }
});

Deno.test("one_shot takes one call, offers no renders, and submits right after it", async () => {
  const { episode } = stubPlay("one_shot");
  assert.deepEqual(episode.tools.map(({ name }) => name), ["add_gaussians"]);
  assert.match(episode.prompts.user, /exactly one tool call and no renders/);
  const outcome = await episode.call("add_gaussians", { gaussians: [one] });
  assert.equal(outcome.done, true);
  assert.deepEqual((await episode.steps()).map(({ tool }) => tool), ["reset", "add_gaussians", "submit"]);

  const render = await stubPlay("one_shot").episode.call("render_views", { views: [0] });
  assert.deepEqual([render.refusal, render.done], ["no_renders_left", true]);
});

Deno.test("Episode.result() rewards clip(score / 100, 0, 1), and logs the score of every step", async () => {
  for (const [score, reward] of [[-51.7, 0], [0, 0], [4.2, 0.042], [67.7, 0.677], [100, 1], [130, 1]]) {
    const unused = () => Promise.reject(new Error("must not render"));
    const scored = () => Promise.resolve({ score, metrics: { psnr: 20, ssim: 0.5 } });
    const studio = {
      scoreKind: "partial" as const,
      score: scored,
      referenceViews: unused,
      fromCamera: unused,
    };
    const options = { id: "stub", protocol: "standard" };
    const episode = new SplatEpisode(taskVariant(stubTask(), "standard"), studio, options);
    await episode.call("submit", {});
    assert.deepEqual((await episode.steps()).map(({ hidden_score }) => hidden_score), [score, score]);
    const result = await episode.result();
    assert.deepEqual([result.score, result.reward], [score, reward]);
  }
});

Deno.test("Episode of a published task uses its prompts and tools", async () => {
  const published = {
    prompts: { system: "S", user: "U" },
    tools: [{ name: "submit", description: "d", parameters: {} }],
  };
  const { episode } = stubPlay("standard", stubTask({ published }));
  assert.deepEqual(episode.tools, published.tools);
  assert.equal((await episode.observe()).text, "U");
});

Deno.test("hidden metrics are asked for once per distinct scene, without pixels, in one job an edit", async () => {
  const { episode, renderer } = stubPlay();
  await episode.call("add_gaussians", { gaussians: [one] });
  await episode.call("edit_gaussians", { edits: [{ id: 1, opacity: 0.5 }] });
  await episode.call("edit_gaussians", { edits: [{ id: 1, opacity: 1 }] });
  await episode.call("list_gaussians", {});
  await episode.steps();
  // Empty, opacity 1, opacity 0.5; the second opacity 1 is known.
  assert.equal(renderer.scored.length, 3);
  assert.ok(renderer.scored.every(({ cameras, photos }) => cameras.length === 3 && photos?.count === 3));
});

Deno.test("hidden metrics never reach the model", async () => {
  const { episode } = stubPlay();
  const texts = [(await episode.observe()).text];
  texts.push((await episode.call("add_gaussians", { gaussians: [one] })).text);
  texts.push((await episode.call("list_gaussians", {})).text);
  texts.push((await episode.call("submit", {})).text);
  const { psnr, ssim } = (await episode.result()).metrics;
  assert.ok(!texts.join("\n").includes(psnr.toFixed(2)) && !texts.join("\n").includes(ssim.toFixed(3)));
});

Deno.test("a renderer that fails surfaces from steps() and result(), not from calls that draw nothing", async () => {
  const { episode, renderer } = stubPlay();
  renderer.failure = new Error("device lost");
  await episode.call("add_gaussians", { gaussians: [one] });
  await episode.call("submit", {});
  await assert.rejects(episode.steps(), /device lost/);
  await assert.rejects(episode.result(), /device lost/);
});

Deno.test("list_gaussians and describe_groups give readable rows", async () => {
  const { episode } = stubPlay("standard", reassembly());
  const list = await episode.call("list_gaussians", {});
  assert.deepEqual(list.text.split("\n").slice(0, 2), [
    "3 Gaussians: id | pos | scale | quat | color | opacity | group",
    "11 | [0.1, 0.2, 0.3] | [0.1, 0.2, 0.3] | [1, 0, 0, 0] | #0080ff | 0.75 | part_1",
  ]);
  await episode.call("edit_gaussians", { edits: [{ id: 12, pos: [0.3, 0, -0.1], color: "#ff0000" }] });
  const groups = await episode.call("describe_groups", {});
  // By hand: centre (0.2, 0.1, 0.1); colour ((0 + 1)/2, 0.5/2, 1/2) = #804080.
  assert.deepEqual(groups.text.split("\n").slice(0, 3), [
    "2 groups:",
    "part_1: 2 Gaussians, centre [0.2, 0.1, 0.1], extent [0.1, 0, -0.1] to [0.3, 0.2, 0.3], mean colour #804080",
    "(no group): 1 Gaussian, centre [0.1, 0.2, 0.3], extent [0.1, 0.2, 0.3] to [0.1, 0.2, 0.3], mean colour #0080ff",
  ]);
});

Deno.test("render_views tells PSNR, SSIM and IoU of each view, in the order asked", async () => {
  const { episode } = stubPlay();
  const { text, image } = await episode.call("render_views", { views: [6, 0] });
  // The stub's numbers for an empty scene: PSNR 10 + 0 + index, SSIM 0.5, IoU 0.5.
  assert.deepEqual(text.split("\n").slice(0, 2), [
    "view 6: PSNR 10.00 dB, SSIM 0.500, IoU 0.5",
    "view 0: PSNR 11.00 dB, SSIM 0.500, IoU 0.5",
  ]);
  assert.ok(image !== null);
});

Deno.test("openingFacts() says where the origin is for cameras that do not look at it, and a policy reads it", async () => {
  const task = stubTask();
  const shifted = task.reference.map(({ photo, camera }, view) => ({
    photo,
    camera: view === 1 ? { ...camera, cx: camera.cx + 7.25, cy: camera.cy - 3 } : camera,
  }));
  const { episode } = stubPlay("standard", { ...task, reference: shifted });
  const opening = await episode.observe();
  const { cx, cy } = shifted[1].camera;
  const lines = opening.text.split("\n").filter((line) => /^view \d/.test(line));
  const said = lines[1].match(/, origin at pixel \((\S+), (\S+)\)$/)?.slice(1).map(Number) ?? [];
  assert.ok(Math.abs(said[0] - cx) < 0.06 && Math.abs(said[1] - cy) < 0.06, lines[1]);
  assert.ok(!lines[0].includes("origin at pixel"));
  const read = readOpening(opening)[1].camera;
  assert.ok(Math.abs(read.cx - cx) < 0.06 && Math.abs(read.cy - cy) < 0.06);
});
