import assert from "node:assert/strict";
import { readFile, stat } from "node:fs/promises";
import { buildEmbeddedTask, taskFileText } from "../../../splat/objects/embedded.ts";
import { PROCEDURAL_OBJECTS } from "../../../splat/objects/procedural.ts";

const file = (object: string) => new URL(`../../../tasks/embedded/${object}__sculpt.json`, import.meta.url);

Deno.test("buildEmbeddedTask() makes the committed file again, byte for byte", async () => {
  const objects = Deno.env.get("BENCH_SOAK") ? PROCEDURAL_OBJECTS : ["mushroom" as const];
  for (const object of objects) {
    assert.ok(
      taskFileText(buildEmbeddedTask(object)) === await readFile(file(object), "utf8"),
      `${object}: run tests/tools/write_embedded_tasks.ts`,
    );
  }
});

Deno.test("buildEmbeddedTask() keeps all six files below 2 MB", async () => {
  const sizes = await Promise.all(PROCEDURAL_OBJECTS.map(async (object) => (await stat(file(object))).size));
  assert.ok(sizes.reduce((total, size) => total + size) < 2e6);
});
