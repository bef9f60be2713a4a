/** From a task file to a task that can be played: photos decoded, every value checked. */
import { BenchError } from "../env/errors.ts";
import type { Image } from "../env/image.ts";
import { compositeOnWhite, decodePng, pngSize } from "../env/png.ts";
import { SPLAT_TASKS } from "../tasks/embedded_tasks.ts";
import type { TaskFile } from "../tasks/task_file.ts";
import { findTaskFiles } from "../tasks/task_source.ts";
import { cameraFromRow } from "./camera.ts";
import { PROTOCOLS } from "./protocols.ts";
import { rotationFault } from "./rotation_fault.ts";
import { type Scene, sceneFromRows } from "./scene.ts";
import { sceneProblem } from "./scene_check.ts";
import { type SplatTask, STANDARD_LIMITS, type View } from "./task.ts";
import { taskContentHash } from "./task_hash.ts";

/** SSIM's window has 11 taps; a smaller picture has no SSIM. */
const SMALLEST_PHOTO = 11;
/** Most pixels of a photo: dozens of them are decoded and rendered at a time. */
const MOST_PIXELS = 2048 ** 2;

/**
 * The task of an embedded id (`table__sculpt`), or of a task file's path or URL.
 *
 * @throws BenchError when there is no such task or its file is damaged; the error names file and field
 */
export async function loadTask(idOrPathOrUrl: string): Promise<SplatTask> {
  const found = await findTaskFiles(SPLAT_TASKS, [idOrPathOrUrl]);
  if (found.length > 1) {
    throw new BenchError({
      what: `Cannot load one task from ${idOrPathOrUrl}`,
      why: `it names ${found.length} tasks`,
      fix: `Name one, e.g. ${found[0].id}`,
    });
  }
  const [{ source, load }] = found;
  return taskFromFile(await load(), source);
}

/** Decodes and checks a task file's content; `source` is where it came from. */
export function taskFromFile(file: TaskFile, source: string): SplatTask {
  const where = source === "embedded" ? file.task_id : source;
  const reference = file.reference.map((view, i) => readView(view, `reference[${i}]`, where));
  const heldOut = file.held_out.map((view, i) => readView(view, `held_out[${i}]`, where));
  const { limits } = file;
  const content: Omit<SplatTask, "info"> = {
    object: file.object,
    kind: file.kind,
    reference,
    heldOut,
    limits: limits === undefined ? STANDARD_LIMITS : {
      gaussians: limits.gaussians,
      calls: limits.calls,
      renders: limits.renders,
      viewsPerPicture: limits.views_per_picture,
    },
    start: sceneFromRows(file.start),
    fits: (file.fits ?? []).map(({ gaussians, scene, recipe_hash }) => ({
      gaussians,
      scene: sceneFromRows(scene),
      recipeHash: recipe_hash,
    })),
    parts: file.parts ?? [],
    published: file.published ?? null,
  };
  const task: SplatTask = {
    info: {
      id: file.task_id,
      title: file.title,
      source,
      contentHash: taskContentHash(content),
      licence: file.licence,
      effortSubset: file.effort_subset,
      protocols: PROTOCOLS.filter(({ kinds }) => kinds.includes(file.kind)).map(({ id }) => id),
      baselines: file.baselines,
    },
    ...content,
  };
  checkSizes("reference", reference, reference[0], where);
  checkSizes("held_out", heldOut, reference[0], where);
  checkScene(task, task.start, "start", where);
  task.fits.forEach(({ scene }, i) => checkScene(task, scene, `fits[${i}].scene`, where));
  checkParts(task, where);
  return task;
}

function readView(view: TaskFile["reference"][number], field: string, where: string): View {
  const photo = readPhoto(view.photo, `${field}.photo`, where);
  const camera = cameraFromRow(view.camera, photo.width, photo.height);
  const fault = rotationFault(camera.rotation);
  if (fault !== null) throw badTask(where, `${field}.camera.R`, fault);
  return { photo, camera };
}

function readPhoto(base64: string, field: string, where: string): Image {
  let bytes: Uint8Array;
  try {
    bytes = Uint8Array.fromBase64(base64);
  } catch {
    throw badTask(where, field, "not valid base64");
  }
  const orBadTask = <Value>(read: (png: Uint8Array) => Value): Value => {
    try {
      return read(bytes);
    } catch (error) {
      throw badTask(where, field, error instanceof Error ? error.message : String(error));
    }
  };
  const { width, height } = orBadTask(pngSize);
  const size = `${width} × ${height} pixels`;
  if (width < SMALLEST_PHOTO || height < SMALLEST_PHOTO) {
    throw badTask(where, field, `${size}, at least ${SMALLEST_PHOTO} a side are needed`);
  }
  if (width * height > MOST_PIXELS) throw badTask(where, field, `${size}, the most are ${MOST_PIXELS}`);
  return compositeOnWhite(orBadTask(decodePng));
}

/** All photos of a task have the size of the first. */
function checkSizes(field: string, views: readonly View[], first: View, where: string): void {
  const { width, height } = first.photo;
  const odd = views.findIndex(({ photo }) => photo.width !== width || photo.height !== height);
  if (odd < 0) return;
  const { photo } = views[odd];
  throw badTask(
    where,
    `${field}[${odd}].photo`,
    `${photo.width} × ${photo.height}, but the first is ${width} × ${height}`,
  );
}

function checkScene({ limits }: SplatTask, scene: Scene, field: string, where: string): void {
  const problem = sceneProblem(scene, limits.gaussians);
  if (problem !== null) throw badTask(where, `${field}${problem.place}`, problem.why);
}

/** Every part is a group of the start scene, and every group a part, each once. */
function checkParts({ start, parts }: SplatTask, where: string): void {
  if (parts.length === 0) return;
  const groups = new Set(start.map(({ group }) => group));
  parts.forEach(({ group }, i) => {
    if (!groups.delete(group)) {
      throw badTask(where, `parts[${i}].group`, `${group} is no group of the start scene, or comes twice`);
    }
  });
  const [other] = groups;
  if (other !== undefined) throw badTask(where, "parts", `the group ${other} of the start scene is no part`);
}

function badTask(where: string, field: string, why: string): BenchError {
  return new BenchError({ what: `Cannot use the task ${where}`, why: `${field}: ${why}` });
}
