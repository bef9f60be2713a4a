/** Build tasks as files, from views that are ready. */
import { mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { encodePngStable } from "../../env/png.ts";
import { writing } from "../../tasks/file_errors.ts";
import { writeWhole } from "../../tasks/json_lines.ts";
import { TASK_SCHEMA_VERSION } from "../../tasks/task_fields.ts";
import { parseTaskFile, type TaskFile } from "../../tasks/task_file.ts";
import { cameraToRow } from "../camera.ts";
import type { View } from "../task.ts";

/** What a task says about its object. */
export interface TaskDetails {
  /** Name of the object, the beginning of the task's id. */
  readonly object: string;
  /** What stands after "Build the"; the name when absent. */
  readonly title?: string;
  /** Licence of photos and scene, passed on by every export. */
  readonly licence: string;
  /** Whether the high and max efforts and `early_submit_refused` play it. */
  readonly effortSubset?: boolean;
}

export interface TaskViews {
  readonly reference: readonly View[];
  readonly heldOut: readonly View[];
}

/** The build task of these views: the same text on every machine. Throws BenchError for a name that is no id. */
export function buildTask({ reference, heldOut }: TaskViews, details: TaskDetails): TaskFile {
  const { object, title = object, licence, effortSubset = false } = details;
  const view = ({ camera, photo }: View) => ({
    camera: cameraToRow(camera),
    photo: encodePngStable(photo).toBase64(),
  });
  const task = {
    schema_version: TASK_SCHEMA_VERSION,
    task_id: `${object}__sculpt`,
    object,
    kind: "build",
    title: `Build the ${title}`,
    licence,
    effort_subset: effortSubset,
    reference: reference.map(view),
    held_out: heldOut.map(view),
    start: [],
  };
  return parseTaskFile(task, `made of ${object}`);
}

/** Makes the folder and tries it, before hours of work. @throws BenchError when it cannot be written */
export async function tryOut(out: string): Promise<void> {
  await writing(out, async () => {
    await mkdir(out, { recursive: true });
    await rmdir(await mkdtemp(join(out, ".trial-")));
  });
}

/**
 * Writes `<out>/<task id>.json`, whole or not at all, and returns its path.
 *
 * @param text of the file, as `taskFileText` makes it
 * @throws BenchError when the folder cannot be written
 */
export async function writeTaskFile(out: string, id: string, text: string): Promise<string> {
  const path = join(out, `${id}.json`);
  await writing(out, () => mkdir(out, { recursive: true }));
  await writeWhole(path, text);
  return path;
}
