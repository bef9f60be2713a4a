/** Tasks that are not embedded: played from a folder, found again by `replay`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/scripted_player.ts";
import { StubRenderer } from "../support/splat_stub.ts";

const EMBEDDED = new URL("../../tasks/embedded/", import.meta.url);

const bench = (...args: string[]) =>
  captureCli(args, {
    ...CLI_CONTEXT,
    environments: {
      splat: () => Promise.resolve(splatEnvironment({ openRenderer: new StubRenderer().open })),
    },
  });

Deno.test("bench eval --tasks FOLDER plays its tasks, and bench replay finds them where they were", async () => {
  await withFolder(async (folder) => {
    const [out, mine] = [join(folder, "runs"), join(folder, "my tasks")];
    await Deno.mkdir(mine);
    // One has the id of an embedded task and another one's photos: it must not be taken for it.
    for (const [from, id] of [["tree", "pine__sculpt"], ["robot", "table__sculpt"]]) {
      const file = JSON.parse(await Deno.readTextFile(new URL(`${from}__sculpt.json`, EMBEDDED)));
      await Deno.writeTextFile(join(mine, `${id}.json`), JSON.stringify({ ...file, task_id: id }));
    }
    const args = ["eval", "--models", "builtin:mean", "--runs", "1", "--out", out];
    const played = await bench(...args, "--tasks", mine);
    assert.equal(played.code, 0, played.stderr);
    const run = JSON.parse(await Deno.readTextFile(join(out, "splat/medium_effort/run.json")));
    assert.deepEqual(run.options.tasks, ["pine__sculpt", "table__sculpt"]);
    const replayed = await bench("replay", out);
    assert.deepEqual([replayed.code, replayed.stdout], [
      0,
      "2 episodes, 6 steps replayed: no differences\n",
    ]);

    const mixed = await bench(...args, "--tasks", "table__sculpt", "--runs", "2");
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /Cannot continue .*: prompt_hash of table__sculpt is now /);

    await Deno.remove(join(mine, "pine__sculpt.json"));
    const gone = await bench("replay", out, "--episodes", "*pine*");
    assert.equal(gone.code, 1);
    assert.match(
      gone.stdout,
      /end: task: recorded pine__sculpt, now not found; it was .*pine__sculpt\.json\n/,
    );
  });
});
