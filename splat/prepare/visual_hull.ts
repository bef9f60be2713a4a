/** The visual hull: all places that every silhouette allows. */
import { BenchError } from "../../env/errors.ts";
import { type Camera, cameraEye } from "../camera.ts";
import type { Bounds } from "../objects/bounds.ts";
import { nearestPoint } from "../nearest_point.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Silhouette } from "./silhouette.ts";

export interface HullView {
  /** The photo's file, as errors name it. */
  readonly name: string;
  readonly camera: Camera;
  readonly silhouette: Silhouette;
}

/** Cubes of one size that fill a box; cell (i, j, k) is number (k · ny + j) nx + i. */
export interface HullGrid {
  /** Lower corner of the first cell. */
  readonly origin: Vector3;
  /** Edge of a cell. */
  readonly edge: number;
  /** Cells along x, y and z. */
  readonly counts: Vector3;
  /** 1 where a cell may hold a part of the object. */
  readonly occupied: Uint8Array;
}

export interface Hull {
  readonly grid: HullGrid;
  /** The smallest box of whole cells around it. */
  readonly bounds: Bounds;
}

/**
 * The hull in cells of a hundredth of its longest edge.
 *
 * @param within a box that holds the object, or null to find one from the silhouettes
 * @throws BenchError when cameras and silhouettes contradict each other or leave the object unbounded
 */
export function visualHull(views: readonly HullView[], within: Bounds | null): Hull {
  let box = within ?? firstBox(views);
  let isEmpty = false;
  for (let attempt = 0; attempt <= MOST_GROWTHS; attempt++) {
    const coarse = carveHull(views, box, COARSE_CELLS);
    const bounds = occupiedBounds(coarse);
    isEmpty ||= bounds === null;
    if (bounds !== null && (within !== null || !touches(bounds, box, coarse.edge / 2))) {
      const fine = carveHull(views, bounds, FINE_CELLS);
      const fineBounds = occupiedBounds(fine);
      if (fineBounds !== null) return { grid: fine, bounds: fineBounds };
      isEmpty = true;
    }
    if (within !== null) break;
    box = grown(box);
  }
  throw noHull(isEmpty);
}

/**
 * Carves a box: a cell stays unless some view shows only background where the ball around the cell is seen. A cell
 * outside a picture is off the object, too, except where the silhouette is cut off by the picture's border.
 *
 * @param cells along the longest edge of the box
 */
export function carveHull(views: readonly HullView[], { low, high }: Bounds, cells: number): HullGrid {
  const sizes: Vector3 = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
  const edge = Math.max(...sizes) / cells;
  const count = (size: number) => Math.max(1, Math.ceil(size / edge - 1e-9));
  const counts: Vector3 = [count(sizes[0]), count(sizes[1]), count(sizes[2])];
  const occupied = new Uint8Array(counts[0] * counts[1] * counts[2]);
  const radius = edge * Math.sqrt(3) / 2;
  let cell = 0;
  for (let k = 0; k < counts[2]; k++) {
    for (let j = 0; j < counts[1]; j++) {
      for (let i = 0; i < counts[0]; i++) {
        const [x, y, z] = [low[0] + (i + 0.5) * edge, low[1] + (j + 0.5) * edge, low[2] + (k + 0.5) * edge];
        // Somebody has to see it: what lies behind all cameras is not part of the object.
        let seen = false;
        let allowed = true;
        for (let v = 0; v < views.length && allowed; v++) {
          const answer = look(views[v], x, y, z, radius);
          allowed = answer !== "background";
          seen ||= answer === "object";
        }
        occupied[cell++] = allowed && seen ? 1 : 0;
      }
    }
  }
  return { origin: low, edge, counts, occupied };
}

/** Coarse cells find where the object is, fine ones how large; both along the longest edge. */
const COARSE_CELLS = 40;
const FINE_CELLS = 100;
const MOST_GROWTHS = 8;

