import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openData, openDataSets } from "../../tasks/data_source.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";
import { writeSmallRun } from "../support/small_run.ts";

/** Data sets in `splat/` and `shadow/`, as pyarrow wrote them. */
const DATA = fileURLToPath(new URL("../fixtures/data/", import.meta.url));

async function withRuns(work: (folder: string) => Promise<void>): Promise<void> {
  await withFolder(async (folder) => {
    for (const bench of ["splat", "shadow"] as const) await writeSmallRun(folder, bench);
    await work(folder);
  });
}

async function episodesIn(places: Awaited<ReturnType<typeof openDataSets>>): Promise<[string, number][]> {
  return await Promise.all(places.map(async (data): Promise<[string, number]> => {
    return [data.bench, (await Array.fromAsync(data.episodes())).length];
  }));
}

Deno.test("openDataSets() opens both benchmarks of a folder of runs, and the data sets below a folder", async () => {
  await withRuns(async (folder) => {
    const both = await openDataSets(folder);
    assert.deepEqual(await episodesIn(both), [["splat", 2], ["shadow", 2]]);
    assert.deepEqual(await episodesIn(await openDataSets(folder, { bench: "shadow" })), [["shadow", 2]]);
    assert.deepEqual(await episodesIn(await openDataSets(join(folder, "splat"))), [["splat", 2]]);
    await assert.rejects(openData(folder), /it holds episodes of splat and shadow/);
    await assert.rejects(
      openDataSets(join(folder, "splat"), { bench: "shadow" }),
      /its finished episodes are of splat, not of shadow/,
    );
  });
  const below = await openDataSets(DATA);
  assert.deepEqual(below.map(({ bench, where }) => [bench, where]), [
    ["splat", join(DATA, "splat")],
    ["shadow", join(DATA, "shadow")],
  ]);
  assert.deepEqual((await openDataSets(DATA, { bench: "shadow" })).map(({ bench }) => bench), ["shadow"]);
});

Deno.test("bench analyze of both benchmarks is what it is of each, under its name, in files apart", async () => {
  await withRuns(async (folder) => {
    const both = await captureCli(["analyze", folder]);
    const splat = await captureCli(["analyze", "splat", folder]);
    const shadow = await captureCli(["analyze", join(folder, "shadow")]);
    assert.deepEqual([both.code, splat.code, shadow.code], [0, 0, 0], both.stderr);
    assert.equal(
      both.stdout,
      `SplatBench\n\n${splat.stdout.trim()}\n\nShadowBench\n\n${shadow.stdout.trim()}\n`,
    );
    assert.match(both.stderr, /^No table overtakes of splat: /m);
    assert.match(splat.stderr, /^No table overtakes: /m);
    const json = await captureCli(["analyze", folder, "--table", "data", "--json"]);
    const tables = json.stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(tables.map(({ bench, table }) => [bench, table]), [["splat", "data"], [
      "shadow",
      "data",
    ]]);
    const csv = await captureCli(["analyze", folder, "--table", "data", "--format", "csv"]);
    assert.deepEqual([csv.code, csv.stdout], [2, ""]);
    assert.match(csv.stderr, /^bench: Cannot print CSV: there are 2 tables.* and a benchmark/);
    const out = join(folder, "tables");
    await captureCli(["analyze", folder, "--table", "data", "--format", "csv", "--out", out]);
    for (const bench of ["splat", "shadow"]) {
      assert.match(
        await Deno.readTextFile(join(out, bench, "data_partial.csv")),
        /^setting,models,.*\nall,2,1,2,/,
      );
    }
  });
});

Deno.test("bench analyze and compare say in a line what stands where a benchmark or a place should", async () => {
  const failing = async (...args: string[]) => {
    const { code, stdout, stderr } = await captureCli(args);
    assert.deepEqual([code, stdout, stderr.trim().split("\n").length], [2, "", 1], stderr);
    return stderr;
  };
  assert.match(await failing("analyze"), /missing required argument/);
  assert.match(
    await failing("analyze", "chess", DATA),
    /no benchmark chess. Only splat or shadow may come before/,
  );
  assert.match(await failing("analyze", DATA, DATA, DATA), /it takes one place/);
  assert.match(await failing("compare", DATA), /it takes 2 places. Name another, or the same again/);
  assert.match(
    await failing("compare", join(DATA, "splat"), join(DATA, "shadow")),
    /Name two runs of one benchmark/,
  );
  assert.match(await failing("analyze", DATA, "--plots"), /Cannot print plots.*--out/);
});

Deno.test("bench compare compares each benchmark that both places have", async () => {
  await withRuns(async (folder) => {
    const names = ["--models", "a", "--format", "json"];
    const { code, stdout, stderr } = await captureCli(["compare", folder, folder, ...names]);
    assert.equal(code, 0, stderr);
    const tables = stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(tables.map(({ bench, table }) => `${bench} ${table}`), [
      "splat compare",
      "splat compare_tasks",
      "shadow compare",
      "shadow compare_tasks",
    ]);
    assert.ok(tables.every(({ rows }) => rows[0].difference === 0));
    const one = await captureCli(["compare", folder, join(folder, "shadow"), ...names]);
    assert.ok(one.stdout.trim().split("\n").every((line) => JSON.parse(line).bench === "shadow"), one.stderr);
  });
});
