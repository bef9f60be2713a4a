/**
 * Writes tasks/embedded_shadow/*.json again from shadow/targets/*.json:
 * `deno run -A tests/tools/write_shadow_tasks.ts [ID…]`.
 *
 * They come out the same on every machine. A new target needs a line in tasks/embedded_shadow_tasks.ts, too.
 */
import { readdir, readFile, writeFile } from "node:fs/promises";
import { noteLine } from "../../eval/terminal.ts";
import { loadHands } from "../../shadow/hand/load_hand.ts";
import { authoredTargetSchema, taskOfTarget } from "../../shadow/targets/make_task.ts";
import { taskFileText } from "../../tasks/task_text.ts";

const authored = new URL("../../shadow/targets/", import.meta.url);
const files = (await readdir(authored)).filter((name) => name.endsWith(".json")).sort();
const ids = files.map((name) => name.replace(/\.json$/, ""));
const hands = await loadHands();

for (const id of ids.filter((id) => Deno.args.length === 0 || Deno.args.includes(id))) {
  const target = authoredTargetSchema.parse(
    JSON.parse(await readFile(new URL(`${id}.json`, authored), "utf8")),
  );
  const task = taskOfTarget(target, hands);
  await writeFile(new URL(`../../tasks/embedded_shadow/${id}.json`, import.meta.url), taskFileText(task));
  noteLine(`${id}: ${task.witness?.path.length} calls`);
}
