/** Whether two triangles in space cut each other. */

/**
 * Whether triangle (a, b, c) of `p` and triangle (d, e, f) of `q` share a point, in doubles and without an epsilon;
 * a–f are offsets of x, y, z. Coplanar triangles do not meet.
 *
 * Two triangles meet where an edge of one crosses the other: six segment–triangle tests, after the quick answer that
 * all corners of one lie on one side of the other's plane (Möller 1997). The point where an edge meets the plane is
 * computed as a point of the edge and then compared with the triangle's sides, so that rounding in a nearly common
 * plane never joins triangles that lie apart in it.
 */
export function trianglesMeet(
  p: Float64Array,
  a: number,
  b: number,
  c: number,
  q: Float64Array,
  d: number,
  e: number,
  f: number,
): boolean {
  setPlane(q, d, e, f);
  const sa = side(p, a), sb = side(p, b), sc = side(p, c);
  if ((sa > 0 && sb > 0 && sc > 0) || (sa < 0 && sb < 0 && sc < 0)) return false;
  if (crosses(p, a, b, sa, sb, q, d, e, f) || crosses(p, b, c, sb, sc, q, d, e, f)) return true;
  if (crosses(p, c, a, sc, sa, q, d, e, f)) return true;

  setPlane(p, a, b, c);
  const sd = side(q, d), se = side(q, e), sf = side(q, f);
  if ((sd > 0 && se > 0 && sf > 0) || (sd < 0 && se < 0 && sf < 0)) return false;
  return crosses(q, d, e, sd, se, p, a, b, c) || crosses(q, e, f, se, sf, p, a, b, c) ||
    crosses(q, f, d, sf, sd, p, a, b, c);
}

/** The plane in force: a corner and the (unnormalised) normal. Module state, since this runs millions of times. */
let ox = 0, oy = 0, oz = 0, nx = 0, ny = 0, nz = 0;

function setPlane(q: Float64Array, d: number, e: number, f: number): void {
  ox = q[d];
  oy = q[d + 1];
  oz = q[d + 2];
  const ux = q[e] - ox, uy = q[e + 1] - oy, uz = q[e + 2] - oz;
  const vx = q[f] - ox, vy = q[f + 1] - oy, vz = q[f + 2] - oz;
  nx = uy * vz - uz * vy;
  ny = uz * vx - ux * vz;
  nz = ux * vy - uy * vx;
}

/** On which side of the plane a point lies, times the distance and the normal's length. */
function side(p: Float64Array, a: number): number {
  return nx * (p[a] - ox) + ny * (p[a + 1] - oy) + nz * (p[a + 2] - oz);
}

/** Whether the edge from a to b, at sides `sa` and `sb` of the plane in force, passes through triangle (d, e, f) in it. */
function crosses(
  p: Float64Array,
  a: number,
  b: number,
  sa: number,
  sb: number,
  q: Float64Array,
  d: number,
  e: number,
  f: number,
): boolean {
  if ((sa > 0 && sb > 0) || (sa < 0 && sb < 0) || sa === sb) return false;
  const t = sa / (sa - sb);
  const x = p[a] + t * (p[b] - p[a]), y = p[a + 1] + t * (p[b + 1] - p[a + 1]);
  const z = p[a + 2] + t * (p[b + 2] - p[a + 2]);
  // Along the axis in which the triangle looks largest.
  const ax = Math.abs(nx), ay = Math.abs(ny), az = Math.abs(nz);
  if (ax >= ay && ax >= az) return inside(y, z, q, d, e, f, 1, 2);
  return ay >= az ? inside(x, z, q, d, e, f, 0, 2) : inside(x, y, q, d, e, f, 0, 1);
}

/** Whether (u, v) lies in the triangle as seen in coordinates i and j. */
function inside(
  u: number,
  v: number,
  q: Float64Array,
  d: number,
  e: number,
  f: number,
  i: number,
  j: number,
): boolean {
  const du = q[d + i] - u, dv = q[d + j] - v, eu = q[e + i] - u, ev = q[e + j] - v;
  const fu = q[f + i] - u, fv = q[f + j] - v;
  const de = du * ev - dv * eu, ef = eu * fv - ev * fu, fd = fu * dv - fv * du;
  return (de >= 0 && ef >= 0 && fd >= 0) || (de <= 0 && ef <= 0 && fd <= 0);
}
