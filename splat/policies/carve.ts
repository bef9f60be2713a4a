/**
 * `builtin:carve`: builds the visual hull of the photos. It knows what a model is told and shown, no more: the opening
 * message, and the pictures that its own calls bring.
 */
import type { CallOutcome, Observation } from "../../env/observation.ts";
import type { Policy, PolicyCall, PolicyView } from "../../env/policy.ts";
import { stream } from "../../env/random.ts";
import { type Ellipsoid, hullGaussians } from "../carve/hull_gaussians.ts";
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

/** Deletes what is there, adds the hull, looks once, mends the colours, submits. */
function nextCall({ opening, history }: PolicyView, plan: Plan): PolicyCall {
  const clearing = clearingCall(opening, history);
  if (clearing !== null) return clearing;
  const added = history.find(({ call }) => call.name === "add_gaussians");
  if (added === undefined) return addCall(plan.gaussians);
  const last = history[history.length - 1];
  if (!last.outcome.accepted) return SUBMIT;
  if (last.call.name === "add_gaussians" && plan.renders > 0) {
    return { name: "render_views", arguments: { views: plan.views.map((_, view) => view) } };
  }
  return last.call.name === "render_views" ? recolorCall(plan, added.outcome, last.outcome) : SUBMIT;
}

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

function recolorCall({ views, gaussians }: Plan, added: CallOutcome, { image }: CallOutcome): PolicyCall {
  const firstId = Number(added.text.match(/: id (\d+)/)?.[1] ?? NaN);
  if (image === null || Number.isNaN(firstId)) return SUBMIT;
  const { width, height } = views[0].photo;
  const renders = comparisonCells(views.length, width, height).map(({ render }) => cut(image, render));
  const edits = recolored(gaussians, views, renders).map((color, i) => ({
    id: firstId + i,
    color: color.map(rounded),
  }));
  return { name: "edit_gaussians", arguments: { edits } };
}

/** As a model would write it. */
function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4 + 0;
}
