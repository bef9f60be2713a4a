/** Rows of the tasks that a run played. */
import type { RunRecord } from "./run_schema.ts";
import { splatTaskRow } from "./splat_task_rows.ts";
import type { BenchId } from "./tables.ts";
import { findTaskFiles } from "./task_source.ts";

type TaskRowOf = (id: string, source: string | undefined) => Promise<Readonly<Record<string, unknown>>>;

const TASK_ROWS: Readonly<Record<BenchId, TaskRowOf>> = {
  splat: async (id, source) => {
    const [found] = await findTaskFiles([source ?? id]);
    return { ...splatTaskRow(await found.load()) };
  },
  shadow: (id) => Promise.resolve({ task_id: id }),
};

/**
 * @param run the run that played it
 * @throws BenchError when the task is no longer where it was
 */
export function runTaskRow(bench: BenchId, id: string, { options }: RunRecord) {
  return TASK_ROWS[bench](id, options.task_sources[id]);
}
