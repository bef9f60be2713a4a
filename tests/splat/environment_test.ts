import assert from "node:assert/strict";
import type { EnvironmentDefinition, TaskInfo } from "../../env/environment.ts";
import { orbitCamera } from "../../splat/camera.ts";
import { ENVIRONMENT_FILES, ENVIRONMENT_PACKAGES } from "../../splat/environment_files.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { openGpu } from "../../gpu/device.ts";
import { DEFAULT_RENDER_PROFILE } from "../../splat/render/profile.ts";
import { Renderer } from "../../splat/render/renderer.ts";
import { DEFAULT_METRICS } from "../../splat/score/metric_profile.ts";
import { SYSTEM_PROMPT } from "../../splat/prompts.ts";
import { taskVariant } from "../../splat/protocols.ts";
import { TOOLS } from "../../splat/tools/table.ts";
import { checkModuleGraph } from "../support/module_graph.ts";
import { StubRenderer, stubTask } from "../support/splat_stub.ts";
import { drawnWeights } from "./lpips/drawn_weights.ts";
import { sceneFromRows } from "../../splat/scene.ts";

function stubbed(): { environment: EnvironmentDefinition; renderer: StubRenderer } {
  const renderer = new StubRenderer();
  return { environment: splatEnvironment({ openRenderer: renderer.open }), renderer };
}

async function table(environment: EnvironmentDefinition): Promise<TaskInfo> {
  const [info] = await environment.findTasks(["table__sculpt"]);
  return info;
}

Deno.test("splatEnvironment() names settings and episodes as the published tables do", () => {
  const { environment } = stubbed();
  assert.equal(environment.setting("standard", "medium"), "medium_effort");
  assert.equal(environment.setting("standard", "xhigh"), "xhigh_effort");
  assert.equal(environment.setting("one_shot", "medium"), "one_shot");
  assert.equal(environment.setting("early_submit_refused", "medium"), "early_submit_refused");
  const parts = { model: "gpt-6-astra", task: "table__sculpt", effort: "medium", run: 2 };
  assert.equal(environment.episodeId(parts), "gpt-6-astra__table__sculpt__eval_r2");
  assert.equal(environment.defaultRuns, 2);
});

Deno.test("splatEnvironment() opens no device for tasks and prompts", async () => {
  const environment = splatEnvironment({ openRenderer: () => Promise.reject(new Error("no device")) });
  const episode = await environment.open(await table(environment), { id: "e", protocol: "standard" });
  assert.match(episode.prompts.user, /^Rebuild the object/);
  await episode.observe();
  await assert.rejects(episode.steps(), /no device/);
});

Deno.test("splatEnvironment().scoreStates() takes states of episodes, cloned, and renders equal ones once", async () => {
  const { environment, renderer } = stubbed();
  const info = await table(environment);
  const episode = await environment.open(info, { id: "e", protocol: "standard" });
  await episode.call("add_gaussians", { gaussians: [{ pos: [0.1, 0, 0], scale: 0.2, group: "a" }] });
  const state = structuredClone(episode.state());
  assert.deepEqual(state, [{
    id: 1,
    pos: [0.1, 0, 0],
    scale: [0.2, 0.2, 0.2],
    quat: [1, 0, 0, 0],
    color: [0.5, 0.5, 0.5],
    opacity: 1,
    group: "a",
  }]);
  const scores = await environment.scoreStates(info, [state, [], JSON.parse(JSON.stringify(state)), state]);
  assert.deepEqual(scores[0], scores[2]);
  assert.notDeepEqual(scores[0], scores[1]);
  const [, step] = await episode.steps();
  assert.deepEqual(scores[0].metrics, step.hidden);
  // The opening's empty scene, the one with a Gaussian, and the fit that earns 100: three jobs in all.
  assert.equal(renderer.scored.length, 3);
});

Deno.test("splatEnvironment().scoreStates() says what a scene is when it is none", async () => {
  const { environment } = stubbed();
  const info = await table(environment);
  await assert.rejects(
    environment.scoreStates(info, [[{ id: 1 }]]),
    /Cannot score a scene of table__sculpt: \[0\]\.pos: .*A scene is a list/,
  );
});

