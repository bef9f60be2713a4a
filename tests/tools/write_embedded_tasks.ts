/**
 * Writes tasks/embedded/*.json again: `deno run -A tests/tools/write_embedded_tasks.ts [--fit] [OBJECT…]`.
 *
 * Photos come out the same on every machine; fits differ in rounding between devices, so those in the files are kept
 * unless `--fit` asks for new ones. That takes minutes on a software device, and moves every score.
 */
import { readFile, writeFile } from "node:fs/promises";
import { noteLine } from "../../eval/terminal.ts";
import { openGpu } from "../../gpu/device.ts";
import { fitTask } from "../../splat/fit/task_fits.ts";
import { taskFromFile } from "../../splat/load_task.ts";
import { assembleEmbeddedTask, buildEmbeddedTask } from "../../splat/objects/embedded.ts";
import { PROCEDURAL_OBJECTS, type ProceduralObject } from "../../splat/objects/procedural.ts";
import { type FitRow, parseTaskFile, type TaskFile } from "../../tasks/task_file.ts";
import { taskFileText } from "../../tasks/task_text.ts";

const names = Deno.args.filter((argument) => argument !== "--fit");
const objects = PROCEDURAL_OBJECTS.filter((object) => names.length === 0 || names.includes(object));
const place = (id: string) => new URL(`../../tasks/embedded/${id}.json`, import.meta.url);

for (const object of objects) {
  const task = buildEmbeddedTask(object, []);
  const build = {
    ...task,
    fits: Deno.args.includes("--fit") ? await newFits(task) : await committedFits(object),
  };
  await writeFile(place(`${object}__sculpt`), taskFileText(build));
  await writeFile(place(`${object}__assemble`), taskFileText(assembleEmbeddedTask(build)));
}

async function newFits(task: TaskFile): Promise<FitRow[]> {
  const gpu = await openGpu("auto");
  try {
    const { object, reference } = taskFromFile(task, "embedded");
    return await fitTask(gpu, reference, (gaussians, { step, steps, loss }) => {
      if (step % 500 === 0) {
        noteLine(`${object}, ${gaussians}: step ${step} of ${steps}, loss ${loss.toFixed(4)}`);
      }
    });
  } finally {
    gpu.close();
  }
}

async function committedFits(object: ProceduralObject): Promise<FitRow[]> {
  return parseTaskFile(JSON.parse(await readFile(place(`${object}__sculpt`), "utf8")), object).fits ?? [];
}
