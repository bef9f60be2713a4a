/** Measures of skins, from their triangles alone. */

export type Point = readonly [number, number, number];

/** Where the plane through `origin` with this normal crosses the edges of the triangles. */
export function section(
  positions: Float64Array,
  triangles: Uint32Array,
  origin: Point,
  normal: Point,
): Point[] {
  const height = (i: number) =>
    [0, 1, 2].reduce((sum, k) => sum + (positions[3 * i + k] - origin[k]) * normal[k], 0);
  const points: Point[] = [];
  for (let t = 0; t < triangles.length; t += 3) {
    for (const [from, to] of [[0, 1], [1, 2], [2, 0]]) {
      const a = triangles[t + from], b = triangles[t + to];
      const below = height(a), above = height(b);
      if (!(below < 0 && above >= 0)) continue;
      const at = (k: number) =>
        positions[3 * a + k] + below / (below - above) * (positions[3 * b + k] - positions[3 * a + k]);
      points.push([at(0), at(1), at(2)]);
    }
  }
  return points;
}

/** From end to end along a unit direction. */
export function extent(points: readonly Point[], direction: Point): number {
  const along = points.map((point) => point.reduce((sum, x, k) => sum + x * direction[k], 0));
  return Math.max(...along) - Math.min(...along);
}

/** Mean distance from the mean. */
export function meanRadius(points: readonly Point[]): number {
  const mean = [0, 1, 2].map((k) => points.reduce((sum, point) => sum + point[k], 0) / points.length);
  return points.reduce((sum, point) => sum + Math.hypot(...point.map((x, k) => x - mean[k])), 0) /
    points.length;
}
