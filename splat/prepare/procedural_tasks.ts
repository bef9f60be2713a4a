/** The embedded twelve, made again. */
import { z } from "zod";
import { EMBEDDED_TASKS } from "../../tasks/embedded_tasks.ts";
import type { FitRow } from "../../tasks/task_file.ts";
import { taskFileText } from "../../tasks/task_text.ts";
import { assembleEmbeddedTask, buildEmbeddedTask } from "../objects/embedded.ts";
import { PROCEDURAL_OBJECTS, type ProceduralObject } from "../objects/procedural.ts";

export interface TaskText {
  readonly id: string;
  readonly text: string;
}

/** The two files of each object, one object at a time; fits are those that the program brings, made on one device. */
export async function* proceduralTasks(): AsyncGenerator<TaskText> {
  for (const object of PROCEDURAL_OBJECTS) {
    const build = buildEmbeddedTask(object, await embeddedFits(object));
    yield { id: build.task_id, text: taskFileText(build) };
    yield { id: `${object}__assemble`, text: taskFileText(assembleEmbeddedTask(build)) };
  }
}

/** Whether the file that the program brings has this text. */
export async function isEmbedded({ id, text }: TaskText): Promise<boolean> {
  const url = new URL(`../../tasks/embedded/${id}.json`, import.meta.url);
  // An import, not a fetch: it works from disk and from an https address alike, and keeps the order of fields.
  const module: { default: unknown } = await import(url.href, { with: { type: "json" } });
  return taskFileText(z.record(z.string(), z.unknown()).parse(module.default)) === text;
}

async function embeddedFits(object: ProceduralObject): Promise<readonly FitRow[]> {
  const task = EMBEDDED_TASKS.find(({ id }) => id === `${object}__sculpt`);
  return (await task?.load())?.fits ?? [];
}
