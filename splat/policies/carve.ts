/**
 * `builtin:carve`: builds the visual hull of the photos. It knows what a model is told and shown, no more: the opening
 * message, and the pictures that its own calls bring.
 */
import type { CallOutcome, Observation } from "../../env/observation.ts";
import type { Policy, PolicyCall, PolicyView } from "../../env/policy.ts";
import { stream } from "../../env/random.ts";
import { type Ellipsoid, hullGaussians } from "../carve/hull_gaussians.ts";
import { offsetFrom } from "../carve/offset.ts";
import { recolored } from "../carve/recolor.ts";
import { coloredSurface } from "../carve/surface.ts";
import { voxelHull } from "../carve/voxel_hull.ts";
import { meanGaussian } from "../mean_gaussian.ts";
import { comparisonCells } from "../pictures/comparison.ts";
import type { View } from "../task.ts";
import { clearingCall } from "./clear_scene.ts";
import { cut, readLimits, readOpening } from "./read_opening.ts";

/** Voxels along an edge of the cube: one is about two pixels of a photo. */
const VOXELS = 64;

/** The policy of one episode. What it computes from the opening is kept, so that a later call costs nothing. */
export function carvePolicy(): Policy {
  let kept: { opening: Observation; plan: Plan } | null = null;
  return (view) => {
    if (kept?.opening !== view.opening) kept = { opening: view.opening, plan: planOf(view.opening) };
    return Promise.resolve([nextCall(view, kept.plan)]);
  };
}

interface Plan {
  readonly views: readonly View[];
  readonly gaussians: readonly Ellipsoid[];
  readonly renders: number;
}

/** Deletes what is there, adds the hull, looks, moves it where it stands wrong, mends the colours, submits. */
function nextCall({ opening, history }: PolicyView, plan: Plan): PolicyCall {
  const clearing = clearingCall(opening, history);
  if (clearing !== null) return clearing;
  const added = history.find(({ call }) => call.name === "add_gaussians");
  if (added === undefined) return addCall(plan.gaussians);
  const last = history[history.length - 1];
  const firstId = Number(added.outcome.text.match(/: id (\d+)/)?.[1] ?? NaN);
  if (!last.outcome.accepted || Number.isNaN(firstId)) return SUBMIT;
  const looks = history.filter(({ call }) => call.name === "render_views").length;
  switch (last.call.name) {
    case "add_gaussians":
    case "transform_group":
      return looks < plan.renders
        ? { name: "render_views", arguments: { views: plan.views.map((_, view) => view) } }
        : SUBMIT;
    case "render_views":
      return mend(plan, firstId, looks, last.outcome);
    default:
      return SUBMIT;
  }
}

/** What the first look says of the place, and the last one of the colours. */
function mend({ views, gaussians, renders }: Plan, firstId: number, looks: number, { image }: CallOutcome) {
  if (image === null) return SUBMIT;
  const { width, height } = views[0].photo;
  const seen = comparisonCells(views.length, width, height).map(({ render }) => cut(image, render));
  const translate = offsetFrom(seen, views);
  if (looks === 1 && renders > 1 && Math.hypot(...translate) > WORTH_A_MOVE) {
    const ids = gaussians.map((_, i) => firstId + i);
    return { name: "transform_group", arguments: { ids, translate: translate.map(rounded) } };
  }
  const edits = recolored(gaussians, views, seen).map((color, i) => ({
    id: firstId + i,
    color: color.map(rounded),
  }));
  return { name: "edit_gaussians", arguments: { edits } };
}

/** Two pixels or so. Cameras that look past the origin leave the hull out of place as a whole. */
const WORTH_A_MOVE = 0.03;

const SUBMIT: PolicyCall = { name: "submit", arguments: {} };

function planOf(opening: Observation): Plan {
  const { gaussians: most, renders, viewsPerPicture } = readLimits(opening);
  const views = readOpening(opening).slice(0, viewsPerPicture);
  // An opening that is not ours tells of no views.
  if (views.length === 0) return { views, gaussians: [meanGaussian(views)], renders: 0 };
  const voxels = voxelHull(views, VOXELS);
  const surface = coloredSurface(voxels, views);
  const hull = hullGaussians(voxels, surface, most, stream(0, "carve"));
  // Cameras that are not quite where the opening says leave no hull.
  const gaussians = hull.length > 0 ? hull : [meanGaussian(views)];
  return { views, gaussians, renders };
}

function addCall(gaussians: readonly Ellipsoid[]): PolicyCall {
  const rows = gaussians.map(({ mean, scale, quaternion, color }) => ({
    pos: mean.map(rounded),
    scale: scale.map((value) => Math.max(0.001, rounded(value))),
    quat: quaternion.map(rounded),
    color: color.map(rounded),
    opacity: 1,
  }));
  return { name: "add_gaussians", arguments: { gaussians: rows } };
}

/** As a model would write it. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}
