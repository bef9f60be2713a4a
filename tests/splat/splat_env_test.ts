import assert from "node:assert/strict";
import { imageKey } from "../../env/hash.ts";
import type { Image } from "../../env/image.ts";
import { BenchError, GpuError } from "../../env/errors.ts";
import { stepRecordSchema } from "../../env/records.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { randomBlobScene } from "../../splat/objects/blobs.ts";
import { taskVariant } from "../../splat/protocols.ts";
import { sceneToRows } from "../../splat/scene.ts";
import { SplatEnv } from "../../splat/splat_env.ts";
import { stubPlay, StubRenderer, stubTask } from "../support/splat_stub.ts";

const stubbed = () => new SplatEnv({ openRenderer: new StubRenderer().open });

Deno.test("SplatEnv plays an episode with a method per tool and keeps the trajectory", async () => {
  const env = stubbed();
  const opening = await env.reset(stubTask());
  assert.ok(opening.image !== null);
  await env.addGaussians([{ pos: [0, 0, 0.1], scale: [0.45, 0.35, 0.03], color: "#805e31", group: "top" }]);
  await env.editGaussians([{ id: 1, opacity: 0.9 }]);
  await env.transformGroup({ group: "top", rotate: { axis: "z", degrees: 90 } });
  await env.listGaussians();
  await env.describeGroups();
  await env.viewReferences([2]);
  const out = await env.renderViews([0, 1, 6, 7]);
  assert.ok(out.image !== null && !out.done);
  await env.renderAngle({ azimuth: 30, elevation: 20 });
  await env.deleteGaussians([1]);
  assert.equal((await env.call("paint", {})).notRun, "unknown_tool");
  assert.equal((await env.submit()).done, true);
  const steps = await env.trajectory;
  steps.forEach((step) => stepRecordSchema.parse(step));
  assert.ok(steps.every(({ accepted, hidden }) => accepted && Number.isFinite(hidden.psnr)));
  assert.equal(steps.length, 11);
  assert.equal(await env.getReward(), null);
  assert.equal(env.done, true);
  env.close();
});

const scene = randomBlobScene(6).slice(0, 12);
const fitted = () => stubTask({ fits: [{ gaussians: 300, scene, recipeHash: "r" }] });
const additions = sceneToRows(scene).map(({ id: _, group: __, ...gaussian }) => gaussian);

Deno.test("SplatEnv.getReward() is the score's at the end, getTrainingReward() starts at a third", async () => {
  const env = stubbed();
  for (const [gaussians, reward, training] of [[[], 0, 1 / 3], [additions, 1, 1]] as const) {
    await env.reset(fitted());
    if (gaussians.length > 0) await env.addGaussians(gaussians);
    await env.submit();
    assert.equal(await env.getReward(), reward);
    assert.equal(await env.getTrainingReward(), training);
  }
});

Deno.test('SplatEnv with reward "delta" gives each call what its scene gained, all together the score', async () => {
  const env = new SplatEnv({ openRenderer: new StubRenderer().open, reward: "delta" });
  await env.reset(fitted());
  const rewards = [await env.getReward()];
  for (const gaussian of additions) {
    await env.addGaussians([gaussian]);
    rewards.push(await env.getReward());
  }
  await env.listGaussians();
  rewards.push(await env.getReward());
  await env.submit();
  rewards.push(await env.getReward());
  assert.deepEqual([rewards[0], ...rewards.slice(-2)], [0, 0, 0]);
  assert.ok(rewards.slice(1, -2).every((reward) => reward !== null && reward > 0));
  assert.ok(Math.abs(rewards.reduce<number>((sum, reward) => sum + (reward ?? NaN), 0) - 1) < 1e-12);
  await env.reset(stubTask());
  assert.equal(await env.getReward(), null);
});

Deno.test("SplatEnv plays a task variant under its protocol", async () => {
  const env = stubbed();
  await env.reset(taskVariant(stubTask(), "one_shot"));
  const out = await env.addGaussians([{ pos: [0, 0, 0], scale: 0.1 }]);
  assert.equal(out.done, true);
});

Deno.test("SplatEnv says to reset first, and gives no reward before the end", async () => {
  const env = stubbed();
  await assert.rejects(env.submit(), /no episode has been started\. Call reset first/);
  await env.reset(stubTask());
  await assert.rejects(env.getReward(), /the episode has not ended/);
});

