/** `--profile` on the device: recorded by `eval`, used again by `replay`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { RENDER_PROFILES } from "../../splat/render/profile.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";

const PLAY = ["eval", "splat", "--models", "builtin:random", "--tasks", "robot__sculpt", "--runs", "1"];

Deno.test("bench eval --profile records the profile, and bench replay plays by what is recorded", async () => {
  await withFolder(async (out) => {
    const played = await captureCli([...PLAY, "--profile", "gsplat-1.6", "--out", out]);
    assert.equal(played.code, 0, played.stderr);
    const run = JSON.parse(await Deno.readTextFile(join(out, "splat/medium_effort/run.json")));
    assert.deepEqual(run.profile.render, RENDER_PROFILES["gsplat-1.6"]);

    const replayed = await captureCli(["replay", out]);
    assert.match(replayed.stdout, /^1 episode, \d+ steps replayed: no differences\n$/);
    assert.equal(replayed.code, 0);
    assert.match(
      replayed.stderr,
      /^splat\/medium_effort: scored with render\.alphaMin 0\.0039\d* \(default 0\), render\.tStop .*\n$/,
    );
    const asked = await captureCli(["replay", out, "--profile", "gsplat-1.6"]);
    assert.deepEqual([asked.code, asked.stderr], [0, ""]);

    const other = await captureCli(["replay", out, "--profile", "torch"]);
    assert.equal(other.code, 1);
    assert.match(other.stdout, /step \d+: (hidden psnr|picture|response)\n +recorded /);
    assert.match(other.stderr, /recorded with other metric or render conventions; compares anyway/);

    const mixed = await captureCli([...PLAY, "--runs", "2", "--out", out]);
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /Cannot continue .*: render\.\w+ of the profile is now /);
    const unknown = await captureCli([...PLAY, "--profile", "webgl", "--out", out]);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /^bench: Cannot find render profile "webgl": .*torch, inria, gsplat-1\.5/);
  });
});
