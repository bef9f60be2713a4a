/** Sutherland–Hodgman clipping of a convex polygon by one plane. */
import type { Vector3 } from "../../env/vector3.ts";

/**
 * The part of a convex polygon where `distance` ≥ 0, for a linear `distance`; no corner when nothing is left.
 *
 * An edge is always cut from its inner end, so that both triangles that share it get the very same corner.
 */
export function clipPolygon(
  polygon: readonly Vector3[],
  distance: (corner: Vector3) => number,
): readonly Vector3[] {
  return polygon.flatMap((corner, i) => {
    const before = polygon.at(i - 1) ?? corner;
    const [from, to] = [distance(before), distance(corner)];
    if (from >= 0) return to >= 0 ? [corner] : [between(before, corner, from / (from - to))];
    return to >= 0 ? [between(corner, before, to / (to - from)), corner] : [];
  });
}

function between(a: Vector3, b: Vector3, t: number): Vector3 {
  return [a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1]), a[2] + t * (b[2] - a[2])];
}
