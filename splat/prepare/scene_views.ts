/** The views of any scene: solids, Gaussians, or photos with cameras. */
import { BenchError } from "../../env/errors.ts";
import type { Camera } from "../camera.ts";
import { boundsOf } from "../objects/bounds.ts";
import { renderSolids } from "../objects/render_solids.ts";
import type { Solid } from "../objects/solid.ts";
import { type SceneRenderer, viewImage } from "../render/renderer_types.ts";
import { standardRig } from "../rig.ts";
import type { Scene } from "../scene.ts";
import type { View } from "../task.ts";
import type { TaskViews } from "./build_task.ts";
import type { Capture } from "./capture.ts";
import { type CaptureOptions, captureViews } from "./capture_views.ts";
import { CUBE } from "./normalise.ts";

/** Solids and Gaussians lie inside [−0.9, 0.9]³ already; a capture is normalised. */
export type SceneSource =
  | { readonly kind: "solids"; readonly solids: readonly Solid[] }
  | { readonly kind: "gaussians"; readonly scene: Scene }
  | { readonly kind: "capture"; readonly capture: Capture; readonly options?: CaptureOptions };

/**
 * The 8 + 8 views of a scene. Solids and Gaussians are photographed from the standard rig, a capture brings its photos.
 *
 * @param openRenderer called for Gaussians alone
 * @throws BenchError for a scene that is empty or leaves the cube, or a capture that cannot be used
 */
export async function sceneViews(
  source: SceneSource,
  openRenderer: () => Promise<SceneRenderer>,
): Promise<TaskViews> {
  switch (source.kind) {
    case "solids":
      return solidViews(source.solids);
    case "gaussians":
      return await gaussianViews(source.scene, openRenderer);
    case "capture":
      return await captureViews(source.capture, source.options);
  }
}

function solidViews(solids: readonly Solid[]): TaskViews {
  if (solids.length === 0) throw emptyScene();
  const { low, high } = boundsOf(solids);
  checkReach(Math.max(...low.map(Math.abs), ...high.map(Math.abs)), "the solids");
  const { reference, heldOut } = standardRig();
  const view = (camera: Camera) => ({ camera, photo: renderSolids(solids, camera).image });
  return { reference: reference.map(view), heldOut: heldOut.map(view) };
}

async function gaussianViews(
  scene: Scene,
  openRenderer: () => Promise<SceneRenderer>,
): Promise<TaskViews> {
  if (scene.length === 0) throw emptyScene();
  if (scene.length > MOST_GAUSSIANS) {
    throw new BenchError({
      what: "Cannot draw this scene",
      why: `it has ${scene.length} Gaussians, ${MOST_GAUSSIANS} are the most`,
      fix: "Prune it to the object",
    });
  }
  // Not one call of Math.max: a .ply brings more Gaussians than a call takes arguments.
  const reach = scene.reduce((most, { mean }) => Math.max(most, ...mean.map(Math.abs)), 0);
  checkReach(reach, "the Gaussians' means");
  const { reference, heldOut } = standardRig();
  const cameras = [...reference, ...heldOut];
  const renderer = await openRenderer();
  const [drawn] = await renderer.render([{ scene, cameras, photos: null, pixels: true }]);
  const views = drawn.flatMap(({ rgbt }, i): View[] => {
    const camera = cameras[i];
    return rgbt === null ? [] : [{ camera, photo: viewImage(rgbt, camera.width, camera.height) }];
  });
  return { reference: views.slice(0, reference.length), heldOut: views.slice(reference.length) };
}

/** One workgroup each, WebGPU's least limit along an axis being 65,535; drawing takes the square of their number. */
const MOST_GAUSSIANS = 65_000;

/** A rounding error more than the cube is let through. */
function checkReach(reach: number, what: string): void {
  if (reach <= CUBE + 1e-9) return;
  throw new BenchError({
    what: "Cannot prepare a task from this scene",
    why: `${what} reach ${reach.toPrecision(3)} from the centre along an axis, ${CUBE} is the most`,
    fix: "Shrink the scene; for Gaussians, `normaliseScene` does",
  });
}

function emptyScene(): BenchError {
  return new BenchError({ what: "Cannot prepare a task from this scene", why: "it is empty" });
}
