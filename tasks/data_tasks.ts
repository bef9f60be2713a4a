/** Tasks that are rows of a data set's table. */
import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { BenchError } from "../env/errors.ts";
import { once } from "../env/once.ts";
import { dataAddress, taskAddress } from "./data_address.ts";
import type { TaskRow } from "./data_rows.ts";
import { SHADOW_TASKS } from "./embedded_shadow_tasks.ts";
import { SPLAT_TASKS } from "./embedded_tasks.ts";
import type { ShadowTaskFile } from "./shadow_task_file.ts";
import { shadowTaskFile, shadowTaskRow } from "./shadow_task_rows.ts";
import type { ShadowTaskRow } from "./shadow_tables.ts";
import { splatTaskFile } from "./splat_task_rows.ts";
import type { BenchId } from "./tables.ts";
import { findTaskFiles, type TaskSet, type TaskSource } from "./task_source.ts";

/** The set whose ids and globs mean the tasks of a data set, or the embedded ones where none is named. */
export async function splatTaskSet(data?: string) {
  return await taskSet("splat", SPLAT_TASKS, splatTaskFile, data);
}

/** As `splatTaskSet`. */
export async function shadowTaskSet(data?: string) {
  return await taskSet("shadow", SHADOW_TASKS, playedShadowTask, data);
}

/** The benchmarks that a data set, named as for `splatTaskSet`, is of. Throws as `openDataSets` does. */
export async function benchmarksOf(data: string): Promise<BenchId[]> {
  const { openDataSets } = await import("./data_source.ts");
  return (await openDataSets(dataAddress(data).place)).map(({ bench }) => bench);
}

/** The task of a row; an embedded one that was exported has its witness again, which the page of its book shows. */
async function playedShadowTask(row: ShadowTaskRow, where: string): Promise<ShadowTaskFile> {
  const file = shadowTaskFile(row, where);
  const embedded = await SHADOW_TASKS.embedded.find(({ id }) => id === file.task_id)?.load();
  const same = embedded !== undefined && isDeepStrictEqual(shadowTaskRow(embedded), shadowTaskRow(file));
  return same ? embedded : file;
}

/** Where a data set of the publisher's own tools keeps a file a task. */
const TASK_FILES = "data/bench/tasks";

async function taskSet<File extends { task_id: string }>(
  bench: BenchId,
  set: TaskSet<File>,
  fileOf: (row: TaskRow, where: string) => File | Promise<File>,
  data: string | undefined,
): Promise<TaskSet<File>> {
  const addressed = (where: string) => tasksAt(where, bench, set, fileOf);
  return { ...set, embedded: data === undefined ? set.embedded : await addressed(data), addressed };
}

/** @throws BenchError when the data set has no such task, or is of the other benchmark */
async function tasksAt<File extends { task_id: string }>(
  where: string,
  bench: BenchId,
  set: TaskSet<File>,
  fileOf: (row: TaskRow, where: string) => File | Promise<File>,
): Promise<TaskSource<File>[]> {
  const { place, taskId } = dataAddress(where);
  const here = await stat(place).then(() => resolve(place), () => place);
  const chosen = await taskFiles(here, set) ?? await tableTasks(here, bench, fileOf);
  const found = chosen.filter(({ id }) => taskId === null || id === taskId);
  if (found.length > 0) return found;
  if (chosen.length === 0) {
    throw new BenchError({
      what: `Cannot find tasks in ${place}`,
      why: "its table of tasks is empty",
      fix: "Name another data set, or fetch it again",
    });
  }
  throw new BenchError({
    what: `Cannot find the task ${taskId} in ${place}`,
    why: `its tasks are ${chosen.map(({ id }) => id).join(", ")}`,
    fix: "Name one of them",
  });
}

async function tableTasks<File>(
  place: string,
  bench: BenchId,
  fileOf: (row: TaskRow, where: string) => File | Promise<File>,
): Promise<TaskSource<File>[]> {
  // Most who look for tasks read no data set.
  const { openDataSets } = await import("./data_source.ts");
  const there = await openDataSets(place);
  const data = there.find((data) => data.bench === bench);
  if (data === undefined) {
    throw new BenchError({
      what: `Cannot take the tasks of ${place} as those of ${bench}`,
      why: `they are of ${there[0].bench}`,
      fix: `Put ${there[0].bench} before the options`,
    });
  }
  const ids = await Array.fromAsync(data.tasks({ columns: ["task_id"] }));
  // All at once: their photos lie together, and are fetched together.
  const rows = once(async () =>
    new Map((await Array.fromAsync(data.tasks())).map((row) => [row.task_id, row]))
  );
  return ids.map(({ task_id: id }) => {
    const source = taskAddress(data.where, data.revision, id);
    const load = once(async () => {
      const row = (await rows()).get(id);
      if (row !== undefined) return await fileOf(row, source);
      throw new BenchError({ what: `Cannot read the task ${source}`, why: "its row is gone" });
    });
    return { id, source, load };
  });
}

/** The task files of a folder without a table of tasks; null where there are none. */
async function taskFiles<File extends { task_id: string }>(
  place: string,
  set: TaskSet<File>,
): Promise<TaskSource<File>[] | null> {
  const folder = join(place, TASK_FILES);
  const isFolder = async (path: string) => (await stat(path).catch(() => null))?.isDirectory() === true;
  if (await isFolder(join(place, "tasks")) || !await isFolder(folder)) return null;
  return await findTaskFiles(set, [folder]);
}
