/** Makes the embedded task files from the procedural objects. */
import { encodePngStable } from "../../env/png.ts";
import { TASK_SCHEMA_VERSION, type TaskFile, type FitRow } from "../../tasks/task_file.ts";
import { type Camera, cameraToRow } from "../camera.ts";
import { standardRig } from "../rig.ts";
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

/** The text of the committed file: an entry a line, lists of numbers on one. */
export function taskFileText(task: TaskFile): string {
  const text = JSON.stringify(task, null, 2)
    .replaceAll(/\[\n[-+.\de,\n ]+\]/g, (list) => JSON.stringify(JSON.parse(list)).replaceAll(",", ", "));
  return `${text}\n`;
}
