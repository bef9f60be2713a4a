/** From what a user types after `--tasks` to task files: ids, globs, paths, folders and URLs. */
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { BenchError, NoSuchTask } from "../env/errors.ts";
import { closestTasks } from "../env/closest.ts";
import { once } from "../env/once.ts";
import { isDataAddress } from "./data_address.ts";
import { globPattern } from "./glob.ts";
import { reading } from "./file_errors.ts";
import { isTaskUrl } from "./task_json.ts";

/** Where a task of one benchmark is. */
export interface TaskSource<File> {
  id: string;
  /** `embedded`, or the path or URL of its file. */
  source: string;
  /** Reads the file once; later calls return the same. */
  load(): Promise<File>;
}

/** Where the tasks of one benchmark come from. */
export interface TaskSet<File> {
  /** Those that ids and globs mean, in table order: the ones that come with the program, or those of a data set. */
  readonly embedded: readonly TaskSource<File>[];
  /** Reads a task file from a path or URL. */
  read(where: string): Promise<File>;
  /** Finds the tasks at an address of `data_address.ts`; absent where no data sets are read. */
  addressed?(address: string): Promise<readonly TaskSource<File>[]>;
}

/**
 * The tasks that selectors name, each once, in the order named; all embedded ones when there is no selector.
 *
 * A selector is an embedded id (`table__sculpt`), a glob over embedded ids (`table__*`, `?` for one letter), a path or
 * URL of a task file, a folder of task files, or tasks of a data set (`hf://org/name`, `folder#table__sculpt`).
 * Embedded tasks stay unread; files are read for their ids.
 *
 * @throws BenchError for a selector that matches nothing, a bad task file, or two tasks with one id
 */
export async function findTaskFiles<File extends { task_id: string }>(
  set: TaskSet<File>,
  selectors: readonly string[],
): Promise<TaskSource<File>[]> {
  if (selectors.length === 0) return [...set.embedded];
  const found = new Map<string, TaskSource<File>>();
  for (const selector of selectors) {
    for (const task of await resolveSelector(set, selector)) {
      const earlier = found.get(task.id);
      if (earlier !== undefined && earlier.source !== task.source) throw twoTasks(earlier, task);
      if (earlier === undefined) found.set(task.id, task);
    }
  }
  return [...found.values()];
}

async function resolveSelector<File extends { task_id: string }>(
  set: TaskSet<File>,
  selector: string,
): Promise<readonly TaskSource<File>[]> {
  const ids = set.embedded.map(({ id }) => id);
  if (typeof selector !== "string") throw noText(selector, ids);
  if (set.addressed !== undefined && isDataAddress(selector)) return await set.addressed(selector);
  if (isTaskUrl(selector)) return [await fileTask(set, selector)];
  const byId = set.embedded.find((task) => task.id === selector);
  if (byId !== undefined) return [byId];
  const entry = await stat(selector).catch(() => null);
  if (entry?.isDirectory()) return await folderTasks(set, selector);
  if (entry?.isFile()) return [await fileTask(set, selector)];
  const pattern = globPattern(selector);
  const matches = set.embedded.filter((task) => pattern.test(task.id));
  if (matches.length === 0) throw nothingMatches(selector, ids);
  return matches;
}

async function fileTask<File extends { task_id: string }>(
  set: TaskSet<File>,
  where: string,
): Promise<TaskSource<File>> {
  // Whoever plays it again may stand elsewhere.
  const source = isTaskUrl(where) ? where : resolve(where);
  const load = once(() => set.read(source));
  return { id: (await load()).task_id, source, load };
}

async function folderTasks<File extends { task_id: string }>(
  set: TaskSet<File>,
  folder: string,
): Promise<TaskSource<File>[]> {
  const entries = await reading(folder, () => readdir(folder));
  const names = entries.filter((name) => name.endsWith(".json")).sort();
  if (names.length === 0) {
    throw new BenchError({
      what: `Cannot find tasks in ${folder}`,
      why: "the folder holds no .json file",
      fix: "Name a folder of task files",
    });
  }
  return await Promise.all(names.map((name) => fileTask(set, join(folder, name))));
}

/** From a script without types. */
function noText(selector: unknown, ids: readonly string[]): BenchError {
  return new BenchError({
    what: `Cannot find a task by ${selector === null ? "null" : `a value of type ${typeof selector}`}`,
    why: "ids, paths and URLs are texts",
    fix: `Name one, e.g. "${ids[0]}"`,
  });
}

function nothingMatches(selector: string, ids: readonly string[]): NoSuchTask {
  const close = closestTasks(selector, ids);
  return new NoSuchTask({
    what: `Cannot find the task ${selector}`,
    why: "it is no embedded task, no file and no folder",
    fix: close.length > 0 ? `Did you mean ${close.join(" or ")}?` : `Embedded tasks are ${ids.join(", ")}`,
  }, ids);
}

function twoTasks(first: { id: string; source: string }, second: { source: string }): BenchError {
  return new BenchError({
    what: `Cannot play two tasks called ${first.id}`,
    why: `one is ${first.source}, the other ${second.source}`,
    fix: "Select one of them",
  });
}