function look(
  { camera, silhouette }: HullView,
  x: number,
  y: number,
  z: number,
  radius: number,
): "object" | "background" | "unknown" {
  const { rotation: [r, d, f], translation: t } = camera;
  const depth = f[0] * x + f[1] * y + f[2] * z + t[2];
  if (!(depth > radius)) return silhouette.isCut ? "unknown" : "background";
  const across = (r[0] * x + r[1] * y + r[2] * z + t[0]) / depth;
  const down = (d[0] * x + d[1] * y + d[2] * z + t[1]) / depth;
  // The ball's outline reaches at most this far in normalised coordinates.
  const reach = radius / (depth - radius) * Math.hypot(1, across, down);
  const left = Math.max(0, Math.floor(camera.fx * (across - reach) + camera.cx));
  const right = Math.min(silhouette.width, Math.ceil(camera.fx * (across + reach) + camera.cx));
  const top = Math.max(0, Math.floor(camera.fy * (down - reach) + camera.cy));
  const bottom = Math.min(silhouette.height, Math.ceil(camera.fy * (down + reach) + camera.cy));
  if (left >= right || top >= bottom) return silhouette.isCut ? "unknown" : "background";
  return silhouette.count(left, top, right, bottom) > 0 ? "object" : "background";
}

/** A cube around the point all cameras look at, as large as the widest silhouette at that distance. */
function firstBox(views: readonly HullView[]): Bounds {
  const center = nearestPoint(views.map(({ camera }) => ({
    eye: cameraEye(camera),
    direction: camera.rotation[2],
  })));
  let half = 0;
  for (const { camera: { rotation: [, , f], translation, fx, fy, cx, cy }, silhouette: { box } } of views) {
    if (box === null) continue;
    const depth = Math.abs(f[0] * center[0] + f[1] * center[1] + f[2] * center[2] + translation[2]);
    const across = Math.max(cx - box.x, box.x + box.width - cx) / fx;
    const down = Math.max(cy - box.y, box.y + box.height - cy) / fy;
    half = Math.max(half, depth * across, depth * down);
  }
  return {
    low: [center[0] - half, center[1] - half, center[2] - half],
    high: [center[0] + half, center[1] + half, center[2] + half],
  };
}

function occupiedBounds({ origin, edge, counts, occupied }: HullGrid): Bounds | null {
  const first = [Infinity, Infinity, Infinity];
  const last = [-1, -1, -1];
  occupied.forEach((value, cell) => {
    if (value === 0) return;
    const at = [
      cell % counts[0],
      Math.floor(cell / counts[0]) % counts[1],
      Math.floor(cell / counts[0] / counts[1]),
    ];
    at.forEach((place, axis) => {
      first[axis] = Math.min(first[axis], place);
      last[axis] = Math.max(last[axis], place + 1);
    });
  });
  if (last[0] < 0) return null;
  const corner = (cells: readonly number[]): Vector3 => [
    origin[0] + cells[0] * edge,
    origin[1] + cells[1] * edge,
    origin[2] + cells[2] * edge,
  ];
  return { low: corner(first), high: corner(last) };
}

function touches(inner: Bounds, outer: Bounds, slack: number): boolean {
  return [0, 1, 2].some((axis) =>
    inner.low[axis] < outer.low[axis] + slack || inner.high[axis] > outer.high[axis] - slack
  );
}

function grown({ low, high }: Bounds): Bounds {
  const moved = (axis: 0 | 1 | 2, side: number) => side + (side - (low[axis] + high[axis]) / 2) * 0.5;
  return {
    low: [moved(0, low[0]), moved(1, low[1]), moved(2, low[2])],
    high: [moved(0, high[0]), moved(1, high[1]), moved(2, high[2])],
  };
}

function noHull(isEmpty: boolean): BenchError {
  return new BenchError({
    what: "Cannot find the object in space",
    why: isEmpty
      ? "no place agrees with all silhouettes and cameras"
      : "the silhouettes leave it unbounded, as when all cameras stand on one side",
    fix: "Check that each photo has its own camera, in the axes of this layout, and a whole mask",
  });
}