const ROW = {
  id: 7,
  pos: [0, 0, 0],
  scale: [0.1, 0.2, 0.3],
  quat: [1, 0, 0, 0],
  color: [0, 0.5, 1],
  opacity: 1,
  group: null,
};
for (
  const [state, why] of [
    [[ROW, { ...ROW, id: 8, quat: [0, 0, 0, 0] }], /: \[1\]\.quat: a zero quaternion/],
    [[{ ...ROW, scale: [0.1, 0, 0.1] }], /: \[0\]\.scale: every scale must be above 0/],
    [[{ ...ROW, scale: [0.1, -1, 0.1] }], /: \[0\]\.scale: every scale must be above 0/],
    [[{ ...ROW, opacity: 5 }], /: \[0\]\.opacity: opacity lies in \[0, 1\]/],
    [[{ ...ROW, color: [0, 1e30, 0] }], /: \[0\]\.color: colours lie in \[0, 1\]/],
    [[{ ...ROW, pos: [0, NaN, 0] }], /: \[0\]\.pos\[1\]: /],
    [[ROW, ROW], /: \[1\]\.id: 7 is there twice/],
    [Array.from({ length: 20_000 }, (_, id) => ({ ...ROW, id })), /: 20000 Gaussians, but the limit is 300/],
    ["a scene", /: Invalid input: expected array/],
    [null, /: Invalid input: expected array/],
  ] as const
) {
  Deno.test(`splatEnvironment().scoreStates() renders nothing when a state is bad: ${why.source}`, async () => {
    const { environment, renderer } = stubbed();
    const info = await table(environment);
    await assert.rejects(environment.scoreStates(info, [[], state]), why);
    assert.equal(renderer.batches.length, 0);
  });
}

Deno.test("splatEnvironment() merges the renders of concurrent episodes into shared batches", async () => {
  const { environment, renderer } = stubbed();
  const info = await table(environment);
  const play = async (index: number) => {
    const episode = await environment.open(info, { id: `e${index}`, protocol: "standard" });
    await episode.call("add_gaussians", {
      gaussians: [{ pos: [0, 0, index / 10], scale: 0.1 + index / 100 }],
    });
    await episode.call("render_views", { views: [0] });
    await episode.call("submit", {});
    return await episode.result();
  };
  const results = await Promise.all([0, 1, 2, 3, 4, 5].map(play));
  assert.equal(new Set(results.map(({ metrics }) => metrics.psnr)).size, 6);
  // One job for the empty scene of all six, one for the fit, one score and one picture each.
  assert.equal(renderer.batches.flat().length, 14);
  assert.ok(renderer.batches.length <= 4, `${renderer.batches.length} batches`);
  // Reference and held-out photos stay for the next episode.
  assert.equal(renderer.openPhotoSets, 2);
});

Deno.test("splatEnvironment() tries again after a device that did not open", async () => {
  const renderer = new StubRenderer();
  let tries = 0;
  const openRenderer = () => ++tries === 1 ? Promise.reject(new Error("busy")) : renderer.open();
  const environment = splatEnvironment({ openRenderer });
  const info = await table(environment);
  await assert.rejects(environment.scoreStates(info, [[]]), /busy/);
  assert.equal((await environment.scoreStates(info, [[]])).length, 1);
});

Deno.test("splatEnvironment() renders a task again after a render that failed", async () => {
  const { environment, renderer } = stubbed();
  const info = await table(environment);
  renderer.failure = new Error("lost");
  await assert.rejects(environment.scoreStates(info, [[]]), /lost/);
  renderer.failure = null;
  assert.equal((await environment.scoreStates(info, [[]])).length, 1);
});

const POLICY_CALLS: Readonly<Record<string, string[]>> = {
  mean: ["add_gaussians", "submit"],
  carve: ["add_gaussians", "render_views", "edit_gaussians", "submit"],
  oracle: ["add_gaussians", "add_gaussians", "add_gaussians", "submit"],
};

Deno.test("builtin policies play whole episodes: mean submits after one Gaussian, random after 12 to 16 calls", async () => {
  const { environment } = stubbed();
  const info = await table(environment);
  for (const run of [1, 2, 3]) {
    for (const [name, makePolicy] of Object.entries(environment.policies)) {
      const policy = await makePolicy(info, run);
      const episode = await environment.open(info, { id: name, protocol: "standard" });
      const opening = await episode.observe();
      const history: {
        call: { name: string; arguments: Record<string, unknown> };
        outcome: Awaited<ReturnType<typeof episode.call>>;
      }[] = [];
      while (!episode.done) {
        const view = { opening, tools: episode.tools, history };
        const calls = await policy(view);
        assert.deepEqual(await policy(view), calls, "a policy is a function of its view");
        for (const call of calls) {
          history.push({ call, outcome: await episode.call(call.name, call.arguments) });
        }
      }
      const names = history.map(({ call }) => call.name);
      const expected = POLICY_CALLS[name];
      if (expected !== undefined) assert.deepEqual(names, expected);
      else assert.ok(names.length >= 12 && names.length <= 16, names.join());
      assert.ok(history.filter(({ outcome }) => outcome.accepted).length > names.length / 2);
    }
  }
});

