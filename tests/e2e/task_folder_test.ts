/** Tasks that are not embedded: played from a folder, found again by `replay`. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { CLI_CONTEXT } from "../../cli.ts";
import { splatEnvironment } from "../../splat/environment.ts";
import { captureCli } from "../support/capture_cli.ts";
import { withFolder } from "../support/with_folder.ts";
import { StubRenderer } from "../support/splat_stub.ts";

const EMBEDDED = new URL("../../tasks/embedded/", import.meta.url);

const bench = (...args: string[]) =>
  captureCli(args, {
    ...CLI_CONTEXT,
    environments: {
      splat: () => Promise.resolve(splatEnvironment({ openRenderer: new StubRenderer().open })),
    },
  });

/** The last held-out camera moves a little: nothing that the model is shown. */
async function changeHeldOut(path: string): Promise<void> {
  const file = JSON.parse(await Deno.readTextFile(path));
  file.held_out.at(-1).camera.t[2] += 0.01;
  await Deno.writeTextFile(path, JSON.stringify(file));
}

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
    const replayed = await bench("replay", out, "--all");
    assert.deepEqual([replayed.code, replayed.stdout], [
      0,
      "2 episodes, 6 steps replayed: no differences\n",
    ]);

    const mixed = await bench(...args, "--tasks", "table__sculpt", "--runs", "2");
    assert.equal(mixed.code, 2);
    assert.match(mixed.stderr, /Cannot continue .*: the content of table__sculpt is now /);

    await changeHeldOut(join(mine, "pine__sculpt.json"));
    // Its episodes are finished and none is to be played: it is the mean over both that would be wrong.
    const changed = await bench(...args, "--tasks", mine);
    assert.equal(changed.code, 2);
    assert.match(changed.stderr, /Cannot continue .*: the content of pine__sculpt is now /);
    const other = await bench("replay", out, "--episodes", "*pine*");
    assert.equal(other.code, 1);
    assert.match(
      other.stdout,
      /task\n +recorded +pine__sculpt\n +now +a task of other content under that id, from .*pine/,
    );

    await Deno.remove(join(mine, "pine__sculpt.json"));
    const gone = await bench("replay", out, "--episodes", "*pine*");
    assert.equal(gone.code, 2);
    assert.match(
      gone.stderr,
      /^bench: Cannot find the task \/.*pine__sculpt\.json: .*no file and no folder/m,
    );
    assert.equal(gone.stdout, "0 episodes, 0 steps replayed: nothing to compare; 1 could not be replayed\n");
  });
});
