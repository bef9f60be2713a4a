/** From a capture to the views of a task: chosen, normalised, square. */
import { BenchError } from "../../env/errors.ts";
import type { RgbaImage } from "../../env/png.ts";
import { cameraOrbit } from "../camera.ts";
import { PHOTO_SIZE } from "../rig.ts";
import type { View } from "../task.ts";
import type { TaskViews } from "./build_task.ts";
import type { Capture, CapturedView } from "./capture.ts";
import { differentCameras, farthestOrder } from "./choose_views.ts";
import { findNormalisation, moveCamera } from "./normalise.ts";
import type { ResizeFilter } from "./resize.ts";
import { Silhouette } from "./silhouette.ts";
import { squareViews } from "./square_views.ts";
import type { HullView } from "./visual_hull.ts";

export interface CaptureOptions {
  /** How photos shrink; `area` when absent. */
  readonly filter?: ResizeFilter;
  /** Pixels a side of the task's photos; 256 when absent. */
  readonly size?: number;
}

/**
 * The first eight cameras in farthest-point order become reference views, the next eight held-out views, each sorted
 * by azimuth; up to 40 silhouettes, these among them, find the object in space.
 *
 * @throws BenchError for fewer than 16 different cameras, bad photos, or cameras that contradict the silhouettes
 */
export async function captureViews(capture: Capture, options: CaptureOptions = {}): Promise<TaskViews> {
  const { source, up, box } = capture;
  const views = differentCameras(capture.views.map(({ camera }) => camera)).map((i) => capture.views[i]);
  if (views.length < 2 * VIEWS_EACH) {
    throw new BenchError({
      what: `Cannot prepare a task from ${source}`,
      why: `its ${capture.views.length} photos have ${views.length} different cameras, ${
        2 * VIEWS_EACH
      } are needed`,
    });
  }
  const order = farthestOrder(views.map(({ camera }) => camera), MOST_SILHOUETTES).map((i) => views[i]);
  const seen = await lookAt(order);
  const move = findNormalisation(seen, up, box);
  const chosen = seen.flatMap(({ photo, camera, silhouette }) =>
    photo === null ? [] : [{ photo, silhouette, camera: moveCamera(camera, move) }]
  );
  const square = squareViews(chosen, options.size ?? PHOTO_SIZE, options.filter ?? "area");
  return {
    reference: byAzimuth(square.slice(0, VIEWS_EACH)),
    heldOut: byAzimuth(square.slice(VIEWS_EACH)),
  };
}

const VIEWS_EACH = 8;
/** More narrow the object down no further, and a large data set stays quick. */
const MOST_SILHOUETTES = 40;

interface Seen extends HullView {
  /** Only the chosen views keep their pixels. */
  readonly photo: RgbaImage | null;
}

/** One after the other: forty photos of a phone at once would not fit into memory. */
async function lookAt(order: readonly CapturedView[]): Promise<Seen[]> {
  const seen: Seen[] = [];
  for (const { camera, name, photo: read } of order) {
    const photo = await read();
    const silhouette = new Silhouette(photo);
    if (silhouette.box === null) {
      throw new BenchError({
        what: `Cannot use the photo ${name}`,
        why: "its mask or alpha shows no object",
        fix: "Remove the photo and its camera, or mend its mask",
      });
    }
    seen.push({ name, camera, silhouette, photo: seen.length < 2 * VIEWS_EACH ? photo : null });
  }
  return seen;
}

function byAzimuth(views: readonly View[]): View[] {
  const azimuth = ({ camera }: View) => cameraOrbit(camera).azimuthDeg;
  return views.toSorted((a, b) => azimuth(a) - azimuth(b));
}
