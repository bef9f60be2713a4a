/** A run as a data set, and a data set as what is played: export, hub, `--data`, replay. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { splatTaskSet } from "../../tasks/data_tasks.ts";
import { openData } from "../../tasks/data_source.ts";
import { captureCli } from "../support/capture_cli.ts";
import { COMMIT, hubStandIn, withVariables } from "../support/hub_stand_in.ts";
import { withFolder } from "../support/with_folder.ts";
import { StubRenderer } from "../support/splat_stub.ts";

const bench = (...args: string[]) =>
  captureCli(args, {
    ...CLI_CONTEXT,
    environments: {
      splat: async ({ data }) =>
        splatEnvironment({ openRenderer: new StubRenderer().open, tasks: await splatTaskSet(data) }),
    },
  });

const FIXTURE = new URL("../fixtures/data/splat", import.meta.url).pathname;

async function withoutHub<Result>(run: () => Promise<Result>): Promise<Result> {
  const results: Result[] = [];
  await withVariables({ HF_HUB_OFFLINE: "1" }, async () => {
    results.push(await run());
  });
  return results[0];
}

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
    const replayed = await bench("replay", again, "--all");
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

Deno.test("bench fetch fetches the published data set, tables and settings as asked for", async () => {
  await withFolder(async (folder) => {
    const out = join(folder, "splatbench");
    const files = Object.fromEntries(
      ["README.md", "episodes/one_shot-00000-of-00001.parquet", "tasks/test-00000-of-00001.parquet"].map((
        path,
      ) => [path, Deno.readFileSync(join(FIXTURE, path))] as const),
    );
    await using hub = hubStandIn({ id: "perpetual-research/splatbench", files });
    await withVariables({ HF_ENDPOINT: hub.url, HF_TOKEN: null, HF_HUB_OFFLINE: null }, async () => {
      const fetched = await bench("fetch", "splat", "--config", "episodes", "--out", out);
      assert.equal(fetched.code, 0, fetched.stderr);
      assert.match(
        fetched.stdout,
        new RegExp(`^${out}: perpetual-research/splatbench@${COMMIT}, 2 files of 0\\.0 MB\n$`),
      );
      const data = await openData(out);
      assert.deepEqual([data.revision, await data.settings(), await data.has("tasks")], [
        COMMIT,
        ["one_shot"],
        false,
      ]);
      const wrong = await bench("fetch", "splat", "--split", "one_shto", "--out", out);
      assert.deepEqual([wrong.code, /it has no split one_shto; it has /.test(wrong.stderr)], [2, true]);
    });
    const gone = await withoutHub(() => bench("fetch", "shadow", "--out", out));
    assert.deepEqual([
      gone.code,
      /^bench: Cannot find the data set perpetual-research\/shadowbench@main: /.test(gone.stderr),
    ], [2, true]);
  });
});

Deno.test("bench export run reads what the hub's cache holds with the network denied", async () => {
  await withFolder(async (folder) => {
    const cached = join(folder, "datasets--org--splat");
    await Deno.mkdir(join(cached, "snapshots"), { recursive: true });
    await Deno.mkdir(join(cached, "refs"));
    await Deno.writeTextFile(join(cached, "refs/main"), COMMIT);
    await Deno.symlink(FIXTURE, join(cached, "snapshots", COMMIT));
    const cli = new URL("../../cli.ts", import.meta.url).pathname;
    const args = [
      "export",
      "run",
      "hf://org/splat",
      "--out",
      join(folder, "out"),
      "--format",
      "jsonl",
      "--skip-bad",
    ];
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "--no-check", "-A", "--deny-net", cli, ...args],
      env: { HF_HUB_OFFLINE: "1", HF_HUB_CACHE: folder },
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
    const data = await openData(join(folder, "out"));
    assert.deepEqual([await data.settings(), (await Array.fromAsync(data.episodes())).length], [
      ["medium_effort", "one_shot"],
      10,
    ]);
  });
});

Deno.test("bench eval --data wants a data set that is there", async () => {
  for (const named of [[], ["splat"]]) {
    const nowhere = await bench("eval", ...named, "--data", "nowhere");
    assert.deepEqual([nowhere.code, /there is no such file or folder/.test(nowhere.stderr)], [2, true]);
  }
});

Deno.test("bench tasks list --data takes the benchmarks that the data set is of", async () => {
  const data = new URL("../../data/sample", import.meta.url).pathname;
  const ids = { splat: ["robot__assemble", "table__sculpt"], shadow: ["dog", "rabbit"] };
  for (
    const [place, wanted] of [["splat", ids.splat], ["shadow", ids.shadow], ["", [
      ...ids.splat,
      ...ids.shadow,
    ]]] as const
  ) {
    const { code, stdout, stderr } = await captureCli([
      "tasks",
      "list",
      "--json",
      "--data",
      join(data, place),
    ]);
    assert.equal(code, 0, stderr);
    const listed = stdout.trim().split("\n").map((line) => JSON.parse(line).task_id);
    assert.deepEqual(listed.toSorted(), wanted.toSorted());
  }
});
