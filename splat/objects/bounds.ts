/** Exact axis-aligned bounds of solids. */
import type { Vector3 } from "../../env/vector3.ts";
import { apply, transpose } from "./rotation.ts";
import type { Shape, Solid } from "./solid.ts";

export interface Bounds {
  readonly low: Vector3;
  readonly high: Vector3;
}

/** The smallest box with the world's axes around one solid. */
export function solidBounds({ shape, position, rotation }: Solid): Bounds {
  const reach = (direction: Vector3) => support(shape, apply(transpose(rotation), direction));
  const along = (axis: 0 | 1 | 2, sign: 1 | -1) => {
    const direction: Vector3 = [axis === 0 ? sign : 0, axis === 1 ? sign : 0, axis === 2 ? sign : 0];
    return position[axis] + sign * reach(direction);
  };
  return {
    low: [along(0, -1), along(1, -1), along(2, -1)],
    high: [along(0, 1), along(1, 1), along(2, 1)],
  };
}

/** The smallest box around all of them. */
export function boundsOf(solids: readonly Solid[]): Bounds {
  const all = solids.map(solidBounds);
  const low = (axis: 0 | 1 | 2) => Math.min(...all.map((bounds) => bounds.low[axis]));
  const high = (axis: 0 | 1 | 2) => Math.max(...all.map((bounds) => bounds.high[axis]));
  return { low: [low(0), low(1), low(2)], high: [high(0), high(1), high(2)] };
}

/** Half edge lengths of a box in the shape's own frame, around its origin, that holds it. */
export function ownBox(shape: Shape): Vector3 {
  const reach = (x: number, y: number, z: number) =>
    Math.max(support(shape, [x, y, z]), support(shape, [-x, -y, -z]));
  return [reach(1, 0, 0), reach(0, 1, 0), reach(0, 0, 1)];
}

/** Largest n·p over the points p of a shape, in its own frame; n is a unit vector. */
function support(shape: Shape, n: Vector3): number {
  const sideways = Math.hypot(n[0], n[1]);
  switch (shape.kind) {
    case "ellipsoid":
      return Math.hypot(shape.radii[0] * n[0], shape.radii[1] * n[1], shape.radii[2] * n[2]);
    case "dome":
      return Math.hypot(
        shape.radii[0] * n[0],
        shape.radii[1] * n[1],
        shape.radii[2] * Math.max(n[2], 0),
      );
    case "cone":
      return Math.max(
        shape.bottomRadius * sideways - shape.halfHeight * n[2],
        shape.topRadius * sideways + shape.halfHeight * n[2],
      );
    case "capsule":
      return shape.radius + shape.halfHeight * Math.abs(n[2]);
    case "prism":
      return Math.max(...shape.outline.map(([x, y]) => n[0] * x + n[1] * y)) +
        shape.halfDepth * Math.abs(n[2]);
  }
}
