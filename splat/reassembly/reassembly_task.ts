/** Reassembly tasks as files, made from a build task and a fit of its object. */
import type { PartRow, TaskFile } from "../../tasks/task_file.ts";
import type { GaussianRow } from "../../tasks/splat_rows.ts";
import { type Scene, sceneToRows } from "../scene.ts";
import type { PartMove } from "../task.ts";
import { scramble } from "./scramble.ts";

/**
 * `<object>__assemble`: photos, licence, fits and effort subset of the build, a start of six scrambled parts, and the
 * true pose of each part, which no model is shown. The same on every machine.
 *
 * @throws BenchError for a fit of fewer than six Gaussians
 */
export function reassemblyTask(build: TaskFile, fit: Scene, seed = 0): TaskFile {
  const { object } = build;
  const { start, parts } = scramble(fit, seed, object);
  return {
    ...build,
    task_id: `${object}__assemble`,
    kind: "reassembly",
    title: build.title.replace(/^Build/, "Reassemble"),
    start: sceneToRows(start).map(roundedRow),
    parts: parts.map(partToRow),
  };
}

function partToRow({ group, pivot, translate, degrees }: PartMove): PartRow {
  return { group, pivot: [...pivot], translate: [...translate], degrees };
}

/** A tenth of a stored fit's rounding, so that moving a part back costs nothing that shows. */
function roundedRow({ id, pos, scale, quat, color, opacity, group }: GaussianRow): GaussianRow {
  return {
    id,
    pos: [rounded(pos[0]), rounded(pos[1]), rounded(pos[2])],
    scale,
    quat: [rounded(quat[0]), rounded(quat[1]), rounded(quat[2]), rounded(quat[3])],
    color,
    opacity,
    group,
  };
}

function rounded(value: number): number {
  return Number(value.toFixed(5)) + 0;
}
