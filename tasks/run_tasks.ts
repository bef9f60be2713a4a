/** Rows of the tasks that a run played. */
import { SPLAT_TASKS } from "./embedded_tasks.ts";
import { SHADOW_TASKS } from "./embedded_shadow_tasks.ts";
import type { RunRecord } from "./run_schema.ts";
import { shadowTaskRow } from "./shadow_task_rows.ts";
import { splatTaskRow } from "./splat_task_rows.ts";
import type { BenchId } from "./tables.ts";
import { findTaskFiles, type TaskSet } from "./task_source.ts";

const ROWS: Readonly<Record<BenchId, (selector: string, id: string) => Promise<object>>> = {
  splat: async (selector, id) => splatTaskRow(await fileOf(SPLAT_TASKS, selector, id)),
  shadow: async (selector, id) => shadowTaskRow(await fileOf(SHADOW_TASKS, selector, id)),
};

/**
 * @param run the run that played it
 * @throws BenchError when the task is no longer where it was
 */
export async function runTaskRow(
  bench: BenchId,
  id: string,
  { options }: RunRecord,
): Promise<Readonly<Record<string, unknown>>> {
  return { ...await ROWS[bench](options.task_sources[id] ?? id, id) };
}

async function fileOf<File extends { task_id: string }>(
  set: TaskSet<File>,
  selector: string,
  id: string,
): Promise<File> {
  const found = await findTaskFiles(set, [selector]);
  return await (found.find((task) => task.id === id) ?? found[0]).load();
}
