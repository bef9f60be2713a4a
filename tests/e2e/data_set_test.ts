/** A run as a data set, and a data set as what is played: export, hub, `--data`, replay. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { splatTaskSet } from "../../tasks/data_tasks.ts";
import { openData } from "../../tasks/data_source.ts";
import { captureCli } from "../support/capture_cli.ts";
import { COMMIT, hubStandIn, withVariables } from "../support/hub_stand_in.ts";
import { withFolder } from "../support/scripted_player.ts";
import { StubRenderer } from "../support/splat_stub.ts";

const bench = (...args: string[]) =>
  captureCli(args, {
    ...CLI_CONTEXT,
    environments: {
      splat: async ({ data }) =>
        splatEnvironment({ openRenderer: new StubRenderer().open, tasks: await splatTaskSet(data) }),
    },
  });

const EVAL = ["eval", "splat", "--models", "builtin:mean", "--runs", "1"];

Deno.test("bench export run writes a data set whose tasks bench eval --data plays with the same result", async () => {
  await withFolder(async (folder) => {
    const [runs, data, again] = ["runs", "data", "again"].map((name) => join(folder, name));
    await bench(...EVAL, "--tasks", "table__*", "--out", runs);
    const exported = await bench("export", "run", runs, "--out", data);
    assert.deepEqual([exported.code, exported.stdout], [0, `${data}: 4 files of ${runs}\n`], exported.stderr);
    const full = await bench("export", "run", runs, "--out", data);
    assert.deepEqual([full.code, /is not empty/.test(full.stderr)], [2, true]);

    const played = await bench(...EVAL, "--data", data, "--out", again);
    assert.equal(played.code, 0, played.stderr);
    const results = async (where: string) =>
      (await Array.fromAsync((await openData(where)).episodes())).map(({ episode_id, score, metrics }) => ({
        episode_id,
        score,
        metrics,
      }));
    assert.deepEqual(await results(again), await results(runs));
    const run = JSON.parse(await Deno.readTextFile(join(again, "splat/medium_effort/run.json")));
    assert.equal(run.options.task_sources.table__sculpt, `${data}#table__sculpt`);
    const replayed = await bench("replay", again);
    assert.deepEqual([replayed.code, replayed.stdout], [0, "2 episodes, 8 steps replayed: no differences\n"]);
  });
});

Deno.test("bench eval --data hf://… plays tasks of a pinned commit, and replay finds them by it", async () => {
  await withFolder(async (folder) => {
    const [runs, data, again] = ["runs", "data", "again"].map((name) => join(folder, name));
    await bench(...EVAL, "--tasks", "tree__sculpt", "--out", runs);
    await bench("export", "run", runs, "--out", data);
    const tasks = "tasks/test-00000-of-00001.parquet";
    await using hub = hubStandIn({
      id: "org/splat",
      files: { [tasks]: await Deno.readFile(join(data, tasks)) },
    });
    await withVariables({ HF_ENDPOINT: hub.url, HF_TOKEN: null, HF_HUB_OFFLINE: null }, async () => {
      const listed = await bench("tasks", "list", "splat", "--data", "hf://org/splat");
      assert.match(listed.stdout, new RegExp(`tree__sculpt .*hf://org/splat@${COMMIT}#tree__sculpt`));
      const played = await bench(...EVAL, "--data", "hf://org/splat", "--out", again);
      assert.equal(played.code, 0, played.stderr);
      const run = JSON.parse(await Deno.readTextFile(join(again, "splat/medium_effort/run.json")));
      assert.equal(run.data_revision, COMMIT);
      const replayed = await bench("replay", again);
      assert.deepEqual([replayed.code, replayed.stdout], [
        0,
        "1 episode, 3 steps replayed: no differences\n",
      ]);
    });
  });
});

Deno.test("bench eval --data wants a benchmark, and a data set that is there", async () => {
  const none = await bench("eval", "--data", "nowhere");
  assert.deepEqual([none.code, /a data set is of one benchmark/.test(none.stderr)], [2, true]);
  const nowhere = await bench("eval", "splat", "--data", "nowhere");
  assert.deepEqual([nowhere.code, /there is no such file or folder/.test(nowhere.stderr)], [2, true]);
});
