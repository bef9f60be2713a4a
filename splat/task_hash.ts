/** The hash that tells two tasks of one id apart. */
import { contentHash, imageKey } from "../env/hash.ts";
import { cameraToRow } from "./camera.ts";
import { sceneToRows } from "./scene.ts";
import type { SplatTask, View } from "./task.ts";

/**
 * sha256 over all of a task that answers or scores depend on: photos by their pixels and cameras, held-out ones
 * included, limits, start, fits, parts, and the prompts and tools that it brings. Names, titles and licences are left out.
 */
export function taskContentHash(task: Omit<SplatTask, "info">): string {
  const { kind, reference, heldOut, limits, start, fits, parts, published } = task;
  return contentHash({
    kind,
    reference: reference.map(hashedView),
    heldOut: heldOut.map(hashedView),
    limits,
    start: sceneToRows(start),
    fits: fits.map(({ gaussians, scene }) => ({ gaussians, scene: sceneToRows(scene) })),
    parts,
    published,
  });
}

function hashedView({ photo, camera }: View) {
  return { photo: imageKey(photo), camera: cameraToRow(camera) };
}
