import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { assembleEmbeddedTask, buildEmbeddedTask } from "../../../splat/objects/embedded.ts";
import { taskFileText } from "../../../tasks/task_text.ts";
import { PROCEDURAL_OBJECTS } from "../../../splat/objects/procedural.ts";
import { type FitRow, parseTaskFile, type TaskFile } from "../../../tasks/task_file.ts";

const file = (id: string) => new URL(`../../../tasks/embedded/${id}.json`, import.meta.url);

async function committed(object: string): Promise<{ text: string; task: TaskFile; fits: FitRow[] }> {
  const text = await readFile(file(`${object}__sculpt`), "utf8");
  const task = parseTaskFile(JSON.parse(text), object);
  return { text, task, fits: task.fits ?? [] };
}

Deno.test("buildEmbeddedTask() makes the committed file again, byte for byte", async () => {
  const objects = Deno.env.get("BENCH_SOAK") ? PROCEDURAL_OBJECTS : ["mushroom" as const];
  for (const object of objects) {
    const { text, fits } = await committed(object);
    assert.ok(
      taskFileText(buildEmbeddedTask(object, fits)) === text,
      `${object}: run tests/tools/write_embedded_tasks.ts`,
    );
  }
});

Deno.test("assembleEmbeddedTask() makes the committed files again from the builds' fits, byte for byte", async () => {
  for (const object of PROCEDURAL_OBJECTS) {
    const { task } = await committed(object);
    assert.ok(
      taskFileText(assembleEmbeddedTask(task)) === await readFile(file(`${object}__assemble`), "utf8"),
      `${object}: run tests/tools/write_embedded_tasks.ts`,
    );
  }
  assert.throws(
    () => assembleEmbeddedTask(buildEmbeddedTask("mushroom", [])),
    /Cannot take mushroom__sculpt apart: it has no fit of 300 Gaussians/,
  );
});

Deno.test("buildEmbeddedTask() keeps all twelve files below 2 MB", async () => {
  const ids = PROCEDURAL_OBJECTS.flatMap((object) => [`${object}__sculpt`, `${object}__assemble`]);
  const sizes = await Promise.all(ids.map(async (id) => (await stat(file(id))).size));
  assert.ok(sizes.reduce((total, size) => total + size) < 2e6);
});
