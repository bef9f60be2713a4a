import assert from "node:assert/strict";
import { stepRecordSchema } from "../../env/records.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { taskVariant } from "../../splat/protocols.ts";
import { SplatEnv } from "../../splat/splat_env.ts";
import { StubRenderer, stubTask } from "../support/splat_stub.ts";

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

Deno.test("SplatEnv plays a task variant under its protocol", async () => {
  const env = stubbed();
  await env.reset(taskVariant(stubTask(), "one_shot"));
  const out = await env.addGaussians([{ pos: [0, 0, 0], scale: 0.1 }]);
  assert.equal(out.done, true);
});

Deno.test("SplatEnv says to reset first, and gives no reward before the end", async () => {
  const env = stubbed();
  assert.throws(() => env.submit(), /no episode has been started\. Call reset first/);
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
