import assert from "node:assert/strict";
import { CLI_CONTEXT } from "../../../cli.ts";
import { baselineLineSchema } from "../../../eval/json_output.ts";
import { SHADOW_TASKS } from "../../../tasks/embedded_shadow_tasks.ts";
import { captureCli } from "../../support/capture_cli.ts";

const [{ id }] = SHADOW_TASKS.embedded;

async function baselines(cache: string, ...args: string[]) {
  const command = ["baselines", "shadow", "--tasks", id, "--json", ...args];
  const { code, stdout, stderr } = await captureCli(command, CLI_CONTEXT, cache);
  assert.equal(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n").map((line) => JSON.parse(line));
  const rows = lines.filter(({ kind }) => kind === "baseline").map((line) => baselineLineSchema.parse(line));
  return { scores: new Map(rows.map(({ baseline, score }) => [baseline, score])), stderr };
}

Deno.test("bench baselines shadow searches blindly: with a seed, so many poses, kept for the next time", async () => {
  const cache = await Deno.makeTempDir();
  try {
    const first = await baselines(cache, "--evaluations", "48");
    assert.deepEqual([...first.scores.keys()], ["rest", "hull", "cma"]);
    const score = first.scores.get("cma") ?? NaN;
    const told = new RegExp(`^${id}: 48 of 48 poses tried, best (.*)$`, "m").exec(first.stderr);
    assert.equal(told?.[1], score.toFixed(1), "the score is that of the best pose");
    assert.ok(score > (first.scores.get("rest") ?? NaN));
    const [{ name, mtime }] = await kept(cache);
    assert.deepEqual((await baselines(cache, "--evaluations", "48")).scores, first.scores);
    assert.deepEqual(await kept(cache), [{ name, mtime }], "nothing was searched again");
    const other = await baselines(cache, "--evaluations", "48", "--seed", "1");
    assert.notEqual(other.scores.get("cma"), score);
    assert.deepEqual([...(await baselines(cache, "--evaluations", "0")).scores.keys()], ["rest", "hull"]);
    assert.equal((await kept(cache)).length, 2);
  } finally {
    await Deno.remove(cache, { recursive: true });
  }
});

async function kept(cache: string) {
  return await Promise.all(
    [...Deno.readDirSync(`${cache}/searches`)].map(async ({ name }) => ({
      name,
      mtime: (await Deno.stat(`${cache}/searches/${name}`)).mtime,
    })),
  );
}
