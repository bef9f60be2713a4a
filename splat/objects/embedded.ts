/** Makes the embedded task files from the procedural objects. */
import { BenchError } from "../../env/errors.ts";
import { encodePngStable } from "../../env/png.ts";
import { withoutPhotos } from "../../tasks/shared_photos.ts";
import { TASK_SCHEMA_VERSION } from "../../tasks/task_fields.ts";
import type { FitRow, TaskFile } from "../../tasks/task_file.ts";
import { type Camera, cameraToRow } from "../camera.ts";
import { reassemblyTask } from "../reassembly/reassembly_task.ts";
import { standardRig } from "../rig.ts";
import { sceneFromRows } from "../scene.ts";
import { FULL_FIT } from "../task.ts";
import { type ProceduralObject, proceduralSolids } from "./procedural.ts";
import { renderSolids } from "./render_solids.ts";

/** Played by the high and max efforts, as build and as reassembly: four objects from easy to hard. */
const EFFORT_SUBSET: readonly ProceduralObject[] = ["snowman", "table", "rocket", "robot"];

/**
 * The build task of an object: the same value, photo bytes included, on every machine.
 *
 * @param fits to its reference views, which are not the same on every machine and so are kept
 */
export function buildEmbeddedTask(object: ProceduralObject, fits: readonly FitRow[]): TaskFile {
  const solids = proceduralSolids(object);
  const rig = standardRig();
  const view = (camera: Camera) => ({
    camera: cameraToRow(camera),
    photo: encodePngStable(renderSolids(solids, camera).image).toBase64(),
  });
  return {
    schema_version: TASK_SCHEMA_VERSION,
    task_id: `${object}__sculpt`,
    object,
    kind: "build",
    title: `Build the ${object}`,
    licence: "CC BY 4.0",
    effort_subset: EFFORT_SUBSET.includes(object),
    reference: rig.reference.map(view),
    held_out: rig.heldOut.map(view),
    start: [],
    fits: [...fits],
  };
}

/** The reassembly task of a build that brings its fit of 300, as it is stored: photos and fits stay with the build. */
export function assembleEmbeddedTask(build: TaskFile): Record<string, unknown> {
  const fit = build.fits?.find(({ gaussians }) => gaussians === FULL_FIT);
  if (fit === undefined) {
    throw new BenchError({
      what: `Cannot take ${build.task_id} apart`,
      why: `it has no fit of ${FULL_FIT} Gaussians`,
      fix: "Fit it first",
    });
  }
  return withoutPhotos(reassemblyTask(build, sceneFromRows(fit.scene)), build.task_id);
}
