/** What is shared between episodes and calls, counted rather than timed. */
import assert from "node:assert/strict";
import { Gpu } from "../../gpu/device.ts";
import type { ScoreKind } from "../../env/records.ts";
import { type SplatEnvironment, splatEnvironment } from "../../splat/environment.ts";
import { drawnWeights } from "./lpips/drawn_weights.ts";

/** Runs `work` and counts submits and readbacks meanwhile. */
async function counted(work: () => Promise<unknown>): Promise<{ submits: number; readbacks: number }> {
  const counts = { submits: 0, readbacks: 0 };
  const { submit } = Gpu.prototype;
  const { mapAsync } = GPUBuffer.prototype;
  Gpu.prototype.submit = function (...args) {
    counts.submits++;
    return submit.apply(this, args);
  };
  GPUBuffer.prototype.mapAsync = function (...args) {
    counts.readbacks++;
    return mapAsync.apply(this, args);
  };
  try {
    await work();
  } finally {
    Gpu.prototype.submit = submit;
    GPUBuffer.prototype.mapAsync = mapAsync;
  }
  return counts;
}

async function openEpisodes(environment: SplatEnvironment, ids: readonly string[]) {
  const tasks = await environment.findTasks(ids);
  const episodes = await Promise.all(
    tasks.map((task) => environment.open(task, { id: task.id, protocol: "standard" })),
  );
  // The opening scene is scored, the photos are on the device.
  for (const episode of episodes) {
    await episode.observe();
    await episode.steps();
  }
  return episodes;
}

const gaussian = (x: number) => ({ gaussians: [{ pos: [x, 0, 0], scale: 0.2, color: "#805e31" }] });

for (const kind of ["partial", "full"] as const) {
  Deno.test(`an edit with a ${kind} score takes one submit and one readback`, () => scoredEdit(kind));
}

async function scoredEdit(kind: ScoreKind): Promise<void> {
  const environment = splatEnvironment({ lpipsWeights: kind === "full" ? drawnWeights("squeeze") : null });
  try {
    assert.equal(environment.scoreKind, kind);
    const [episode] = await openEpisodes(environment, ["table__sculpt"]);
    const counts = await counted(async () => {
      await episode.call("add_gaussians", gaussian(0));
      await episode.steps();
    });
    assert.deepEqual(counts, { submits: 1, readbacks: 1 });
  } finally {
    environment.close();
  }
}

Deno.test("edits of different episodes share one submit and one readback", async () => {
  const environment = splatEnvironment();
  try {
    const episodes = await openEpisodes(environment, ["table__sculpt", "tree__sculpt", "robot__sculpt"]);
    const counts = await counted(() =>
      Promise.all(episodes.map(async (episode, index) => {
        await episode.call("add_gaussians", gaussian(index / 10));
        await episode.steps();
      }))
    );
    assert.deepEqual(counts, { submits: 1, readbacks: 1 });
  } finally {
    environment.close();
  }
});

Deno.test("a scene that was scored before takes no submit at all", async () => {
  const environment = splatEnvironment();
  try {
    const [episode] = await openEpisodes(environment, ["table__sculpt"]);
    const add = await episode.call("add_gaussians", gaussian(0));
    assert.ok(add.accepted);
    await episode.call("transform_group", { ids: [1], translate: [0.5, 0, 0] });
    await episode.steps();
    const counts = await counted(async () => {
      await episode.call("transform_group", { ids: [1], translate: [-0.5, 0, 0] });
      await episode.steps();
    });
    assert.deepEqual(counts, { submits: 0, readbacks: 0 });
  } finally {
    environment.close();
  }
});