Deno.test("policy mean sees in the sheet what the baseline mean sees in the photos", async () => {
  const { environment } = stubbed();
  for (const info of await environment.findTasks(["table__sculpt", "rocket__sculpt"])) {
    const episode = await environment.open(info, { id: "e", protocol: "standard" });
    const policy = await environment.policies.mean(info, 1);
    const [call] = await policy({ opening: await episode.observe(), tools: episode.tools, history: [] });
    await episode.call(call.name, call.arguments);
    assert.deepEqual(episode.state(), await environment.baselines.mean(info));
  }
});

Deno.test("splatEnvironment().identity() has a stable fingerprint, profile hash and device", async () => {
  const { environment } = stubbed();
  const identity = await environment.identity();
  assert.match(identity.fingerprint, /^[0-9a-f]{64}$/);
  assert.match(identity.profileHash, /^[0-9a-f]{64}$/);
  assert.equal(identity.device, "stub");
  assert.deepEqual(await stubbed().environment.identity(), identity);
});

Deno.test("ENVIRONMENT_FILES lists the module graph of splat/environment.ts", async () => {
  await checkModuleGraph("splat/environment.ts", {
    files: ENVIRONMENT_FILES,
    packages: ENVIRONMENT_PACKAGES,
    in: "splat/environment_files.ts",
  });
});

Deno.test("tool schemas are plain JSON Schema objects that name limits and defaults", () => {
  const specs = new Map(TOOLS.map(({ spec }) => [spec.name, JSON.parse(JSON.stringify(spec.parameters))]));
  assert.equal(specs.size, 10);
  for (const schema of specs.values()) {
    assert.equal(schema.type, "object");
    assert.equal(schema.additionalProperties, false);
    assert.equal(schema.$schema, undefined);
    // Endpoints hand patterns to other regular expression engines; what only JavaScript knows must not reach them.
    const text = JSON.stringify(schema);
    assert.doesNotMatch(text, /"pattern":"[^"]*\\\\p/i);
    assert.doesNotMatch(text, /9007199254740991/);
  }
  const { properties, required } = specs.get("add_gaussians").properties.gaussians.items;
  assert.deepEqual(required, ["pos", "scale"]);
  assert.deepEqual(Object.keys(properties), [
    "pos",
    "scale",
    "quat",
    "euler_deg",
    "color",
    "opacity",
    "group",
  ]);
  assert.deepEqual([properties.opacity.default, properties.opacity.minimum, properties.opacity.maximum], [
    1,
    0,
    1,
  ]);
  assert.deepEqual(properties.color.default, [0.5, 0.5, 0.5]);
  const colors = new RegExp(properties.color.anyOf[0].pattern);
  assert.ok(colors.test("#805E31") && colors.test("#fff") && !colors.test("805e31") && !colors.test("#ff"));
  assert.match(properties.quat.description, /Default: no rotation/);
  const edited = specs.get("edit_gaussians").properties.edits.items;
  assert.deepEqual(edited.required, ["id"]);
  for (const field of Object.values<Record<string, unknown>>(edited.properties)) {
    assert.ok(
      !("default" in field) && !/default/i.test(String(field.description)),
      "an edit keeps what it leaves out",
    );
  }
  assert.deepEqual([properties.pos.items.minimum, properties.pos.items.maximum], [-10, 10]);
  for (const field of Object.values<{ description?: string }>(properties)) assert.ok(field.description);
});

Deno.test("system prompt names the metrics that the environment scores, and no others", async () => {
  const openRenderer = new StubRenderer().open;
  const weights = drawnWeights("squeeze");
  for (
    const environment of [splatEnvironment({ openRenderer, lpipsWeights: weights }), stubbed().environment]
  ) {
    const [headline, ...metrics] = environment.columns.map(({ key }) => key.toUpperCase());
    assert.equal(headline, "SCORE");
    const episode = await environment.open(await table(environment), { id: "e", protocol: "standard" });
    const { system } = episode.prompts;
    assert.deepEqual(system.match(/\b(PSNR|SSIM|LPIPS)\b/g), metrics);
    assert.equal(system === SYSTEM_PROMPT, environment.scoreKind === "full");
    assert.match(system, /an empty scene \(0\) .* gradient-descent fit of 300 Gaussians .* \(100\)/);
  }
});

