import assert from "node:assert/strict";
import { encodePngStable } from "../../../env/png.ts";
import { blankImage } from "../../../env/image.ts";
import { cameraToRow } from "../../../splat/camera.ts";
import { taskFromFile } from "../../../splat/load_task.ts";
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { moveOf, wayBack } from "../../../splat/reassembly/part_move.ts";
import { reassemblyTask } from "../../../splat/reassembly/reassembly_task.ts";
import { standardRig } from "../../../splat/rig.ts";
import { transform } from "../../../splat/tools/transform_group.ts";
import { stubPlay } from "../../support/splat_stub.ts";
import { parseTaskFile, type TaskFile } from "../../../tasks/task_file.ts";

const photo = encodePngStable(blankImage(256, 256, [90, 120, 40])).toBase64();
const view = { camera: cameraToRow(standardRig().reference[3]), photo };
const BUILD: TaskFile = {
  schema_version: 1,
  task_id: "heap__sculpt",
  object: "heap",
  kind: "build",
  title: "Build the heap",
  licence: "CC BY 4.0",
  effort_subset: true,
  reference: [view, view],
  held_out: [view],
  start: [],
};
const FIT = randomBlobScene(8);

Deno.test("reassemblyTask() makes a task that can be played, with the build's photos, licence and subset", () => {
  const file = reassemblyTask(BUILD, FIT);
  // Through JSON, which knows no −0.
  const stored = JSON.parse(JSON.stringify(file));
  assert.deepEqual(parseTaskFile(stored, "heap"), stored);
  const task = taskFromFile(file, "embedded");
  assert.deepEqual([task.info.id, task.kind, task.info.title], [
    "heap__assemble",
    "reassembly",
    "Reassemble the heap",
  ]);
  assert.deepEqual(task.info.protocols, ["standard", "early_submit_refused"]);
  assert.deepEqual([task.info.licence, task.info.effortSubset], ["CC BY 4.0", true]);
  assert.deepEqual(file.reference, BUILD.reference);
  assert.equal(task.parts.length, 6);
});

Deno.test("reassemblyTask() stores moves that take the stored start back to the fit", () => {
  const { start, parts } = taskFromFile(reassemblyTask(BUILD, FIT, 3), "embedded");
  const back = new Map(parts.map((part) => [part.group, moveOf(wayBack(part))]));
  start.forEach((gaussian, i) => {
    const move = back.get(gaussian.group ?? "");
    assert.ok(move);
    const { mean } = transform(gaussian, move);
    // Half a unit of the fifth decimal along each axis, turned.
    mean.forEach((value, axis) => assert.ok(Math.abs(value - FIT[i].mean[axis]) < 0.8e-5));
  });
});

Deno.test("Episode of a reassembly names the parts and tells nothing of their true poses", () => {
  const task = taskFromFile(reassemblyTask(BUILD, FIT), "embedded");
  const { user } = stubPlay("standard", task).episode.prompts;
  assert.match(user, /has been taken apart.*turned about the vertical axis.*transform_group/);
  assert.match(user, new RegExp(`The scene holds ${FIT.length} Gaussians in 6 groups: part_\\d`));
  for (const { degrees, translate, pivot } of task.parts) {
    for (const secret of [degrees, ...translate, ...pivot]) {
      if (String(secret).length > 4) assert.ok(!user.includes(String(secret)), String(secret));
    }
  }
});

Deno.test("taskFromFile() refuses parts that are not the groups of the start", () => {
  const file = reassemblyTask(BUILD, FIT);
  const parts = file.parts ?? [];
  const renamed = [{ ...parts[0], group: "part_9" }, ...parts.slice(1)];
  assert.throws(
    () => taskFromFile({ ...file, parts: renamed }, "x.json"),
    /x\.json: parts\[0\]\.group: part_9/,
  );
  assert.throws(
    () => taskFromFile({ ...file, parts: parts.slice(0, 5) }, "x.json"),
    /parts: the group part_6 of the start scene is no part/,
  );
});