Deno.test("SplatEnv.close() leaves an environment that was handed in open", async () => {
  let closed = 0;
  const open = async () => ({ ...await new StubRenderer().open(), close: () => void closed++ });
  const environment = splatEnvironment({ openRenderer: open });
  const env = new SplatEnv({ environment });
  await env.reset(stubTask());
  await env.trajectory;
  env.close();
  assert.equal(closed, 0);
  environment.close();
  await Promise.resolve();
  assert.equal(closed, 1);
});

/** A device that, once closed, fails as WebGPU does; its first renders take until `letGo`. */
function slowDevice() {
  const renderer = new StubRenderer();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const render = renderer.render.bind(renderer);
  let [opened, closed] = [0, 0];
  renderer.render = async (jobs) => {
    await held;
    return await render(jobs);
  };
  const openRenderer = async () => {
    opened++;
    const lost = new GpuError({
      what: "Cannot run",
      why: "Buffer with '' label belongs to Device with '' label",
    });
    return {
      ...await renderer.open(),
      close: () => {
        closed++;
        renderer.failure = lost;
        letGo();
      },
    };
  };
  return { env: new SplatEnv({ openRenderer }), letGo, counts: () => [opened, closed] };
}

Deno.test("SplatEnv.close() during a render says so in one line, and opens no device again", async () => {
  const { env, counts } = slowDevice();
  await env.reset(stubTask());
  const render = assert.rejects(
    env.renderViews([0]),
    oneLine(/^Cannot draw or score: the environment has been closed\. /),
  );
  // Late enough for the render to have reached the device.
  await new Promise((resolve) => setTimeout(resolve, 5));
  env.close();
  await render;
  await assert.rejects(env.trajectory, oneLine(/the environment has been closed/));
  const again = oneLine(/^Cannot use SplatEnv: it has been closed\. Make a new one$/);
  await assert.rejects(env.renderViews([0]), again);
  await assert.rejects(env.reset(stubTask()), again);
  env.close();
  assert.deepEqual(counts(), [1, 1]);
});

Deno.test("SplatEnv.close() leaves readable what was measured before", async () => {
  const { env, letGo } = slowDevice();
  letGo();
  await env.reset(stubTask());
  await env.submit();
  const steps = await env.trajectory;
  env.close();
  assert.deepEqual(await env.trajectory, steps);
  assert.equal(await env.getReward(), null);
});

Deno.test("splatEnvironment().close() refuses tasks, scores and its identity from then on, once", async () => {
  const environment = splatEnvironment({ openRenderer: new StubRenderer().open });
  const [info] = await environment.findTasks(["table__sculpt"]);
  environment.close();
  const closed = oneLine(
    /the environment has been closed\. Close it after the last call, or make a new one$/,
  );
  await assert.rejects(environment.open(info, { id: "e", protocol: "standard" }), closed);
  await assert.rejects(environment.scoreStates(info, [[]]), closed);
  await assert.rejects(environment.identity(), closed);
  await assert.rejects(new SplatEnv({ environment }).reset(stubTask()), closed);
});

function oneLine(pattern: RegExp): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof BenchError, String(error));
    assert.match(error.message, pattern);
    return !error.message.includes("\n");
  };
}

Deno.test("SplatEnv gives out pictures of the receiver's own", async () => {
  const env = stubbed();
  const opening = await env.reset(stubTask());
  const spoiled = (image: Image | null) => {
    assert.ok(image !== null);
    const key = imageKey({ ...image });
    image.data.fill(7);
    return key;
  };
  const keys = [spoiled(opening.image)];
  for (let k = 0; k < 2; k++) keys.push(spoiled((await env.viewReferences([0, 1])).image));
  for (let k = 0; k < 2; k++) keys.push(spoiled((await env.renderViews([0])).image));
  assert.deepEqual([keys[2], keys[4]], [keys[1], keys[3]]);
  assert.deepEqual((await env.trajectory).map(({ image }) => image), keys);
  const { episode } = stubPlay();
  for (let k = 0; k < 2; k++) assert.equal(spoiled((await episode.observe()).image), keys[0]);
});
