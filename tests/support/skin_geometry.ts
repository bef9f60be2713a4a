/** Measures of skins, from their triangles alone. */

export type Point = readonly [number, number, number];

/** Points on a skin that move with it: each at a share of the way from one vertex to another. */
export type Ring = readonly { readonly from: number; readonly to: number; readonly share: number }[];

/** The ring in which the plane y = `height` cuts a skin. */
export function ringAt(height: number, positions: Float64Array, triangles: Uint32Array): Ring {
  const points = [];
  for (let t = 0; t < triangles.length; t += 3) {
    for (const [i, j] of [[0, 1], [1, 2], [2, 0]]) {
      const from = triangles[t + i], to = triangles[t + j];
      const below = positions[3 * from + 1] - height, above = positions[3 * to + 1] - height;
      if (below < 0 && above >= 0) points.push({ from, to, share: below / (below - above) });
    }
  }
  return points;
}

/** Where a ring's points are on a posed skin. */
export function pointsOf(ring: Ring, positions: Float64Array): Point[] {
  return ring.map(({ from, to, share }) => {
    const at = (k: number) => (1 - share) * positions[3 * from + k] + share * positions[3 * to + k];
    return [at(0), at(1), at(2)];
  });
}

/** Mean distance from the mean. */
export function meanRadius(points: readonly Point[]): number {
  const mean = [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  return points.reduce((sum, point) => sum + Math.hypot(...point.map((x, k) => x - mean[k])), 0) /
    points.length;
}

/**
 * How thick a ring is as seen along x, and how it lies: standard deviation along the main axis of its points in (y, z),
 * and that axis' angle from z toward y in degrees.
 */
export function sideView(points: readonly Point[]): { thickness: number; tiltDeg: number } {
  const mean = (of: (point: Point) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const y = mean((point) => point[1]), z = mean((point) => point[2]);
  const yy = mean((point) => (point[1] - y) ** 2), zz = mean((point) => (point[2] - z) ** 2);
  const yz = mean((point) => (point[1] - y) * (point[2] - z));
  return {
    thickness: Math.sqrt((yy + zz) / 2 + Math.hypot((zz - yy) / 2, yz)),
    tiltDeg: Math.atan2(2 * yz, zz - yy) / 2 * 180 / Math.PI,
  };
}
