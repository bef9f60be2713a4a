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
const SHADOW_MIN_Z = 0;
const SHADOW_MAX_Z = 2.49;

/**
 * Appends the triangles of a closed mesh that its shadow needs: those that reach onto the screen and face the lamp.
 * (Seen from the lamp, each point of a closed mesh is covered as often by triangles that face it as by others, and on the
 * grid with half-open edges so is each pixel.) A mesh that reaches out of the slab is cut open and keeps the others, too.
 *
 * @param positions metres [vertices, 3]
 * @param triangles counter-clockwise from outside [triangles, 3]
 */
export function snapShadow(positions: Float64Array, triangles: Uint32Array, list: TriangleList): void {
  const { xs, ys, codes, whole } = project(positions);
  for (let at = 0; at < triangles.length; at += 3) {
    const a = triangles[at], b = triangles[at + 1], c = triangles[at + 2];
    const any = codes[a] | codes[b] | codes[c];
    if ((any & OUT_OF_SLAB) !== 0) {
      const corners = [a, b, c].map((
        i,
      ): Vector3 => [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]]);
      appendPolygon(clipSlab(corners).map(snapped), whole, list);
      continue;
    }
    // All three beyond the same edge of the screen.
    if ((codes[a] & codes[b] & codes[c] & OFF_SCREEN) !== 0) continue;
    if ((any & OUT_OF_GUARD) === 0) append(xs[a], ys[a], xs[b], ys[b], xs[c], ys[c], whole, list);
    else appendPolygon([a, b, c].map((i): Vector3 => [xs[i], ys[i], 0]), whole, list);
  }
}

/** Outcodes of a vertex (Cohen–Sutherland). */
const LEFT = 1;
const RIGHT = 2;
const ABOVE = 4;
const BELOW = 8;
const OFF_SCREEN = LEFT | RIGHT | ABOVE | BELOW;
const OUT_OF_GUARD = 16;
const OUT_OF_SLAB = 32;

interface Projected {
  /** On the grid, integers as doubles, also beyond the guard. [vertices] */
  xs: Float64Array;
  ys: Float64Array;
  codes: Uint8Array;
  /** Whether all vertices lie in the slab. */
  whole: boolean;
}

function project(positions: Float64Array): Projected {
  const count = positions.length / 3;
  const xs = new Float64Array(count), ys = new Float64Array(count), codes = new Uint8Array(count);
  let whole = true;
  for (let i = 0; i < count; i++) {
    const z = positions[3 * i + 2];
    const scale = magnification(z) * UNITS_PER_METRE;
    const x = Math.round(positions[3 * i] * scale);
    const y = Math.round(-positions[3 * i + 1] * scale);
    xs[i] = x;
    ys[i] = y;
    codes[i] = (x < -HALF_WIDTH ? LEFT : x > HALF_WIDTH ? RIGHT : 0) |
      (y < -HALF_HEIGHT ? ABOVE : y > HALF_HEIGHT ? BELOW : 0);
    if (!(Math.abs(x) <= GUARD && Math.abs(y) <= GUARD)) codes[i] |= OUT_OF_GUARD;
    if (!(z >= SHADOW_MIN_Z && z <= SHADOW_MAX_Z)) {
      codes[i] = OUT_OF_SLAB;
      whole = false;
    }
  }
  return { xs, ys, codes, whole };
}

function snapped([x, y, z]: Vector3): Vector3 {
  const scale = magnification(z) * UNITS_PER_METRE;
  return [Math.round(x * scale), Math.round(-y * scale), 0];
}

function clipSlab(polygon: readonly Vector3[]): readonly Vector3[] {
  const above = clipPolygon(polygon, ([, , z]) => z - SHADOW_MIN_Z);
  return clipPolygon(above, ([, , z]) => SHADOW_MAX_Z - z);
}

/** Appends a convex polygon of the grid's plane, cut to the guard, as a fan. */
function appendPolygon(polygon: readonly Vector3[], whole: boolean, list: TriangleList): void {
  const [first, ...rest] = [
    ([x]: Vector3) => x + GUARD,
    ([x]: Vector3) => GUARD - x,
    ([, y]: Vector3) => y + GUARD,
    ([, y]: Vector3) => GUARD - y,
  ].reduce(clipPolygon, polygon).map(([x, y]) => [Math.round(x), Math.round(y)]);
  for (let i = 1; i < rest.length; i++) {
    append(first[0], first[1], rest[i - 1][0], rest[i - 1][1], rest[i][0], rest[i][1], whole, list);
  }
}

/** Appends a triangle of corners on the grid, unless the mesh is whole and it faces away from the lamp. */
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
  // y points down: counter-clockwise from the lamp has a negative area.
  if (whole && (bx - ax) * (cy - ay) - (by - ay) * (cx - ax) >= 0) return;
  list.push(ax, ay, bx, by, cx, cy);
}