Deno.test("render_views says which of its numbers is not graded", () => {
  const { environment } = stubbed();
  const { description } = TOOLS.find(({ name }) => name === "render_views")?.spec ?? {};
  const shown = description?.match(/\b(PSNR|SSIM|IoU)\b/g);
  const graded = new Set(environment.columns.map(({ key }) => key.toUpperCase()));
  assert.deepEqual(shown?.filter((name) => !graded.has(name)), ["IoU"]);
  assert.match(description ?? "", /IoU \(at most 1; shown for orientation, not graded\)/);
});

Deno.test("add_gaussians says how far a Gaussian is seen", () => {
  const text = JSON.stringify(TOOLS[0].spec.parameters);
  const falloff = (deviations: number) => `${Math.round(100 * Math.exp(-(deviations ** 2) / 2))} %`;
  assert.ok(text.includes(`Opacity falls to ${falloff(1)} at 1 and ${falloff(2)} at 2 standard deviations`));
});

Deno.test("system prompt tells the truth about azimuth", () => {
  assert.match(SYSTEM_PROMPT, /at azimuth 0 the camera stands on the \+X side and \+Y points to the right/);
  assert.match(SYSTEM_PROMPT, /at azimuth 90 it stands on the \+Y side and \+X points to the left/);
  const toTheRight = (azimuthDeg: number, point: readonly number[]) => {
    const { rotation } = orbitCamera({ azimuthDeg, elevationDeg: 10, distance: 3, fovDeg: 40 }, 31, 17);
    return Math.sign(rotation[0].reduce((sum, part, i) => sum + part * point[i], 0));
  };
  assert.equal(toTheRight(0, [0, 1, 0]), 1);
  assert.equal(toTheRight(90, [1, 0, 0]), -1);
});

Deno.test("taskVariant() sets the limits of the protocol and refuses what does not fit", () => {
  const task = stubTask();
  assert.deepEqual(taskVariant(task, "standard").limits, task.limits);
  assert.deepEqual(taskVariant(task, "early_submit_refused").limits, task.limits);
  const shot = taskVariant(task, "one_shot").limits;
  assert.deepEqual([shot.calls, shot.renders, shot.gaussians], [1, 0, 300]);
  assert.throws(
    () => taskVariant(task, "two_shots"),
    /there is no such protocol\. The protocols are standard, /,
  );
  const start = sceneFromRows([{
    id: 1,
    pos: [0, 0, 0],
    scale: [1, 1, 1],
    quat: [1, 0, 0, 0],
    color: [0, 0, 0],
    opacity: 1,
    group: "p",
  }]);
  assert.throws(
    () => taskVariant(stubTask({ start }), "one_shot"),
    /it is for build tasks and this is a reassembly task/,
  );
  // Its limits are those of one_shot: played as standard it would end after one call.
  assert.throws(
    () => taskVariant(taskVariant(task, "one_shot"), "standard"),
    /it already is a variant for one_shot.*Make the variant from the task itself/,
  );
});

Deno.test("splatEnvironment() on a device: a scored edit takes one submit, scoreStates() gives the same", async () => {
  let submits = 0;
  const openRenderer = async () => {
    const gpu = await openGpu("software");
    const submit = gpu.submit.bind(gpu);
    gpu.submit = (...parts) => {
      submits++;
      return submit(...parts);
    };
    const renderer = await Renderer.open(gpu, DEFAULT_RENDER_PROFILE, DEFAULT_METRICS);
    return { renderer, device: gpu.name, close: () => gpu.close() };
  };
  const environment = splatEnvironment({ openRenderer });
  try {
    const info = await table(environment);
    const episode = await environment.open(info, { id: "e", protocol: "standard" });
    await episode.observe();
    await episode.steps();
    submits = 0;
    const gaussian = { pos: [0, 0, 0.1], scale: [0.45, 0.35, 0.03], color: "#805e31" };
    await episode.call("add_gaussians", { gaussians: [gaussian] });
    await episode.steps();
    assert.equal(submits, 1);
    const render = await episode.call("render_views", { views: [1, 6] });
    assert.ok(render.accepted && render.image !== null);
    await episode.submit();
    const { metrics, finalState } = await episode.result();
    const fresh = splatEnvironment({ openRenderer });
    const [again, empty] = await fresh.scoreStates(info, [structuredClone(finalState), []]);
    fresh.close();
    assert.deepEqual(again.metrics, metrics);
    assert.ok(metrics.psnr > empty.metrics.psnr);
  } finally {
    environment.close();
  }
});
