/** Every embedded target is provably solvable: its witness is legal, reached by legal calls, and casts it. */
import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { SHADOW_TASKS } from "../../tasks/embedded_shadow_tasks.ts";
import { taskFileText } from "../../tasks/task_text.ts";
import { PoseChecker } from "../../shadow/collision/pose_checker.ts";
import { taskFromFile } from "../../shadow/load_task.ts";
import { poseToRow, START_POSE } from "../../shadow/pose.ts";
import { hullMask } from "../../shadow/score/hull_mask.ts";
import { prepareTarget, scoreShadow } from "../../shadow/score/shadow_score.ts";
import { castShadow } from "../../shadow/stage/cast_shadow.ts";
import { authoredTargetSchema, taskOfTarget } from "../../shadow/targets/make_task.ts";
import { hands, stubPlay } from "../support/shadow_stub.ts";
import { movedMask } from "./moved_mask.ts";

const authored = new URL("../../shadow/targets/", import.meta.url);
const stored = new URL("../../tasks/embedded_shadow/", import.meta.url);
const checker = new PoseChecker(hands);

Deno.test("every authored target is an embedded task, and no other", async () => {
  const names = async (folder: URL) =>
    (await readdir(folder)).filter((name) => name.endsWith(".json")).sort();
  const listed = SHADOW_TASKS.embedded.map(({ id }) => `${id}.json`).sort();
  assert.deepEqual(await names(authored), listed);
  assert.deepEqual(await names(stored), listed);
});

for (const { id, load } of SHADOW_TASKS.embedded) {
  Deno.test(`${id}: the task file is made again from its author's pose, byte for byte`, async () => {
    const target = authoredTargetSchema.parse(
      JSON.parse(await readFile(new URL(`${id}.json`, authored), "utf8")),
    );
    const text = taskFileText(taskOfTarget(target, hands));
    assert.ok(
      text === await readFile(new URL(`${id}.json`, stored), "utf8"),
      "run tests/tools/write_shadow_tasks.ts",
    );
  });

  Deno.test(`${id}: the witness is legal, its path is legal call by call, and it solves the task`, async () => {
    const task = taskFromFile(await load(), "embedded");
    const { witness, target } = task;
    assert.ok(witness !== null);
    assert.equal(checker.pose(witness.pose), null);
    const episode = await stubPlay(task);
    await episode.call("plan", { subject: "s", arrangement: "a" });
    for (const { name, arguments: args } of witness.path) {
      const { accepted, text } = await episode.call(name, args);
      assert.ok(accepted, text);
    }
    assert.deepEqual(poseToRow(episode.pose), poseToRow(witness.pose));
    assert.ok(episode.budgets.calls.used <= 70, "calls are left to look and to try");
    const { hidden, hidden_score } = await episode.hidden();
    assert.ok(
      hidden.solved === 1 && hidden.iou >= 0.995 && hidden.outline_f >= 0.995 && hidden.holes >= 0.995,
    );
    assert.ok(hidden.wrists >= 1 / 3 - 1e-12 && (hidden_score ?? 0) >= 96, `${hidden_score}`);

    const prepared = prepareTarget(target);
    assert.deepEqual(castShadow(hands, witness.pose), target);
    // What is nearly right is not right: so that solving it says something.
    assert.ok(scoreShadow(prepared, hullMask(target), START_POSE).outlineF < 0.7);
    assert.ok(scoreShadow(prepared, movedMask(target, 3, 3), START_POSE).outlineF < 0.6);
  });
}
