/** SplatBench tasks as rows of the `tasks` table and back. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import type { ImageColumn } from "./columns.ts";
import type { CameraRow } from "./splat_rows.ts";
import type { SplatTaskRow } from "./splat_tables.ts";
import { TASK_SCHEMA_VERSION } from "./task_fields.ts";
import { parseTaskFile, type TaskFile } from "./task_file.ts";

/** Size of the fit that earns 100, and of the smaller one that tables record. */
const FULL_FIT = 300;
const SMALL_FIT = 64;
/** What a table that names no recipe says of its fits. */
const UNKNOWN_RECIPE = "unknown";
const UNKNOWN_LICENCE = "see LICENSE.md of the data set";

/** Names that tables give to the fixed points → ours. */
const BASELINE_NAMES: Readonly<Record<string, string>> = {
  empty_scene: "empty",
  one_gaussian: "mean",
  single_gaussian: "mean",
  mean_gaussian: "mean",
  gd_64: "fit_64",
  gd64: "fit_64",
  gd: "fit_300",
  gd_300: "fit_300",
  gd300: "fit_300",
  scrambled_start: "scrambled",
  start: "scrambled",
};

/** The row of a task. */
export function splatTaskRow(task: TaskFile): SplatTaskRow {
  const { task_id, object, kind, title, licence, effort_subset, limits, baselines, published, parts } = task;
  const fits = task.fits ?? [];
  const photos = (views: TaskFile["reference"], name: string): ImageColumn[] =>
    views.map(({ photo }, i) => ({
      bytes: Uint8Array.fromBase64(photo),
      path: `${task_id}_${name}_${i}.png`,
    }));
  return {
    schema_version: 1,
    task_id,
    title,
    licence,
    effort_subset,
    object,
    kind,
    limits,
    baselines,
    system_prompt: published?.prompts.system,
    user_prompt: published?.prompts.user,
    tools: published?.tools,
    reference_images: photos(task.reference, "reference"),
    reference_cameras: task.reference.map(({ camera }) => camera),
    held_out_images: photos(task.held_out, "held_out"),
    held_out_cameras: task.held_out.map(({ camera }) => camera),
    fit_scene: fits.find(({ gaussians }) => gaussians === FULL_FIT)?.scene,
    fit_64_scene: fits.find(({ gaussians }) => gaussians === SMALL_FIT)?.scene,
    fit_recipes: Object.fromEntries(
      fits.map(({ gaussians, recipe_hash }) => [String(gaussians), recipe_hash]),
    ),
    start_scene: task.start,
    part_poses: parts && Object.fromEntries(parts.map(({ group, ...move }) => [group, move])),
  };
}

/**
 * The task of a row: everything but the views has a default.
 *
 * @param where names the row in errors
 * @throws BenchError naming the column that is missing or wrong
 */
export function splatTaskFile(row: SplatTaskRow, where: string): TaskFile {
  const { task_id, system_prompt: system, user_prompt: user, tools } = row;
  const object = row.object ?? task_id.replace(/__[^_]+$/, "");
  const limits = row.limits !== undefined && LIMITS.every((name) => name in (row.limits ?? {}))
    ? row.limits
    : undefined;
  return parseTaskFile({
    schema_version: TASK_SCHEMA_VERSION,
    task_id,
    object,
    kind: row.kind ?? (task_id.endsWith("__assemble") ? "reassembly" : "build"),
    title: row.title ?? object.replaceAll("_", " "),
    licence: row.licence ?? UNKNOWN_LICENCE,
    effort_subset: row.effort_subset ?? false,
    limits,
    reference: views(row.reference_images, row.reference_cameras, "reference", where),
    held_out: views(row.held_out_images, row.held_out_cameras, "held_out", where),
    start: row.start_scene ?? [],
    parts: movesOf(row.part_poses),
    fits: [row.fit_scene, row.fit_64_scene].flatMap((scene) =>
      scene === undefined || scene.length === 0 ? [] : [{
        gaussians: scene.length,
        scene,
        recipe_hash: row.fit_recipes?.[String(scene.length)] ?? UNKNOWN_RECIPE,
      }]
    ),
    baselines: row.baselines &&
      Object.fromEntries(
        Object.entries(row.baselines).map(([name, point]) => [BASELINE_NAMES[name] ?? name, point]),
      ),
    published: system !== undefined && user !== undefined && tools !== undefined
      ? { prompts: { system, user }, tools }
      : undefined,
  }, where);
}

const LIMITS = ["gaussians", "calls", "renders", "views_per_picture"];

function views(
  images: readonly ImageColumn[] | undefined,
  cameras: readonly CameraRow[] | undefined,
  name: string,
  where: string,
): TaskFile["reference"] {
  const [photos, shots] = [images?.length ?? 0, cameras?.length ?? 0];
  if (photos === 0 || photos !== shots) {
    throw new BenchError({
      what: `Cannot use the task ${where}`,
      why: `${name}_images holds ${photos} photos and ${name}_cameras ${shots} cameras`,
      fix: "A task has one camera for each photo, and at least one",
    });
  }
  return (images ?? []).map(({ bytes }, i) => ({
    photo: (bytes ?? new Uint8Array()).toBase64(),
    camera: (cameras ?? [])[i],
  }));
}

const moveSchema = z.object({ pivot: z.unknown(), translate: z.unknown(), degrees: z.unknown() });

/** The moves of the parts; none where poses are told in other words, for which errors of parts are left out. */
function movesOf(poses: SplatTaskRow["part_poses"]) {
  const moves = Object.entries(poses ?? {}).map(([group, pose]) => ({
    group,
    ...moveSchema.safeParse(pose).data,
  }));
  return moves.length > 0 && moves.every((move) => "degrees" in move && move.degrees !== undefined)
    ? moves
    : undefined;
}
