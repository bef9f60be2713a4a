/**
 * The silhouette of snapped triangles, in exact integers. A pixel is dark when its centre (xc, yc) lies in a triangle:
 * ymin ≤ yc < ymax and, between the two edges that cross its row, left ≤ xc < right. So an edge that two triangles share
 * is covered once, whichever way they wind. `rasterize.wgsl` is the same for a device.
 */
import { MASK_HEIGHT, MASK_WIDTH } from "./stage.ts";
import { emptyMask, type Mask, WORDS_PER_ROW } from "./mask.ts";
import { columnFrom, rowCentre, rowFrom } from "./sub_pixels.ts";
import type { SnappedTriangles } from "./triangle_list.ts";

/** Darkens the pixels of the triangles in `mask` and returns it. */
export function rasterize(triangles: SnappedTriangles, mask: Mask = emptyMask()): Mask {
  for (let at = 0; at < triangles.length; at += 6) {
    let [ax, ay, bx, by, cx, cy] = [
      triangles[at],
      triangles[at + 1],
      triangles[at + 2],
      triangles[at + 3],
      triangles[at + 4],
      triangles[at + 5],
    ];
    // From top to bottom: a, b, c.
    if (by < ay) [ax, ay, bx, by] = [bx, by, ax, ay];
    if (cy < ay) [ax, ay, cx, cy] = [cx, cy, ax, ay];
    if (cy < by) [bx, by, cx, cy] = [cx, cy, bx, by];
    const middle = rowFrom(by);
    const end = Math.min(rowFrom(cy), MASK_HEIGHT);
    for (let row = Math.max(rowFrom(ay), 0); row < end; row++) {
      const y = rowCentre(row);
      const long = columnFrom(crossing(ax, ay, cx, cy, y));
      const short = columnFrom(
        row < middle ? crossing(ax, ay, bx, by, y) : crossing(bx, by, cx, cy, y),
      );
      darken(mask, row, Math.max(Math.min(long, short), 0), Math.min(Math.max(long, short), MASK_WIDTH));
    }
  }
  return mask;
}

/**
 * The smallest integer not left of where an edge, y0 ≤ y < y1, crosses y. The product is below 2³⁰, and a double's
 * quotient of such integers never rounds onto a whole number that it does not reach.
 */
function crossing(x0: number, y0: number, x1: number, y1: number, y: number): number {
  return x0 + Math.ceil((y - y0) * (x1 - x0) / (y1 - y0));
}

/** Columns `from` to before `to`, both inside the mask. */
function darken(mask: Mask, row: number, from: number, to: number): void {
  if (from >= to) return;
  const first = row * WORDS_PER_ROW + (from >> 5);
  const last = row * WORDS_PER_ROW + (to - 1 >> 5);
  const left = -1 << (from & 31);
  const right = -1 >>> (31 - (to - 1 & 31));
  if (first === last) {
    mask[first] |= left & right;
    return;
  }
  mask[first] |= left;
  for (let word = first + 1; word < last; word++) mask[word] = -1;
  mask[last] |= right;
}
