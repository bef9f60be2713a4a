import assert from "node:assert/strict";
import type { CallOutcome } from "../../../env/observation.ts";
import type { PolicyCall } from "../../../env/policy.ts";
import { splatEnvironment } from "../../../splat/environment.ts";
import type { SplatEpisode } from "../../../splat/episode.ts";
import { loadTask } from "../../../splat/load_task.ts";
import { carvePolicy } from "../../../splat/policies/carve.ts";
import { meanPolicy } from "../../../splat/policies/mean.ts";
import type { Vector3 } from "../../../env/vector3.ts";
import type { SplatTask, View } from "../../../splat/task.ts";
import { dot } from "../../../env/vector3.ts";
import { stubPlay, stubTask } from "../../support/splat_stub.ts";

interface Played {
  episode: SplatEpisode;
  history: { call: PolicyCall; outcome: CallOutcome }[];
}

/** With a new policy at every turn, as after a kill. */
async function play(task: SplatTask, protocol = "standard", make = carvePolicy): Promise<Played> {
  const { episode } = stubPlay(protocol, task);
  const opening = await episode.observe();
  const history: Played["history"] = [];
  while (!episode.done && history.length < 12) {
    for (const call of await make()({ opening, tools: episode.tools, history })) {
      history.push({ call, outcome: await episode.call(call.name, call.arguments) });
    }
  }
  return { episode, history };
}

const names = ({ history }: Played) => history.map(({ call }) => call.name);

Deno.test("carvePolicy() builds, looks, mends colours and submits, within every budget", async () => {
  const played = await play(await loadTask("rocket__sculpt"));
  assert.deepEqual(names(played), ["add_gaussians", "render_views", "edit_gaussians", "submit"]);
  assert.ok(played.history.every(({ outcome }) => outcome.accepted));
  const { gaussians, renders } = played.episode.budgets;
  assert.deepEqual([gaussians, renders], [{ used: 300, limit: 300 }, { used: 1, limit: 16 }]);
});

Deno.test("carvePolicy() is a function of its view: a new one at each turn goes on where the last one was", async () => {
  const task = await loadTask("rocket__sculpt");
  const [first, second] = [await play(task), await play(task)];
  assert.deepEqual(first.history.map(({ call }) => call), second.history.map(({ call }) => call));
  const policy = carvePolicy();
  const kept = await play(task, "standard", () => policy);
  assert.deepEqual(kept.history.map(({ call }) => call), first.history.map(({ call }) => call));
});

Deno.test("carvePolicy() does not depend on what is held out", async () => {
  const task = await loadTask("rocket__sculpt");
  const other = { ...task, heldOut: task.reference.slice(0, 2), fits: [] };
  const calls = async (of: SplatTask) => (await play(of)).history.map(({ call }) => call);
  assert.deepEqual(await calls(other), await calls(task));
});

Deno.test("carvePolicy() takes a reassembly away and builds the same anew", async () => {
  const build = await play(await loadTask("rocket__sculpt"));
  const played = await play(await loadTask("rocket__assemble"));
  assert.deepEqual(names(played), ["list_gaussians", "delete_gaussians", ...names(build)]);
  assert.ok(played.history.every(({ outcome }) => outcome.accepted));
  assert.equal(played.episode.budgets.gaussians.used, 300);
  assert.deepEqual(played.history[2].call, build.history[0].call);
  const { details } = await played.episode.result();
  assert.ok(Array.isArray(details.part_errors));
  assert.ok(details.part_errors.every(({ gaussians, distance }) => gaussians === 0 && distance === null));
});

Deno.test("carvePolicy() plays one_shot in one call, and submits again where the first submit is refused", async () => {
  const task = await loadTask("rocket__sculpt");
  assert.deepEqual(names(await play(task, "one_shot")), ["add_gaussians"]);
  const refused = await play(task, "early_submit_refused");
  assert.deepEqual(names(refused).slice(-2), ["submit", "submit"]);
  assert.ok(refused.episode.done);
});

