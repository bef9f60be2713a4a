/** Writes tasks/embedded/*.json again: `deno run -A tests/tools/write_embedded_tasks.ts`. */
import { writeFile } from "node:fs/promises";
import { buildEmbeddedTask, taskFileText } from "../../splat/objects/embedded.ts";
import { PROCEDURAL_OBJECTS } from "../../splat/objects/procedural.ts";

for (const object of PROCEDURAL_OBJECTS) {
  const task = buildEmbeddedTask(object);
  await writeFile(
    new URL(`../../tasks/embedded/${task.task_id}.json`, import.meta.url),
    taskFileText(task),
  );
}
