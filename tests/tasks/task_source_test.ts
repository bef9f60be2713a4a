import assert from "node:assert/strict";
import { relative as fromFolder } from "node:path";
import { BenchError } from "../../env/errors.ts";
import { SPLAT_TASKS } from "../../tasks/embedded_tasks.ts";
import { findTaskFiles } from "../../tasks/task_source.ts";

const EMBEDDED = new URL("../../tasks/embedded/", import.meta.url).pathname;
const OBJECTS = ["snowman", "mushroom", "table", "rocket", "tree", "robot"];
const IDS = ["sculpt", "assemble"].flatMap((kind) => OBJECTS.map((object) => `${object}__${kind}`));

const fromHere = (path: string) => fromFolder(Deno.cwd(), path);

const ids = async (...selectors: string[]) =>
  (await findTaskFiles(SPLAT_TASKS, selectors)).map(({ id }) => id);

Deno.test("findTaskFiles() gives all embedded tasks for no selector", async () => {
  assert.deepEqual(await ids(), IDS);
  assert.ok((await findTaskFiles(SPLAT_TASKS, [])).every(({ source }) => source === "embedded"));
});

Deno.test("findTaskFiles() resolves ids and globs, each task once, in the order named", async () => {
  assert.deepEqual(await ids("tree__sculpt", "table__*", "t*__sculpt"), [
    "tree__sculpt",
    "table__sculpt",
    "table__assemble",
  ]);
  assert.deepEqual(await ids("ro?????sculpt", "*"), [
    "robot__sculpt",
    ...IDS.filter((id) => id !== "robot__sculpt"),
  ]);
});

Deno.test("findTaskFiles() resolves a file and a folder", async () => {
  const [file] = await findTaskFiles(SPLAT_TASKS, [`${EMBEDDED}robot__sculpt.json`]);
  assert.deepEqual([file.id, file.source], ["robot__sculpt", `${EMBEDDED}robot__sculpt.json`]);
  assert.equal((await file.load()).object, "robot");
  assert.deepEqual(await ids(EMBEDDED), [...IDS].sort());
  // A replay may stand in another folder.
  const [relative] = await findTaskFiles(SPLAT_TASKS, [fromHere(`${EMBEDDED}robot__sculpt.json`)]);
  assert.equal(relative.source, file.source);
});

Deno.test("findTaskFiles() loads a task once", async () => {
  const [task] = await findTaskFiles(SPLAT_TASKS, ["rocket__sculpt"]);
  assert.equal(await task.load(), await task.load());
});

Deno.test("findTaskFiles() says in one line what is wrong with a selector", async () => {
  const empty = await Deno.makeTempDir();
  await Deno.writeTextFile(`${empty}/notes.txt`, "");
  try {
    await fails(["tabel__sculpt"], /Cannot find the task tabel__sculpt: .*Did you mean table__sculpt/);
    await fails(["rocket"], /Did you mean rocket__sculpt/);
    await fails(["zebra*"], /Embedded tasks are snowman__sculpt, .*robot__assemble/);
    await fails([""], /Cannot find the task/);
    await fails(["table__sculpt", "./no/such/file.json"], /no file and no folder/);
    await fails([empty], /holds no \.json file/);
    await fails(["robot__sculpt", `${EMBEDDED}robot__sculpt.json`], /two tasks called robot__sculpt/);
  } finally {
    await Deno.remove(empty, { recursive: true });
  }
});

async function fails(selectors: string[], why: RegExp): Promise<void> {
  await assert.rejects(findTaskFiles(SPLAT_TASKS, selectors), (error) => {
    assert.ok(error instanceof BenchError);
    assert.match(error.message, why);
    assert.ok(!error.message.includes("\n"));
    return true;
  });
}
