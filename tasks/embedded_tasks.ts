/** The SplatBench task files that come with the program. */
import { BenchError } from "../env/errors.ts";
import { once } from "../env/once.ts";
import { readTaskFile } from "./read_task_file.ts";
import { withPhotos } from "./shared_photos.ts";
import { parseTaskFile, type TaskFile } from "./task_file.ts";
import type { TaskSet, TaskSource } from "./task_source.ts";

/**
 * Every embedded task, in table order, nothing read yet.
 *
 * The imports are literal on purpose: only these are found when the program runs from an https address, and only
 * these are cached for a later run without a network.
 */
export const EMBEDDED_TASKS: readonly TaskSource<TaskFile>[] = [
  embedded("snowman__sculpt", () => import("./embedded/snowman__sculpt.json", { with: { type: "json" } })),
  embedded("mushroom__sculpt", () => import("./embedded/mushroom__sculpt.json", { with: { type: "json" } })),
  embedded("table__sculpt", () => import("./embedded/table__sculpt.json", { with: { type: "json" } })),
  embedded("rocket__sculpt", () => import("./embedded/rocket__sculpt.json", { with: { type: "json" } })),
  embedded("tree__sculpt", () => import("./embedded/tree__sculpt.json", { with: { type: "json" } })),
  embedded("robot__sculpt", () => import("./embedded/robot__sculpt.json", { with: { type: "json" } })),
  embedded(
    "snowman__assemble",
    () => import("./embedded/snowman__assemble.json", { with: { type: "json" } }),
  ),
  embedded(
    "mushroom__assemble",
    () => import("./embedded/mushroom__assemble.json", { with: { type: "json" } }),
  ),
  embedded("table__assemble", () => import("./embedded/table__assemble.json", { with: { type: "json" } })),
  embedded("rocket__assemble", () => import("./embedded/rocket__assemble.json", { with: { type: "json" } })),
  embedded("tree__assemble", () => import("./embedded/tree__assemble.json", { with: { type: "json" } })),
  embedded("robot__assemble", () => import("./embedded/robot__assemble.json", { with: { type: "json" } })),
];

/** Every task of SplatBench that a selector may name. */
export const SPLAT_TASKS: TaskSet<TaskFile> = { embedded: EMBEDDED_TASKS, read: readTaskFile };

function embedded(id: string, read: () => Promise<{ default: unknown }>): TaskSource<TaskFile> {
  const load = async () => parseTaskFile(await withPhotos((await read()).default, loadEmbedded), id);
  return { id, source: "embedded", load: once(load) };
}

async function loadEmbedded(id: string): Promise<TaskFile> {
  const task = EMBEDDED_TASKS.find((task) => task.id === id);
  if (task !== undefined) return await task.load();
  throw new BenchError({ what: `Cannot read the task ${id}`, why: "no embedded task has this id" });
}
