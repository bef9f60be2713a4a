/** How far two triangles in space are from each other. */
import { trianglesMeet } from "./triangles_meet.ts";

/** x, y, z of the corners of three edges, as places in a triangle's corners. */
const EDGES = [[0, 1], [1, 2], [2, 0]] as const;

/**
 * The square of the least distance between triangle `s` of `p` and triangle `t` of `q`; 0 where they cut each other.
 *
 * Triangles that do not cut are nearest either at two edges or at a corner and the inside of the other's face.
 *
 * @param p, q positions [vertices, 3]
 * @param corners, others 3 × vertex index [triangles, 3]
 */
export function triangleDistanceSquared(
  p: Float64Array,
  corners: Uint32Array,
  s: number,
  q: Float64Array,
  others: Uint32Array,
  t: number,
): number {
  const [a, b, c] = [corners[3 * s], corners[3 * s + 1], corners[3 * s + 2]];
  const [d, e, f] = [others[3 * t], others[3 * t + 1], others[3 * t + 2]];
  if (trianglesMeet(p, a, b, c, q, d, e, f)) return 0;
  let least = Infinity;
  for (const [i, j] of EDGES) {
    for (const [k, l] of EDGES) {
      const between = edgesApart(
        p,
        corners[3 * s + i],
        corners[3 * s + j],
        q,
        others[3 * t + k],
        others[3 * t + l],
      );
      if (between < least) least = between;
    }
  }
  for (let k = 0; k < 3; k++) {
    const over = Math.min(
      faceApart(p, corners[3 * s + k], q, d, e, f),
      faceApart(q, others[3 * t + k], p, a, b, c),
    );
    if (over < least) least = over;
  }
  return least;
}

/**
 * Square of the distance between the segments from a to b and from c to d. The parameters of the nearest points are
 * those of the lines, one after the other put back into [0, 1] (Ericson 2005, section 5.1.9).
 */
function edgesApart(p: Float64Array, a: number, b: number, q: Float64Array, c: number, d: number): number {
  const ux = p[b] - p[a], uy = p[b + 1] - p[a + 1], uz = p[b + 2] - p[a + 2];
  const vx = q[d] - q[c], vy = q[d + 1] - q[c + 1], vz = q[d + 2] - q[c + 2];
  const rx = p[a] - q[c], ry = p[a + 1] - q[c + 1], rz = p[a + 2] - q[c + 2];
  const uu = ux * ux + uy * uy + uz * uz, vv = vx * vx + vy * vy + vz * vz;
  const uv = ux * vx + uy * vy + uz * vz;
  const ur = ux * rx + uy * ry + uz * rz, vr = vx * rx + vy * ry + vz * rz;
  const spread = uu * vv - uv * uv;
  let s = spread > 0 ? unit((uv * vr - ur * vv) / spread) : 0;
  let t = vv > 0 ? (uv * s + vr) / vv : 0;
  if (!(t >= 0 && t <= 1)) {
    t = unit(t);
    s = uu > 0 ? unit((uv * t - ur) / uu) : 0;
  }
  const x = rx + s * ux - t * vx, y = ry + s * uy - t * vy, z = rz + s * uz - t * vz;
  return x * x + y * y + z * z;
}

/** Square of the distance from point a to the plane of triangle (d, e, f), where its foot lies inside; else infinite. */
function faceApart(p: Float64Array, a: number, q: Float64Array, d: number, e: number, f: number): number {
  const ux = q[e] - q[d], uy = q[e + 1] - q[d + 1], uz = q[e + 2] - q[d + 2];
  const vx = q[f] - q[d], vy = q[f + 1] - q[d + 1], vz = q[f + 2] - q[d + 2];
  const rx = p[a] - q[d], ry = p[a + 1] - q[d + 1], rz = p[a + 2] - q[d + 2];
  const nx = uy * vz - uz * vy, ny = uz * vx - ux * vz, nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  // Barycentric coordinates of the foot, times n².
  const beta = nx * (ry * vz - rz * vy) + ny * (rz * vx - rx * vz) + nz * (rx * vy - ry * vx);
  const gamma = nx * (uy * rz - uz * ry) + ny * (uz * rx - ux * rz) + nz * (ux * ry - uy * rx);
  if (!(nn > 0 && beta >= 0 && gamma >= 0 && beta + gamma <= nn)) return Infinity;
  const height = nx * rx + ny * ry + nz * rz;
  return height * height / nn;
}

function unit(value: number): number {
  return Math.min(1, Math.max(0, value));
}
