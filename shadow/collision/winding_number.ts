/** Whether a point lies inside a closed surface. */

/**
 * How often a closed surface winds around a point: 1 inside, 0 outside. The sum of the solid angles of the triangles
 * (van Oosterom and Strackee 1983) over 4π.
 *
 * @param positions [vertices, 3]
 * @param corners 3 × vertex index, counter-clockwise from outside. [triangles, 3]
 * @param at offset of the point in `points`
 */
export function windingNumber(
  positions: Float64Array,
  corners: Uint32Array,
  points: Float64Array,
  at: number,
): number {
  const x = points[at], y = points[at + 1], z = points[at + 2];
  let sum = 0;
  for (let t = 0; t < corners.length; t += 3) {
    const a = corners[t], b = corners[t + 1], c = corners[t + 2];
    const ax = positions[a] - x, ay = positions[a + 1] - y, az = positions[a + 2] - z;
    const bx = positions[b] - x, by = positions[b + 1] - y, bz = positions[b + 2] - z;
    const cx = positions[c] - x, cy = positions[c + 1] - y, cz = positions[c + 2] - z;
    const la = Math.hypot(ax, ay, az), lb = Math.hypot(bx, by, bz), lc = Math.hypot(cx, cy, cz);
    const volume = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
    const ab = ax * bx + ay * by + az * bz, bc = bx * cx + by * cy + bz * cz;
    const ca = cx * ax + cy * ay + cz * az;
    sum += Math.atan2(volume, la * lb * lc + ab * lc + bc * la + ca * lb);
  }
  return sum / (2 * Math.PI);
}
