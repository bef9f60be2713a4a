/** The featureless blob: the convex hull of a silhouette. */
import { MASK_HEIGHT, MASK_WIDTH } from "../stage/stage.ts";
import { type Mask, maskAt, maskWhere } from "../stage/mask.ts";

/** Pixels whose centres lie in the convex hull, border included, of the centres of the mask's dark pixels. */
export function hullMask(mask: Mask): Mask {
  const columns = Array.from({ length: MASK_WIDTH }, (_, x) => x);
  const rows = Array.from({ length: MASK_HEIGHT }, (_, y) => columns.filter((x) => maskAt(mask, x, y)))
    .flatMap((dark, y) => dark.length === 0 ? [] : [{ y, left: dark[0], right: dark[dark.length - 1] }]);
  // Seen along the rows the hull lies between two functions, one convex and one concave.
  const left = convexBelow(rows.map(({ y, left }) => [y, left]));
  const right = convexBelow(rows.map(({ y, right }) => [y, -right]));
  return maskWhere((x, y) => x >= valueAt(left, y) && x <= -valueAt(right, y));
}

type Point = readonly [number, number];

/** Corners of the greatest convex function that is nowhere above the points, which come by ascending abscissa. */
function convexBelow(points: readonly Point[]): Point[] {
  const corners: Point[] = [];
  for (const point of points) {
    while (corners.length > 1 && !turnsUp(corners[corners.length - 2], corners[corners.length - 1], point)) {
      corners.pop();
    }
    corners.push(point);
  }
  return corners;
}

function turnsUp(a: Point, b: Point, c: Point): boolean {
  return (b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]);
}

/** The value between corners, infinite outside. Whole wherever it exactly is: such a quotient has no rounding. */
function valueAt(corners: readonly Point[], at: number): number {
  const next = corners.findIndex(([abscissa]) => abscissa >= at);
  if (next === -1 || (next === 0 && corners[0][0] > at)) return Infinity;
  const [x1, y1] = corners[next];
  if (x1 === at) return y1;
  const [x0, y0] = corners[next - 1];
  return y0 + (at - x0) * (y1 - y0) / (x1 - x0);
}
