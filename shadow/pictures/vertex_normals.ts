/** Smooth normals of a closed mesh. */

/** Unit means of the normals of each vertex' triangles, weighted by area. [vertices, 3] */
export function vertexNormals(positions: Float64Array, triangles: Uint32Array): Float64Array {
  const sums = new Float64Array(positions.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    for (const corner of [a, b, c]) {
      sums[corner] += uy * vz - uz * vy;
      sums[corner + 1] += uz * vx - ux * vz;
      sums[corner + 2] += ux * vy - uy * vx;
    }
  }
  for (let i = 0; i < sums.length; i += 3) {
    const length = Math.hypot(sums[i], sums[i + 1], sums[i + 2]);
    for (let k = i; k < i + 3; k++) sums[k] /= length;
  }
  return sums;
}