Deno.test("carvePolicy() keeps to smaller limits, and ends with one Gaussian where photos agree on nothing", async () => {
  const task = await loadTask("rocket__sculpt");
  const small = await play({ ...task, limits: { gaussians: 40, calls: 3, renders: 0, viewsPerPicture: 8 } });
  assert.deepEqual(names(small), ["add_gaussians", "submit"]);
  assert.equal(small.episode.budgets.gaussians.used, 40);
  const blank = await play(stubTask());
  assert.ok(blank.episode.done && blank.history.every(({ outcome }) => outcome.accepted));
  const published = { prompts: { system: "s", user: "Build it." }, tools: [] };
  const foreign = await play({ ...task, published });
  assert.deepEqual([foreign.episode.done, foreign.episode.budgets.gaussians.used], [true, 1]);
});

Deno.test("meanPolicy() takes a reassembly away before it adds its Gaussian", async () => {
  const played = await play(await loadTask("rocket__assemble"), "standard", () => meanPolicy);
  assert.deepEqual(names(played), ["list_gaussians", "delete_gaussians", "add_gaussians", "submit"]);
  assert.equal(played.episode.budgets.gaussians.used, 1);
});

/** On a device, with the hidden score of every step. */
async function playOnDevice(change: (task: SplatTask) => SplatTask) {
  const environment = splatEnvironment({ device: "auto" });
  try {
    const task = change(await loadTask("robot__sculpt"));
    const episode = environment.openTask(task, { id: "e", protocol: "standard" });
    const policy = carvePolicy();
    const { text, image } = await episode.observe();
    // As the opening of a published task, which does not say where the origin is.
    const opening = { text: text.replaceAll(/, origin at pixel \([^)]*\)/g, ""), image };
    const history: Played["history"] = [];
    while (!episode.done) {
      for (const call of await policy({ opening, tools: episode.tools, history })) {
        history.push({ call, outcome: await episode.call(call.name, call.arguments) });
      }
    }
    return { history, result: await episode.result(), steps: await episode.steps() };
  } finally {
    environment.close();
  }
}

Deno.test("carvePolicy() earns more than 45 points on a device", async () => {
  const { result: { score, metrics }, steps } = await playOnDevice((task) => task);
  assert.ok(metrics.psnr > 22, `${metrics.psnr} dB`);
  assert.ok((score ?? 0) > 45, `${score}`);
  // Looking at its own render was worth it.
  const [, built, , mended] = steps;
  assert.ok((mended.hidden_score ?? 0) > (built.hidden_score ?? 0));
});

Deno.test("carvePolicy() sees in its render that cameras look past the origin, and moves what it built", async () => {
  const shift: Vector3 = [0.04, -0.05, -0.15];
  // Cameras and object moved together: x becomes x + shift, so that the same photos come from R (x − shift) + t.
  const moved = ({ camera, photo }: View): View => {
    const { rotation, translation } = camera;
    const along = (row: 0 | 1 | 2) => translation[row] - dot(rotation[row], shift);
    return { photo, camera: { ...camera, translation: [along(0), along(1), along(2)] } };
  };
  const { history, result, steps } = await playOnDevice((task) => ({
    ...task,
    reference: task.reference.map(moved),
    heldOut: task.heldOut.map(moved),
    fits: [],
  }));
  const names = history.map(({ call }) => call.name);
  const expected = ["add_gaussians", "render_views", "transform_group", "render_views", "edit_gaussians"];
  assert.deepEqual(names, [...expected, "submit"]);
  const { translate } = history[2].call.arguments;
  assert.ok(Array.isArray(translate));
  translate.forEach((value, axis) => assert.ok(Math.abs(value - shift[axis]) < 0.03, `${translate}`));
  assert.ok(
    result.metrics.psnr > steps[1].hidden.psnr + 1,
    `${steps[1].hidden.psnr} → ${result.metrics.psnr}`,
  );
});
