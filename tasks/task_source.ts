/** From what a user types after `--tasks` to task files: ids, globs, paths, folders and URLs. */
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BenchError } from "../env/errors.ts";
import { closestNames } from "../env/closest.ts";
import { EMBEDDED_TASKS, once, type TaskSource } from "./embedded_tasks.ts";
import { globPattern } from "./glob.ts";
import { reading } from "./file_errors.ts";
import { isTaskUrl, readTaskFile } from "./task_file.ts";

export type { TaskSource } from "./embedded_tasks.ts";

/**
 * The tasks that selectors name, each once, in the order named; all embedded ones when there is no selector.
 *
 * A selector is an embedded id (`table__sculpt`), a glob over embedded ids (`table__*`, `?` for one letter), a path or
 * URL of a task file, or a folder of task files. Embedded tasks stay unread; files are read for their ids.
 *
 * @throws BenchError for a selector that matches nothing, a bad task file, or two tasks with one id
 */
export async function findTaskFiles(selectors: readonly string[]): Promise<TaskSource[]> {
  if (selectors.length === 0) return [...EMBEDDED_TASKS];
  const found = new Map<string, TaskSource>();
  for (const selector of selectors) {
    for (const task of await resolveSelector(selector)) {
      const earlier = found.get(task.id);
      if (earlier !== undefined && earlier.source !== task.source) throw twoTasks(earlier, task);
      if (earlier === undefined) found.set(task.id, task);
    }
  }
  return [...found.values()];
}

async function resolveSelector(selector: string): Promise<TaskSource[]> {
  if (typeof selector !== "string") throw noText(selector);
  if (isTaskUrl(selector)) return [await fileTask(selector)];
  const byId = EMBEDDED_TASKS.find((task) => task.id === selector);
  if (byId !== undefined) return [byId];
  const entry = await stat(selector).catch(() => null);
  if (entry?.isDirectory()) return await folderTasks(selector);
  if (entry?.isFile()) return [await fileTask(selector)];
  const pattern = globPattern(selector);
  const matches = EMBEDDED_TASKS.filter((task) => pattern.test(task.id));
  if (matches.length === 0) throw nothingMatches(selector);
  return matches;
}

async function fileTask(where: string): Promise<TaskSource> {
  // Whoever plays it again may stand elsewhere.
  const source = isTaskUrl(where) ? where : resolve(where);
  const load = once(() => readTaskFile(source));
  return { id: (await load()).task_id, source, load };
}

async function folderTasks(folder: string): Promise<TaskSource[]> {
  const entries = await reading(folder, () => readdir(folder));
  const names = entries.filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) {
    throw new BenchError({
      what: `Cannot find tasks in ${folder}`,
      why: "the folder holds no .json file",
      fix: "Name a folder of task files",
    });
  }
  return await Promise.all(names.map((name) => fileTask(join(folder, name))));
}

/** From a script without types. */
function noText(selector: unknown): BenchError {
  return new BenchError({
    what: `Cannot find a task by ${selector === null ? "null" : `a value of type ${typeof selector}`}`,
    why: "ids, paths and URLs are texts",
    fix: `Name one, e.g. "${EMBEDDED_TASKS[0].id}"`,
  });
}

function nothingMatches(selector: string): BenchError {
  const ids = EMBEDDED_TASKS.map((task) => task.id);
  const close = closestNames(selector.split("/").at(-1)?.replace(/\.json$/, "") ?? "", ids);
  return new BenchError({
    what: `Cannot find the task ${selector}`,
    why: "it is no embedded task, no file and no folder",
    fix: close.length > 0 ? `Did you mean ${close.join(" or ")}?` : `Embedded tasks are ${ids.join(", ")}`,
  });
}

function twoTasks(first: TaskSource, second: TaskSource): BenchError {
  return new BenchError({
    what: `Cannot play two tasks called ${first.id}`,
    why: `one is ${first.source}, the other ${second.source}`,
    fix: "Select one of them",
  });
}
