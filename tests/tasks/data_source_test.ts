import assert from "node:assert/strict";
import { BenchError } from "../../env/errors.ts";
import { join } from "node:path";
import { openData } from "../../tasks/data_source.ts";
import { COMMIT, hubStandIn, withVariables } from "../support/hub_stand_in.ts";

const FIXTURES = join(import.meta.dirname ?? ".", "../fixtures/data");
const SPLAT = join(FIXTURES, "splat");

Deno.test("openData() reads what pyarrow wrote: codecs, dictionaries, nested structs, aliases, shards in order", async () => {
  const data = await openData(SPLAT);
  assert.deepEqual([data.bench, data.revision], ["splat", null]);
  assert.deepEqual(await data.settings(), ["medium_effort", "one_shot"]);
  const episodes = await Array.fromAsync(data.episodes());
  assert.deepEqual(episodes.map(({ episode_id, setting }) => `${setting} ${episode_id}`), [
    ...["m", "n"].flatMap((model) =>
      ["table__sculpt", "table__assemble"].flatMap((task) =>
        [1, 2].map((run) => `medium_effort ${model}__${task}__eval_r${run}`)
      )
    ),
    "one_shot m__table__sculpt__eval_r1_one",
    "one_shot m__table__sculpt__eval_r2_one",
  ]);
  assert.deepEqual(episodes[1], {
    schema_version: 1,
    episode_id: "m__table__sculpt__eval_r2",
    model_name: "m",
    task_id: "table__sculpt",
    score: 25,
    cost_usd: 0.25,
    input_tokens: 120_002,
    setting: "medium_effort",
  });
  const steps = await Array.fromAsync(data.steps("medium_effort", { images: true }));
  assert.equal(steps.length, 32);
  assert.deepEqual(
    steps.slice(0, 4).map((
      { step, hidden_score, accepted, response },
    ) => [step, hidden_score, accepted, response]),
    [
      [0, null, true, "Grüße 0 ✓"],
      [1, 1.5, true, "Grüße 1 ✓"],
      [2, 3, true, "Grüße 2 ✓"],
      [3, 4.5, false, "Grüße 3 ✓"],
    ],
  );
  assert.deepEqual(steps[3].scene?.[1], {
    id: 1,
    pos: [0.125, -0.5, 0.25],
    scale: [0.1, 0.2, 0.3],
    quat: [1, 0, 0, 0],
    color: [0.5, 0.25, 0.125],
    opacity: 0.75,
    group: null,
  });
  assert.equal(steps[3].scene?.[0].group, "legs");
  const { width, height } = pngSize(steps[2].image?.bytes ?? new Uint8Array());
  assert.deepEqual([width, height, steps[2].image?.path, steps[1].image], [22, 12, "2.png", null]);
  const [transcript] = await Array.fromAsync(data.transcripts("medium_effort"));
  assert.deepEqual(transcript.messages.map(({ role, step }) => [role, step]), [["system", null], [
    "tool",
    1,
  ]]);
  const [row] = await Array.fromAsync(data.leaderboard());
  assert.deepEqual([row.score, row.score_low, row.score_high], [18.75, 12.5, 25]);
  const [task] = await Array.fromAsync(data.tasks());
  assert.deepEqual(task.tools?.map(({ name }) => name), ["add_gaussians"]);
  assert.deepEqual(task.baselines, {
    empty: { score: 0, metrics: { psnr: 10.5, ssim: 0.8 } },
    gd_64: { score: 67.7, metrics: {} },
  });
  assert.deepEqual([task.fit_scene?.length, task.reference_images?.length, task.licence], [
    300,
    2,
    "CC BY 4.0",
  ]);
});

Deno.test("openData() reads what `datasets` wrote of ShadowBench, pictures as bytes", async () => {
  const data = await openData(join(FIXTURES, "shadow"));
  assert.deepEqual([data.bench, await data.settings()], ["shadow", ["max_effort"]]);
  const steps = await Array.fromAsync(data.steps("max_effort", { images: true }));
  assert.deepEqual(steps.map(({ step, tool, score_before_peeks }) => [step, tool, score_before_peeks]), [
    ...[0, 1, 2, 0, 1, 2].map((at) => [at, ["reset", "plan", "look"][at], 12 + at]),
  ]);
  assert.deepEqual(steps[0].pose?.q.slice(0, 3), [0, 1 / 64, 2 / 64]);
  assert.deepEqual(pngSize(steps[2].image?.bytes ?? new Uint8Array()), { width: 18, height: 10 });
  const [episode] = await Array.fromAsync(data.episodes("max_effort"));
  assert.deepEqual(episode.final_pose?.positions, [[0.1, 0, 0.5], [-0.1, 0, 0.5]]);
});

