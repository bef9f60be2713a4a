/**
 * A mesh as the lamp throws it on the screen: projected, clipped and snapped to the sub-pixel grid, in float64. What
 * follows, here or on a device, computes with the integers alone and agrees bit for bit.
 */
import type { Vector3 } from "../../env/vector3.ts";
import { clipPolygon } from "./clip_polygon.ts";
import { magnification } from "./stage.ts";
import { GUARD, HALF_HEIGHT, HALF_WIDTH, UNITS_PER_METRE } from "./sub_pixels.ts";
import type { TriangleList } from "./triangle_list.ts";

/** Heights above the screen, metres, of what casts a shadow: nothing behind the screen, at the lamp or behind it. */
export const SHADOW_MIN_Z = 0;
export const SHADOW_MAX_Z = 2.49;

/**
 * Appends the triangles of a closed mesh that its shadow needs: those that reach onto the screen and face the lamp.
 * (Seen from the lamp, each point of a closed mesh is covered as often by triangles that face it as by others, and on the
 * grid with half-open edges so is each pixel.) A mesh that reaches out of the slab is cut open and keeps the others, too.
 *
 * @param positions metres [vertices, 3]
 * @param triangles counter-clockwise from outside [triangles, 3]
 */
export function snapShadow(positions: Float64Array, triangles: Uint32Array, list: TriangleList): void {
  const { xs, ys, whole } = project(positions);
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [triangles[at], triangles[at + 1], triangles[at + 2]];
    if (!whole && [a, b, c].some((corner) => !inSlab(positions[3 * corner + 2]))) {
      const corners = [a, b, c].map((
        i,
      ): Vector3 => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]]);
      appendClipped(clipSlab(corners).map(snapped), whole, list);
      continue;
    }
    const [ax, ay, bx, by, cx, cy] = [xs[a], ys[a], xs[b], ys[b], xs[c], ys[c]];
    if (inGuard(ax, ay) && inGuard(bx, by) && inGuard(cx, cy)) append(ax, ay, bx, by, cx, cy, whole, list);
    else appendClipped([[ax, ay, 0], [bx, by, 0], [cx, cy, 0]], whole, list);
  }
}

/** Grid coordinates of vertices, integers as doubles, also beyond the guard; and whether all lie in the slab. */
function project(positions: Float64Array): { xs: Float64Array; ys: Float64Array; whole: boolean } {
  const count = positions.length / 3;
  const [xs, ys] = [new Float64Array(count), new Float64Array(count)];
  let whole = true;
  for (let i = 0; i < count; i++) {
    const z = positions[3 * i + 2];
    const scale = magnification(z) * UNITS_PER_METRE;
    xs[i] = Math.round(positions[3 * i] * scale);
    ys[i] = Math.round(-positions[3 * i + 1] * scale);
    whole &&= inSlab(z);
  }
  return { xs, ys, whole };
}

function snapped([x, y, z]: Vector3): Vector3 {
  const scale = magnification(z) * UNITS_PER_METRE;
  return [Math.round(x * scale), Math.round(-y * scale), 0];
}

function inSlab(z: number): boolean {
  return z >= SHADOW_MIN_Z && z <= SHADOW_MAX_Z;
}

function inGuard(x: number, y: number): boolean {
  return Math.abs(x) <= GUARD && Math.abs(y) <= GUARD;
}

function clipSlab(polygon: readonly Vector3[]): readonly Vector3[] {
  const above = clipPolygon(polygon, ([, , z]) => z - SHADOW_MIN_Z);
  return clipPolygon(above, ([, , z]) => SHADOW_MAX_Z - z);
}

/** Appends a convex polygon of the grid's plane, cut to the guard, as a fan. */
function appendClipped(polygon: readonly Vector3[], whole: boolean, list: TriangleList): void {
  const [first, ...rest] = [
    ([x]: Vector3) => x + GUARD,
    ([x]: Vector3) => GUARD - x,
    ([, y]: Vector3) => y + GUARD,
    ([, y]: Vector3) => GUARD - y,
  ].reduce(clipPolygon, polygon).map(([x, y]) => [Math.round(x), Math.round(y)]);
  for (let i = 1; i < rest.length; i++) {
    const [[ax, ay], [bx, by], [cx, cy]] = [first, rest[i - 1], rest[i]];
    append(ax, ay, bx, by, cx, cy, whole, list);
  }
}

function append(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  whole: boolean,
  list: TriangleList,
): void {
  if (Math.max(ax, bx, cx) < -HALF_WIDTH || Math.min(ax, bx, cx) > HALF_WIDTH) return;
  if (Math.max(ay, by, cy) < -HALF_HEIGHT || Math.min(ay, by, cy) > HALF_HEIGHT) return;
  // y points down: counter-clockwise from the lamp has a negative area.
  if (whole && (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) >= 0) return;
  list.push(ax, ay, bx, by, cx, cy);
}
