import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT, type CliContext } from "../../cli.ts";
import { shadowEnvironment } from "../../shadow/environment.ts";
import { chosenScore } from "../../shadow/named_profile.ts";
import { DEFAULT_SCORE } from "../../shadow/score/score_profile.ts";
import { tasks } from "../../shadow/shadow_env.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withSmallHand } from "../support/hand_glb.ts";
import { stubEnvironment, stubPictures } from "../support/shadow_stub.ts";
import { withFolder } from "../support/with_folder.ts";

const [FIRST] = tasks();

/** The command line, but for pictures, which take a device. */
const CONTEXT: CliContext = {
  ...CLI_CONTEXT,
  environments: {
    shadow: ({ hand, profile }) =>
      Promise.resolve(shadowEnvironment({
        scoreProfile: chosenScore(profile),
        openPictures: () => Promise.resolve(stubPictures("look")),
        ...(hand === null ? {} : { hand }),
      })),
  },
};

Deno.test("eval and replay of shadow on a device: identical texts, poses, scores and pixels", async () => {
  await withFolder(async (folder) => {
    const device = ["--device", "software"];
    const models = ["--models", "builtin:walk,builtin:witness"];
    const played = await captureCli(
      ["eval", "shadow", ...models, "--tasks", FIRST, "--out", folder, "--json", ...device],
    );
    assert.equal(played.code, 0, played.stderr);
    const rows = played.stdout.trim().split("\n").map((line) => JSON.parse(line));
    const [walk, witness] = rows.filter(({ kind }) => kind === "episode");
    assert.equal(walk.episode_id, `builtin:walk@medium/${FIRST}`);
    assert.deepEqual([walk.setting, walk.score_kind], ["medium_effort", "full"]);
    assert.equal(walk.plans[0], "something else: wherever the hands come to");
    assert.ok(walk.budget_used.looks > 0 && walk.steps === walk.calls + 1);
    assert.deepEqual([witness.metrics.solved, witness.metrics.iou], [1, 1]);
    assert.ok(witness.score > 96);

    const replayed = await captureCli(["replay", folder, "--all", ...device]);
    assert.deepEqual([replayed.code, replayed.stdout], [
      0,
      `2 episodes, ${walk.steps + witness.steps} steps replayed: no differences\n`,
    ]);

    // On disk a slash is two underscores.
    const file = join(folder, "shadow/medium_effort", `builtin_walk@medium__${FIRST}`, "steps.jsonl");
    const text = await Deno.readTextFile(file);
    await Deno.writeTextFile(file, text.replace('"positions":[[0.13,', '"positions":[[0.14,'));
    const altered = await captureCli(["replay", folder, "--all", ...device]);
    assert.equal(altered.code, 1);
    assert.match(
      altered.stdout,
      /walk@medium\/\w+: step 0: state\.positions\[0\]\[0\]\n +recorded +0\.14\n +now +0\.13/,
    );
  });
});

Deno.test("replay of episodes with another hand is not comparable, says so, and checks their logs", async () => {
  await withSmallHand(async (hand) => {
    await withFolder(async (folder) => {
      const args = ["--tasks", FIRST, "--out", folder];
      const played = await captureCli(
        ["eval", "shadow", "--models", "builtin:walk", "--hand", hand, ...args],
        CONTEXT,
      );
      assert.equal(played.code, 0, played.stderr);

      const same = await captureCli(["replay", folder, "--hand", hand], CONTEXT);
      assert.match(same.stdout, /^1 episode, \d+ steps replayed: no differences\n$/);
      const other = await captureCli(["replay", folder], CONTEXT);
      assert.equal(other.code, 0, other.stderr);
      assert.match(other.stdout, /: other hand: not comparable; its log keeps all budgets and limits\n/);
      assert.match(other.stdout, /^1 episode, \d+ steps checked in the log alone: no differences\n$/m);
      const json = JSON.parse((await captureCli(["replay", folder, "--json"], CONTEXT)).stdout);
      assert.deepEqual([json.not_comparable, json.differences], ["other hand: not comparable", []]);

      const file = join(folder, "shadow/medium_effort", `builtin_walk@medium__${FIRST}`, "steps.jsonl");
      const text = await Deno.readTextFile(file);
      await Deno.writeTextFile(file, text.replace('"budgets":{"calls":99,', '"budgets":{"calls":98,'));
      const altered = await captureCli(["replay", folder], CONTEXT);
      assert.equal(altered.code, 1);
      assert.match(altered.stdout, /step 1: budgets\.calls\n +recorded +98\n +now +99/);

      const resumed = await captureCli(["eval", "shadow", "--models", "builtin:rest", ...args], CONTEXT);
      assert.equal(resumed.code, 2);
      assert.match(resumed.stderr, /Cannot continue .*hand\.\w+ of the profile/);
    });
  });
});

Deno.test("replay and rescore of a run with another score profile name its knobs", async () => {
  await withFolder(async (folder) => {
    const generous: CliContext = {
      ...CONTEXT,
      environments: {
        shadow: () =>
          Promise.resolve(stubEnvironment("look", { scoreProfile: { ...DEFAULT_SCORE, peekFactor: 1 } })),
      },
    };
    const args = ["--models", "builtin:rest", "--tasks", FIRST, "--out", folder];
    const played = await captureCli(["eval", "shadow", ...args], generous);
    assert.equal(played.code, 0, played.stderr);
    for (const command of ["replay", "rescore"]) {
      const { code, stderr } = await captureCli([command, folder], CONTEXT);
      assert.equal(code, 0, stderr);
      assert.equal(stderr, "shadow/medium_effort: scored with score.peekFactor 1 (default 0.94)\n");
    }
  });
});
