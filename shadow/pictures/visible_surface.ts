/** Which triangle of a mesh is seen at each sample of a picture: a depth buffer on the host. */
import type { StageCamera } from "./camera.ts";
import { applyRow } from "./camera.ts";

/** What a parallel camera sees. Samples are a grid of `perPixel` a pixel along each side. */
export interface Surface {
  readonly width: number;
  readonly height: number;
  /** Index of the triangle seen, or −1. [height, width] */
  readonly triangles: Int32Array;
  /** Metres toward the camera; −∞ where nothing is. [height, width] */
  readonly depths: Float32Array;
  /** Barycentric weights of the triangle's first two corners. [height, width, 2] */
  readonly weights: Float32Array;
}

/** Triangles that face away are left out; `positions` [vertices, 3] and `triangles` [triangles, 3] are a closed mesh. */
export function visibleSurface(
  positions: Float64Array,
  triangles: Uint32Array,
  camera: StageCamera,
  perPixel: number,
): Surface {
  const [width, height] = [camera.width * perPixel, camera.height * perPixel];
  const surface: Surface = {
    width,
    height,
    triangles: new Int32Array(width * height).fill(-1),
    depths: new Float32Array(width * height).fill(-Infinity),
    weights: new Float32Array(2 * width * height),
  };
  const placed = placeVertices(positions, camera, perPixel);
  for (let t = 0; t < triangles.length; t += 3) drawTriangle(surface, placed, triangles, t);
  return surface;
}

/** Column, row and depth. [vertices, 3] */
function placeVertices(positions: Float64Array, camera: StageCamera, perPixel: number): Float64Array {
  const { column, row, toward } = camera;
  const placed = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const p = [positions[i], positions[i + 1], positions[i + 2]] as const;
    placed[i] = perPixel * applyRow(column, p);
    placed[i + 1] = perPixel * applyRow(row, p);
    placed[i + 2] = applyRow([...toward, 0], p);
  }
  return placed;
}

function drawTriangle(surface: Surface, placed: Float64Array, triangles: Uint32Array, t: number): void {
  const { width, height, depths, weights } = surface;
  const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
  const [ax, ay, bx, by, cx, cy] = [a, b, c].flatMap((i) => [placed[i], placed[i + 1]]);
  // Rows count downward, so that what is counter-clockwise from outside has a negative area here.
  const area = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
  if (!(area < 0)) return;
  const first = (low: number) => Math.max(0, Math.ceil(low - 0.5));
  const bottom = Math.min(height - 1, Math.floor(Math.max(ay, by, cy) - 0.5));
  const right = Math.min(width - 1, Math.floor(Math.max(ax, bx, cx) - 0.5));
  for (let row = first(Math.min(ay, by, cy)); row <= bottom; row++) {
    for (let column = first(Math.min(ax, bx, cx)); column <= right; column++) {
      const [x, y] = [column + 0.5, row + 0.5];
      const wa = ((bx - x) * (cy - y) - (by - y) * (cx - x)) / area;
      const wb = ((cx - x) * (ay - y) - (cy - y) * (ax - x)) / area;
      const wc = 1 - wa - wb;
      if (!(wa >= 0 && wb >= 0 && wc >= 0)) continue;
      const at = row * width + column;
      const depth = wa * placed[a + 2] + wb * placed[b + 2] + wc * placed[c + 2];
      if (!(depth > depths[at])) continue;
      depths[at] = depth;
      surface.triangles[at] = t / 3;
      weights[2 * at] = wa;
      weights[2 * at + 1] = wb;
    }
  }
}