Deno.test("steps() gives the columns asked for, of the episodes asked for, and no pictures unasked", async () => {
  const data = await openData(SPLAT);
  const episodeIds = ["m__table__assemble__eval_r1", "n__table__assemble__eval_r2"];
  const steps = await Array.fromAsync(
    data.steps("medium_effort", { columns: ["episode_id", "step"], episodeIds }),
  );
  assert.deepEqual(
    steps,
    episodeIds.flatMap((episode_id) => [0, 1, 2, 3].map((step) => ({ episode_id, step }))),
  );
  const [first] = await Array.fromAsync(data.steps("medium_effort", { episodeIds }));
  assert.equal("image" in first, false);
});

Deno.test("openData() reads a cache folder of the hub's Python packages, and single files", async () => {
  const cache = await Deno.makeTempDir();
  try {
    const folder = join(cache, "datasets--org--splat-data");
    await Deno.mkdir(join(folder, "snapshots"), { recursive: true });
    await Deno.mkdir(join(folder, "refs"));
    await Deno.symlink(SPLAT, join(folder, "snapshots", COMMIT));
    await Deno.writeTextFile(join(folder, "refs", "main"), COMMIT);
    for (const where of [folder, join(folder, "snapshots", COMMIT)]) {
      const data = await openData(where);
      assert.deepEqual([data.revision, await data.settings()], [COMMIT, ["medium_effort", "one_shot"]]);
      assert.equal((await Array.fromAsync(data.episodes())).length, 10);
    }
    await withVariables({ HF_HUB_OFFLINE: "1", HF_HUB_CACHE: cache }, async () => {
      const data = await openData("hf://org/splat-data");
      assert.deepEqual([data.revision, (await data.settings()).length], [COMMIT, 2]);
    });
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
  const data = await openData(join(SPLAT, "episodes/one_shot-00000-of-00001.parquet"), { bench: "splat" });
  assert.deepEqual(await data.settings(), ["one_shot"]);
  assert.equal((await Array.fromAsync(data.episodes())).length, 2);
  assert.equal(await data.has("steps"), false);
});

Deno.test("openData() reads hf:// addresses by ranges, and fetches only what it needs", async () => {
  const files = await filesOf(SPLAT);
  const id = "org/splat-data";
  let again = 0;
  await using hub = hubStandIn({
    id,
    files,
    token: "hf_secret",
    // Every fifth answer breaks off: a range read is tried again.
    misbehave: (_, answer) => again++ % 5 === 4 ? { ...answer, breakAfter: 100 } : answer,
  });
  await withVariables({ HF_ENDPOINT: hub.url, HF_TOKEN: "hf_secret", HF_HUB_OFFLINE: null }, async () => {
    const data = await openData(`hf://${id}`);
    assert.deepEqual([data.where, data.revision], [`hf://${id}@${COMMIT}`, COMMIT]);
    assert.deepEqual(
      await Array.fromAsync(data.episodes()),
      await Array.fromAsync((await openData(SPLAT)).episodes()),
    );
    assert.ok(hub.asked().every((path) => !path.startsWith("/steps") && !path.startsWith("/transcripts")));
    const pinned = await openData(`hf://${id}@${COMMIT}`);
    assert.equal((await Array.fromAsync(pinned.steps("medium_effort", { columns: ["step"] }))).length, 32);
    const isUsage = (error: Error) => error instanceof BenchError && error.exitCode === 2;
    await assert.rejects(openData("hf://org/none"), isUsage);
    await assert.rejects(openData(`hf://${id}@none`), isUsage);
    await assert.rejects(openData("hf://splat-data"), /an address on the hub is hf:\/\/org\/name/);
  });
});

Deno.test("openData() says in one line that there is nothing it can read", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await assert.rejects(openData(join(folder, "none")), /there is no such file or folder/);
    await assert.rejects(openData(folder), /it holds neither a run nor files/);
    await Deno.writeTextFile(join(folder, "README.md"), "---\nconfigs:\n- config_name: [}\n---\n");
    await assert.rejects(openData(folder), /Cannot read the configs in .*README\.md/);
    await Deno.writeTextFile(join(folder, "README.md"), "---\nconfigs:\n- data_files: x\n---\n");
    await assert.rejects(openData(folder), /configs\.0\.config_name/);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
  const data = await openData(SPLAT);
  await assert.rejects(Array.fromAsync(data.steps("one_shot")), {
    message:
      `Cannot read steps of ${SPLAT}: it has no split one_shot; the splits there are medium_effort. Name one of them`,
  });
  const shadow = await openData(join(FIXTURES, "shadow"));
  await assert.rejects(Array.fromAsync(shadow.tasks()), /it holds no table tasks\. Fetch or export it/);
});

async function filesOf(folder: string): Promise<Record<string, Uint8Array>> {
  const files: Record<string, Uint8Array> = {};
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    if (!isDirectory) files[name] = await Deno.readFile(join(folder, name));
    else {
      const inside = await filesOf(join(folder, name));
      for (const [path, bytes] of Object.entries(inside)) files[`${name}/${path}`] = bytes;
    }
  }
  return files;
}

function pngSize(bytes: Uint8Array): { width: number; height: number } {
  assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
