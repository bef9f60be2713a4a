/** Rotations as unit quaternions (w, x, y, z), Hamilton product; they turn column vectors, right-handed. */
import { cross, type Vector3 } from "./vector3.ts";

/** (w, x, y, z), of length 1 where nothing else is said. */
export type Quaternion = readonly [number, number, number, number];

/** The quaternion of length 1 with the same direction; the caller makes sure that it is not zero. */
export function normalize([w, x, y, z]: Quaternion): Quaternion {
  const length = Math.hypot(w, x, y, z);
  // Adding 0 turns −0 into 0, as JSON does, so that a scene and its log are equal.
  return [w / length + 0, x / length + 0, y / length + 0, z / length + 0];
}

/** First `b`, then `a`. */
export function multiply(a: Quaternion, b: Quaternion): Quaternion {
  const [aw, ax, ay, az] = a;
  const [bw, bx, by, bz] = b;
  return [
    aw * bw - ax * bx - ay * by - az * bz,
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
  ];
}

/** The turn by `degrees` about `axis` (any length but 0), counter-clockwise as seen from the axis' tip. */
export function fromAxisAngle(axis: Vector3, degrees: number): Quaternion {
  const half = degrees * Math.PI / 360;
  const k = Math.sin(half) / Math.hypot(...axis);
  return [Math.cos(half), k * axis[0], k * axis[1], k * axis[2]];
}

/** Turns about the fixed world axes, X first, then Y, then Z: R = Rz Ry Rx. Degrees. */
export function fromEuler([x, y, z]: Vector3): Quaternion {
  return multiply(
    fromAxisAngle([0, 0, 1], z),
    multiply(fromAxisAngle([0, 1, 0], y), fromAxisAngle([1, 0, 0], x)),
  );
}

/** q v q⁻¹ for a unit quaternion: v + 2w (u × v) + 2 u × (u × v), u the vector part. */
export function rotate([w, ...u]: Quaternion, v: Vector3): Vector3 {
  const once = cross(u, v);
  const twice = cross(u, once);
  return [
    v[0] + 2 * (w * once[0] + twice[0]),
    v[1] + 2 * (w * once[1] + twice[1]),
    v[2] + 2 * (w * once[2] + twice[2]),
  ];
}
