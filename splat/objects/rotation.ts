/** Rotation matrices, row-major; the columns are a solid's own axes in world space. */
import type { Vector3 } from "../../env/vector3.ts";
import { cross, dot } from "../../env/vector3.ts";

export type Matrix3 = readonly [Vector3, Vector3, Vector3];

export const UNTURNED: Matrix3 = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** Turn about the axis through the origin, counter-clockwise for someone it points at (Rodrigues). */
export function turn(axis: Vector3, degrees: number): Matrix3 {
  const [x, y, z] = unit(axis);
  const [s, c] = [Math.sin(degrees * Math.PI / 180), Math.cos(degrees * Math.PI / 180)];
  const k = 1 - c;
  return [
    [c + x * x * k, x * y * k - z * s, x * z * k + y * s],
    [x * y * k + z * s, c + y * y * k, y * z * k - x * s],
    [x * z * k - y * s, y * z * k + x * s, c + z * z * k],
  ];
}

/** The rotation that takes own x and y to these two perpendicular world directions. */
export function withAxes(x: Vector3, y: Vector3): Matrix3 {
  const [a, b] = [unit(x), unit(y)];
  const c = cross(a, b);
  return [[a[0], b[0], c[0]], [a[1], b[1], c[1]], [a[2], b[2], c[2]]];
}

/** Some rotation that takes own z to a world direction: enough for shapes round about z. */
export function withZAlong(direction: Vector3): Matrix3 {
  const z = unit(direction);
  const helper: Vector3 = Math.abs(z[2]) < 0.9 ? [0, 0, 1] : [1, 0, 0];
  const x = unit(cross(helper, z));
  return withAxes(x, cross(z, x));
}

/** M v. */
export function apply(m: Matrix3, v: Vector3): Vector3 {
  return [dot(m[0], v), dot(m[1], v), dot(m[2], v)];
}

/** Mᵀ: the inverse of a rotation. */
export function transpose(m: Matrix3): Matrix3 {
  return [[m[0][0], m[1][0], m[2][0]], [m[0][1], m[1][1], m[2][1]], [m[0][2], m[1][2], m[2][2]]];
}

function unit(v: Vector3): Vector3 {
  const length = Math.hypot(...v);
  if (!(length > 0)) throw new RangeError("a direction needs a length above 0");
  return [v[0] / length, v[1] / length, v[2] / length];
}
