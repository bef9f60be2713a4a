/** Whether cameras and silhouettes belong together: their hull must fill each silhouette again. */
import { BenchError } from "../../env/errors.ts";
import { cameraEye } from "../camera.ts";
import type { Bounds } from "../objects/bounds.ts";
import { apply, transpose } from "../objects/rotation.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { HullGrid, HullView } from "./visual_hull.ts";

/**
 * A mixed-up camera carves away what the other photos show, and leaves their silhouettes unfilled; so does a hull that
 * is none of theirs.
 *
 * @param within the box that was given with the capture, or null: what lies beside it is not missed
 * @throws BenchError naming the photo that the hull fills least, when that is below four fifths
 */
export function checkAgreement(views: readonly HullView[], hull: HullGrid, within: Bounds | null): void {
  const fills = views.map((view) => filledShare(view, hull, within));
  const worst = fills.indexOf(Math.min(...fills));
  if (!(fills[worst] < LEAST_FILLED)) return;
  const ill = fills.filter((fill) => fill < LEAST_FILLED).length;
  throw new BenchError({
    what: `Cannot use the photo ${views[worst].name}`,
    why:
      `only ${
        Math.round(100 * fills[worst])
      }% of its object lies where the other photos allow one, and ${ill} of ` +
      `${views.length} photos have too little`,
    fix: "Check that each photo has its own camera, in the axes of this layout, and a whole mask",
  });
}

/** Share of a silhouette's pixels whose ray meets an occupied cell, of those that meet the box. */
function filledShare({ camera, silhouette }: HullView, hull: HullGrid, within: Bounds | null): number {
  const { width, height, box } = silhouette;
  if (box === null) return 1;
  const step = Math.max(1, Math.floor(Math.sqrt(box.width * box.height / MOST_RAYS)));
  const toWorld = transpose(camera.rotation);
  const eye = cameraEye(camera);
  let [rays, filled] = [0, 0];
  for (let y = box.y; y < Math.min(height, box.y + box.height); y += step) {
    for (let x = box.x; x < Math.min(width, box.x + box.width); x += step) {
      if (silhouette.count(x, y, x + 1, y + 1) === 0) continue;
      const along = [(x + 0.5 - camera.cx) / camera.fx, (y + 0.5 - camera.cy) / camera.fy, 1] as const;
      const direction = apply(toWorld, along);
      if (within !== null && crossing(within, eye, direction) === null) continue;
      rays++;
      if (meets(hull, eye, direction)) filled++;
    }
  }
  return rays === 0 ? 0 : filled / rays;
}

const LEAST_FILLED = 0.8;
const MOST_RAYS = 1500;

/** Looks up a cell every half edge along the ray. */
function meets({ origin, edge, counts, occupied }: HullGrid, eye: Vector3, direction: Vector3): boolean {
  const far = (axis: 0 | 1 | 2) => origin[axis] + counts[axis] * edge;
  const range = crossing({ low: origin, high: [far(0), far(1), far(2)] }, eye, direction);
  if (range === null) return false;
  const stride = edge / 2 / Math.hypot(...direction);
  for (let t = range.from; t <= range.to; t += stride) {
    const cell = (axis: 0 | 1 | 2) => {
      const place = Math.floor((eye[axis] + t * direction[axis] - origin[axis]) / edge);
      return Math.min(Math.max(place, 0), counts[axis] - 1);
    };
    if (occupied[(cell(2) * counts[1] + cell(1)) * counts[0] + cell(0)] === 1) return true;
  }
  return false;
}

/** Where eye + t direction, t ≥ 0, is inside a box; null when it passes by. */
function crossing(
  { low, high }: Bounds,
  eye: Vector3,
  direction: Vector3,
): { from: number; to: number } | null {
  let [from, to] = [0, Infinity];
  for (const axis of [0, 1, 2] as const) {
    const toLow = (low[axis] - eye[axis]) / direction[axis];
    const toHigh = (high[axis] - eye[axis]) / direction[axis];
    // A ray along the slab gives infinities of one sign outside it and of both inside.
    from = Math.max(from, Math.min(toLow, toHigh));
    to = Math.min(to, Math.max(toLow, toHigh));
  }
  return from < to ? { from, to } : null;
}
