import assert from "node:assert/strict";
import { join } from "node:path";
import { encodePngStable } from "../../env/png.ts";
import { blankImage } from "../../env/image.ts";
import { withoutPhotos, withPhotos } from "../../tasks/shared_photos.ts";
import { readTaskFile } from "../../tasks/read_task_file.ts";
import { SPLAT_TASKS } from "../../tasks/embedded_tasks.ts";
import { findTaskFiles } from "../../tasks/task_source.ts";
import { withFolder } from "../support/with_folder.ts";

const VIEW = {
  camera: { R: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], t: [0, 0, 4], fx: 30, fy: 30, cx: 8.5, cy: 6.5 },
  photo: encodePngStable(blankImage(17, 13)).toBase64(),
};
const BUILD = {
  schema_version: 1,
  task_id: "cup__sculpt",
  object: "cup",
  kind: "build",
  title: "Build the cup",
  licence: "MIT",
  effort_subset: false,
  reference: [VIEW],
  held_out: [VIEW, VIEW],
  start: [],
};
const ASSEMBLE = { ...BUILD, task_id: "cup__assemble", kind: "reassembly" };

Deno.test("withPhotos() gives back what withoutPhotos() left out", async () => {
  const stored = withoutPhotos(ASSEMBLE, "cup__sculpt");
  assert.ok(!("reference" in stored) && !("held_out" in stored) && !("fits" in stored));
  const asked: string[] = [];
  const whole = await withPhotos(stored, (id) => {
    asked.push(id);
    return Promise.resolve(BUILD);
  });
  assert.deepEqual(asked, ["cup__sculpt"]);
  assert.deepEqual({ ...ASSEMBLE, fits: undefined }, whole);
  assert.equal(await withPhotos(BUILD, () => Promise.reject(new Error("not asked"))), BUILD);
});

Deno.test("readTaskFile() takes photos from the file beside it, and says when that one is missing", async () => {
  await withFolder(async (folder) => {
    const path = join(folder, "cup__assemble.json");
    const write = (name: string, content: unknown) =>
      Deno.writeTextFile(join(folder, name), JSON.stringify(content));
    await write("cup__assemble.json", withoutPhotos(ASSEMBLE, "cup__sculpt"));
    await assert.rejects(readTaskFile(path), /Cannot read the task .*cup__sculpt\.json/);
    await write("cup__sculpt.json", BUILD);
    const task = await readTaskFile(path);
    assert.deepEqual([task.kind, task.reference, task.held_out], ["reassembly", [VIEW], [VIEW, VIEW]]);
    assert.deepEqual((await findTaskFiles(SPLAT_TASKS, [folder])).map(({ id }) => id), [
      "cup__assemble",
      "cup__sculpt",
    ]);
    // A file that names itself, or one that has no photos either, is told instead of read forever.
    await write("cup__sculpt.json", withoutPhotos(BUILD, "cup__assemble"));
    await assert.rejects(readTaskFile(path), /cup__sculpt\.json: reference/);
    await write("cup__assemble.json", withoutPhotos(ASSEMBLE, "cup__assemble"));
    await assert.rejects(readTaskFile(path), /cup__assemble\.json: reference/);
  });
});
