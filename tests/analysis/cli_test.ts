import assert from "node:assert/strict";
import { join } from "node:path";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";
import fixture from "../fixtures/analysis.json" with { type: "json" };
import { splatRows } from "./pandas_input.ts";

/** Splits of SplatBench's made-up episodes as files of JSON lines. */
async function writeSplits(folder: string, settings: readonly string[]): Promise<void> {
  await Deno.mkdir(join(folder, "episodes"));
  for (const setting of settings) {
    const rows = splatRows().filter((row) => row.setting === setting);
    const lines = rows.map((row) => JSON.stringify(row)).join("\n");
    await Deno.writeTextFile(join(folder, "episodes", `${setting}.jsonl`), `${lines}\n`);
  }
}

Deno.test("bench analyze prints tables, one JSON object a line, and what it leaves out", async () => {
  await withFolder(async (folder) => {
    await writeSplits(folder, ["medium_effort", "max_effort"]);
    const { code, stdout, stderr } = await captureCli(["analyze", "splat", folder]);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Leaderboard, medium effort \(leaderboard\)$/m);
    assert.match(
      stderr,
      /^No table one_shot: no model has scores on the same tasks in one_shot and medium_effort$/m,
    );
    const json = await captureCli(["analyze", "splat", folder, "--json"]);
    const tables = json.stdout.trim().split("\n").map((line) => JSON.parse(line));
    assert.equal(tables[0].table, "leaderboard");
    assert.deepEqual(tables[0].rows.map((row: { model: string }) => row.model).sort(), [
      "alpha",
      "beta-2",
      "gamma:x",
    ]);
    const document = await Deno.readTextFile(new URL("../../docs/json_output.md", import.meta.url));
    for (const key of Object.keys(tables[0])) {
      assert.ok(document.includes(`\`${key}\``), `docs/json_output.md does not tell of ${key}`);
    }
    const told = await Deno.readTextFile(new URL("../../docs/analyze.md", import.meta.url));
    for (const { table } of tables) {
      const name = table.replace(/^pairs_.*/, "pairs_<setting>");
      assert.ok(told.includes(`\`${name}\``), `docs/analyze.md does not tell of ${table}`);
    }
  });
});

Deno.test("bench analyze and compare exit 2 for bad usage and bad data, in one line", async () => {
  await withFolder(async (folder) => {
    await writeSplits(folder, ["medium_effort"]);
    const file = join(folder, "episodes", "medium_effort.jsonl");
    const text = await Deno.readTextFile(file);
    const missing = await captureCli(["analyze", join(folder, "nothing")]);
    assert.deepEqual([missing.code, missing.stdout], [2, ""]);
    const format = await captureCli(["analyze", folder, "--format", "xlsx"]);
    assert.equal(format.code, 2);
    await Deno.writeTextFile(file, text.replaceAll('"score":', '"points":'));
    const renamed = await captureCli(["analyze", "splat", folder]);
    assert.equal(renamed.code, 2);
    assert.match(renamed.stderr, /medium_effort\.jsonl.*column score is missing/);
    assert.equal(renamed.stderr.trim().split("\n").length, 1);
    await Deno.writeTextFile(file, text.replace(/"model_name": ?"[^"]*"/, '"model_name":7'));
    const bad = await captureCli(["analyze", "splat", folder]);
    assert.match(bad.stderr, /row 0 .*model_name/);
    const skipped = await captureCli([
      "analyze",
      "splat",
      folder,
      "--skip-bad",
      "--table",
      "data",
    ]);
    assert.equal(skipped.code, 0, skipped.stderr);
    assert.match(skipped.stderr, /^Left out: .*row 0/m);
    const rows = text.trim().split("\n").length;
    assert.match(skipped.stdout, new RegExp(`^all +3 +8 +${rows - 1} `, "m"));
  });
});

Deno.test("bench compare takes a negative --fail-under, and exits 1 below it", async () => {
  await withFolder(async (folder) => {
    await writeSplits(folder, ["medium_effort"]);
    const compare = (bound: string) =>
      captureCli([
        ...["compare", "splat", folder, folder, "--models", "alpha,beta-2"],
        ...["--fail-under", bound],
      ]);
    // Of the fixture: beta-2 against alpha is the other way round of its comparison.
    const gain = -(fixture.compare.difference[0] ?? 0);
    assert.ok(gain < -1);
    assert.equal((await compare(String(Math.floor(gain)))).code, 0);
    const missed = await compare(String(Math.ceil(gain)));
    assert.equal(missed.code, 1);
    assert.match(missed.stderr, /^beta-2 in medium_effort: B − A is -\d+\.\d\d, wanted -\d+ or more$/m);
  });
});
