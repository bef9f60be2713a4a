import assert from "node:assert/strict";
import { join } from "node:path";
import { projectCommit } from "../../eval/project_commit.ts";
import { readRun } from "../../tasks/run_reader.ts";
import { evalToy, scriptedPlayer, SUBMIT, tasks } from "../support/scripted_player.ts";
import { withFolder } from "../support/with_folder.ts";

const player = (settings: Record<string, unknown>, name = "scripted") =>
  scriptedPlayer(() => ({ calls: [SUBMIT] }), { name, settings });

const BEFORE = { id: "m-1", extra_body: { temperature: 0 } };

for (
  const { what, field, request } of [
    {
      what: "another environment version",
      field: "env_fingerprint",
      request: { toy: { fingerprint: "toy-2" } },
    },
    {
      what: "other metric conventions",
      field: "pens[1] of the profile",
      request: { toy: { profile: { paper: "white", pens: [1, 3] } } },
    },
    {
      what: "another prompt",
      field: "prompt_hash of cross",
      request: { toy: { systemPrompt: "Paint well." } },
    },
    {
      what: "another opening picture",
      field: "prompt_hash of cross",
      request: { toy: { pixelShift: 1 } },
    },
    {
      what: "another task under the same id, of which only what is hidden differs",
      field: "the content of cross",
      request: { tasks: [{ ...tasks("cross")[0], contentHash: "other held-out photos" }] },
    },
    {
      what: "another model id",
      field: "id of the model scripted",
      request: { players: [player({ ...BEFORE, id: "m-2" })] },
    },
    {
      what: "another request body",
      field: "extra_body.temperature of the model scripted",
      request: { players: [player({ ...BEFORE, extra_body: {} })] },
    },
    {
      what: "a setting that was not there before",
      field: "effort of the model scripted",
      request: { players: [player({ ...BEFORE, effort: "high" })] },
    },
  ]
) {
  Deno.test(`runEval() refuses to mix in ${what}, names the field and the way out`, async () => {
    await withFolder(async (out) => {
      await evalToy(out, { players: [player(BEFORE)] });
      const again = player(BEFORE);
      const next = { players: [again], runs: 2, ...request };
      await assert.rejects(evalToy(out, next), (error: Error) => {
        assert.match(error.message, /^Cannot continue .*toy\/medium_effort: /);
        assert.ok(error.message.includes(`${field} is now `), error.message);
        assert.match(error.message, /Choose another folder with --out/);
        return true;
      });
      assert.equal(again.asked.length, 0);
      assert.equal((await readRun(out)).episodes.length, 1);
    });
  });
}

Deno.test("runEval() takes a further model, task and run into a folder, and records them", async () => {
  await withFolder(async (out) => {
    await evalToy(out, { players: [player(BEFORE)] });
    await evalToy(out, { players: [player({ id: "x" }, "other")], tasks: tasks("square"), runs: 2 });
    const { episodes: [{ run }] } = await readRun(out);
    assert.deepEqual(Object.keys(run.models).sort(), ["other", "scripted"]);
    assert.deepEqual([run.options.tasks, run.options.runs], [["cross", "square"], 2]);
    assert.equal(run.commit, projectCommit(new URL("../../", import.meta.url)));
  });
});

Deno.test("runEval() notes another device and goes on", async () => {
  await withFolder(async (out) => {
    await evalToy(out, { players: [player(BEFORE)] });
    const { notes, episodes } = await evalToy(out, {
      players: [player(BEFORE)],
      runs: 2,
      toy: { device: "slide rule" },
    });
    assert.match(notes.join(), /earlier episodes ran on abacus, this is slide rule/);
    assert.deepEqual(episodes.map(({ device }) => device), ["abacus", "slide rule"]);
  });
});

Deno.test("runEval() writes run.json anew where a power cut left it empty", async () => {
  await withFolder(async (out) => {
    await evalToy(out, { players: [player(BEFORE)] });
    await Deno.truncate(join(out, "toy/medium_effort/run.json"));
    const { episodes } = await evalToy(out, { players: [player(BEFORE)], runs: 2 });
    assert.equal(episodes.length, 2);
    assert.equal((await readRun(out)).episodes.length, 2);
  });
});

Deno.test("runEval() keeps efforts and protocols in folders of their own", async () => {
  await withFolder(async (out) => {
    for (const [protocol, effort] of [["standard", "medium"], ["standard", "high"], ["one_call", "medium"]]) {
      await evalToy(out, { players: [player(BEFORE)], protocol, effort });
    }
    const { episodes } = await readRun(out);
    assert.deepEqual(episodes.map(({ record }) => record.setting), [
      "high_effort",
      "medium_effort",
      "one_call",
    ]);
  });
});
