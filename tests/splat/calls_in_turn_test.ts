/** Calls made without awaiting the ones before them, as a script does by mistake or for speed. */
import assert from "node:assert/strict";
import { SplatEnv } from "../../splat/splat_env.ts";
import { StubRenderer, stubTask } from "../support/splat_stub.ts";

const gaussian = (x = 0) => ({ pos: [x, 0, 0], scale: 0.1 });

async function opened(): Promise<SplatEnv> {
  const env = new SplatEnv({ openRenderer: new StubRenderer().open });
  await env.reset(stubTask());
  return env;
}

const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

Deno.test("Episode takes 40 of 45 calls made at once, and ends", async () => {
  const env = await opened();
  const outcomes = await Promise.all(times(45, () => env.listGaussians()));
  assert.deepEqual(outcomes.map(({ notRun }) => notRun), [
    ...times(40, () => null),
    ...times(5, () => "after_end"),
  ]);
  assert.deepEqual((await env.trajectory).map(({ step }) => step), times(42, () => 0).map((_, at) => at));
});

Deno.test("Episode takes 16 of 20 renders made at once", async () => {
  const env = await opened();
  const outcomes = await Promise.all(times(20, () => env.renderViews([0, 1])));
  assert.deepEqual(outcomes.map(({ refusal }) => refusal), [
    ...times(16, () => null),
    ...times(4, () => "no_renders_left"),
  ]);
});

Deno.test("Episode gives each id once, and refuses what does not fit beside the calls before it", async () => {
  const env = await opened();
  const many = times(200, gaussian);
  const [first, second, third] = await Promise.all([
    env.addGaussians(many),
    env.addGaussians(many),
    env.addGaussians([gaussian()]),
  ]);
  assert.match(first.text, /Added 200 Gaussians: id 1-200\./);
  assert.equal(second.refusal, "too_many_gaussians");
  assert.match(third.text, /Added 1 Gaussian: id 201\. The scene has 201\./);
});

Deno.test("Episode ends where submit was called, whatever was under way", async () => {
  const env = await opened();
  const [, render, submitted, late, reward] = await Promise.all([
    env.addGaussians([gaussian()]),
    env.renderViews([0]),
    env.submit(),
    env.addGaussians([gaussian()]),
    env.getReward(),
  ]);
  assert.deepEqual([render.done, submitted.done, late.notRun, reward], [false, true, "after_end", null]);
  assert.deepEqual((await env.trajectory).map(({ tool }) => tool), [
    "reset",
    "add_gaussians",
    "render_views",
    "submit",
  ]);
});

Deno.test("Episode runs a call with the arguments it was made with, changed since or not", async () => {
  const env = await opened();
  const batch = [gaussian(0.1)];
  const calls = [env.addGaussians(batch)];
  batch[0] = gaussian(0.2);
  calls.push(env.addGaussians(batch));
  await Promise.all(calls);
  const states = JSON.stringify((await env.trajectory).map(({ state }) => state));
  assert.deepEqual(states.match(/"pos":\[0\.\d/g), ['"pos":[0.1', '"pos":[0.1', '"pos":[0.2']);
});

Deno.test("Episode goes on after a call that failed", async () => {
  const renderer = new StubRenderer();
  const env = new SplatEnv({ openRenderer: renderer.open });
  await env.reset(stubTask());
  await env.trajectory;
  renderer.failure = new Error("device lost");
  const [render, list] = await Promise.allSettled([env.renderViews([0]), env.listGaussians()]);
  assert.deepEqual([render.status, list.status], ["rejected", "fulfilled"]);
});
