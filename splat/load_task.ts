/** From a task file to a task that can be played: photos decoded, every value checked. */
import { BenchError } from "../env/errors.ts";
import type { Image } from "../env/image.ts";
import { compositeOnWhite, decodePng, pngSize } from "../env/png.ts";
import type { TaskFile } from "../tasks/task_file.ts";
import { findTaskFiles, type TaskSource } from "../tasks/task_source.ts";
import { cameraFromRow } from "./camera.ts";
import { sceneFromRows } from "./scene.ts";
import { sceneProblem } from "./scene_check.ts";
import { PROTOCOLS } from "./protocols.ts";
import { type SplatTask, STANDARD_LIMITS, type View } from "./task.ts";
import { taskContentHash } from "./task_hash.ts";
import { cross, dot } from "./vector3.ts";

/** SSIM's window has 11 taps; a smaller picture has no SSIM. */
const SMALLEST_PHOTO = 11;
/** Most pixels of a photo: dozens of them are decoded and rendered at a time. */
const MOST_PIXELS = 2048 ** 2;
/** Largest deviation of R Rᵀ from the identity: cameras stored with few decimals stay readable. */
const ORTHONORMAL_TOLERANCE = 1e-3;

/**
 * The task of an embedded id (`table__sculpt`), or of a task file's path or URL.
 *
 * @throws BenchError when there is no such task or its file is damaged; the error names file and field
 */
export async function loadTask(idOrPathOrUrl: string): Promise<SplatTask> {
  const found = await findTaskFiles([idOrPathOrUrl]);
  if (found.length > 1) {
    throw new BenchError({
      what: `Cannot load one task from ${idOrPathOrUrl}`,
      why: `it names ${found.length} tasks`,
      fix: `Name one, e.g. ${found[0].id}`,
    });
  }
  return await loadTaskSource(found[0]);
}

/** The task of a source that `findTaskFiles` gave. */
export async function loadTaskSource({ source, load }: TaskSource): Promise<SplatTask> {
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
    },
    ...content,
  };
  checkSizes("reference", reference, reference[0], where);
  checkSizes("held_out", heldOut, reference[0], where);
  checkStart(task, where);
  return task;
}

function readView(view: TaskFile["reference"][number], field: string, where: string): View {
  const photo = readPhoto(view.photo, `${field}.photo`, where);
  const camera = cameraFromRow(view.camera, photo.width, photo.height);
  const [a, b, c] = camera.rotation;
  const errors = [dot(a, a) - 1, dot(b, b) - 1, dot(c, c) - 1, dot(a, b), dot(b, c), dot(c, a)];
  const worst = Math.max(...errors.map(Math.abs));
  if (!(worst <= ORTHONORMAL_TOLERANCE)) {
    throw badTask(
      where,
      `${field}.camera.R`,
      `not a rotation: R Rᵀ is off the identity by ${worst.toPrecision(2)}`,
    );
  }
  if (dot(cross(a, b), c) < 0) {
    throw badTask(where, `${field}.camera.R`, "a mirror image, its determinant is −1");
  }
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

function checkStart({ start, limits }: SplatTask, where: string): void {
  const problem = sceneProblem(start, limits.gaussians);
  if (problem !== null) throw badTask(where, `start${problem.place}`, problem.why);
}

function badTask(where: string, field: string, why: string): BenchError {
  return new BenchError({ what: `Cannot use the task ${where}`, why: `${field}: ${why}` });
}
