/** Full scores from the command line, with a network of drawn weights: what they hold, and what they need. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import { episodeLineSchema } from "../../eval/json_output.ts";
import { cachePaths, storeLpipsWeights } from "../../splat/score/lpips/weight_cache.ts";
import { captureCli } from "../support/capture_cli.ts";
import { smallTask } from "../support/small_task.ts";
import { withFolder } from "../support/with_folder.ts";
import { drawnWeights } from "../splat/lpips/drawn_weights.ts";

const bench = (args: readonly string[], cache?: string) => captureCli(args, CLI_CONTEXT, cache);
const NEEDED = /^bench: Cannot give full scores: .* `bench fetch weights`, .*--metrics partial$/;

for (
  const args of [
    ["eval", "splat", "--models", "some-model", "--api-key-env", "NONE"],
    ["eval", "splat", "--models", "builtin:mean,some-model", "--api-key-env", "NONE"],
    ["eval", "splat", "--models", "builtin:mean", "--metrics", "full"],
    ["baselines", "splat", "--metrics", "full"],
  ]
) {
  Deno.test(`bench ${args.join(" ")} exits 3 without weights, before anything is played`, () =>
    withFolder(async (folder) => {
      const out = join(folder, "runs");
      const { code, stdout, stderr } = await bench(args[0] === "eval" ? [...args, "--out", out] : args);
      assert.equal(code, 3);
      assert.equal(stdout, "");
      assert.match(stderr.trim(), NEEDED);
      await assert.rejects(Deno.stat(out), Deno.errors.NotFound);
    }));
}

Deno.test("bench eval says that scripted policies get partial scores without weights", () =>
  withFolder(async (out) => {
    const { code, stdout, stderr } = await bench([
      "eval",
      "splat",
      "--models",
      "builtin:mean",
      "--tasks",
      "rocket__sculpt",
      "--runs",
      "1",
      "--out",
      out,
    ]);
    assert.equal(code, 0);
    assert.match(stderr, /^No LPIPS weights: scores are partial, .*`bench fetch weights` gets them$/m);
    assert.match(
      stdout,
      /^Model +Setting +SplatScore \[95% CI\] +PSNR \(dB\) \[95% CI\] +SSIM \[95% CI\] +Tasks/,
    );
    assert.match(stdout, /^Scores are partial/m);
    assert.doesNotMatch(stdout, /^.*LPIPS.*\[/m);
  }));

Deno.test("bench eval, replay and baselines give full scores with weights, and never mix them with partial ones", () =>
  withFolder(async (folder) => {
    const [cache, out] = [join(folder, "cache"), join(folder, "runs")];
    const weights = drawnWeights("alex");
    const { net, sha256 } = weights;
    await storeLpipsWeights(
      weights,
      { net, source: "drawn", sha256, pinned: false, fetched_at: "2026" },
      cache,
    );

    const task = join(folder, "snowman.json");
    await Deno.writeTextFile(task, JSON.stringify(await smallTask("snowman__sculpt")));
    const fetched = await bench(["fetch", "weights"], cache);
    assert.equal(fetched.code, 0, fetched.stderr);
    assert.match(
      fetched.stdout,
      new RegExp(`alex\\.safetensors: .* sha256 ${sha256}, was there already$`, "m"),
    );

    const episodes = [
      "--models",
      "builtin:oracle,builtin:mean",
      "--tasks",
      task,
      "--runs",
      "1",
      "--out",
      out,
    ];
    const played = await bench(["eval", "splat", ...episodes, "--json"], cache);
    assert.equal(played.code, 0);
    const lines = played.stdout.trim().split("\n").map((line) => JSON.parse(line));
    const [oracle, mean] = lines.slice(0, 2).map((line) => episodeLineSchema.parse(line));
    for (const { score_kind, metrics } of [oracle, mean]) {
      assert.equal(score_kind, "full");
      assert.deepEqual(Object.keys(metrics), ["psnr", "ssim", "lpips"]);
    }
    assert.ok(oracle.score !== null && mean.score !== null);
    assert.ok(oracle.score >= 99 && oracle.score <= 101 && mean.score < 50, `${oracle.score}, ${mean.score}`);
    assert.ok(oracle.metrics.lpips < mean.metrics.lpips);

    const replayed = await bench(["replay", out], cache);
    assert.equal(replayed.code, 0, replayed.stdout);
    const unarmed = await bench(["replay", out]);
    assert.equal(unarmed.code, 3);
    assert.match(unarmed.stderr, /Cannot give full scores/);
    const named = await bench(["replay", out, "--lpips-weights", cachePaths("alex", cache).file]);
    assert.equal(named.code, 0, named.stdout + named.stderr);

    // Another profile's name does not change what kind of score is repeated.
    const inria = await bench(["replay", out, "--profile", "inria"]);
    assert.equal(inria.code, 3);

    // The same folder refuses scores of the other kind.
    const mixed = await bench(
      ["eval", "splat", ...episodes, "--metrics", "partial"],
      cache,
    );
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /^bench: Cannot continue .*: lpips of the profile is now null/m);

    const baselines = await bench(["baselines", "splat", "--tasks", task], cache);
    assert.match(baselines.stdout, /^Baseline +SplatScore +PSNR \(dB\) +SSIM +LPIPS +Tasks$/m);
    assert.match(baselines.stdout, /^fit_300 +100\.0 /m);
  }));
