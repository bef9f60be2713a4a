/** Where a fit starts: means drawn inside the object's visual hull or a box, sizes from their distances. */
import { type Stream, stream } from "../../env/random.ts";
import type { Camera } from "../camera.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Scene } from "../scene.ts";
import type { View } from "../task.ts";
import type { FitRecipe } from "./recipe.ts";

/** Half the side of the cube that holds every object. */
const HALF_SIDE = 0.9;
/** A photo's pixel belongs to the object when its darkest channel is below this; paper is white. */
const OBJECT_BELOW = 243;
/** Draws for each Gaussian before the rest is drawn in the box: hulls of thin objects fill a thousandth of it. */
const TRIES = 20_000;
/** Standard deviation of a new Gaussian over the distance to its neighbours. */
const OVERLAP = 0.5;
const OPACITY = 0.5;
const BOX_OPACITY = 0.1;

/** Exactly `recipe.gaussians` Gaussians; equal for equal seeds. */
export function initialScene(views: readonly View[], recipe: FitRecipe): Scene {
  const draw = stream(recipe.seed, "fit initial scene");
  const points = Array.from({ length: recipe.gaussians }, () => drawPoint(draw, views, recipe));
  const spacings = neighbourDistances(points.map(({ mean }) => mean));
  const [least, most] = recipe.scales;
  return points.map(({ mean, color }, index) => {
    const scale = Math.min(most, Math.max(least, OVERLAP * spacings[index]));
    return {
      id: index + 1,
      mean,
      scale: [scale, scale, scale],
      quaternion: [1, 0, 0, 0],
      color,
      opacity: recipe.init === "hull" ? OPACITY : BOX_OPACITY,
      group: null,
    };
  });
}

interface Point {
  mean: Vector3;
  color: Vector3;
}

function drawPoint(draw: Stream, views: readonly View[], { init }: FitRecipe): Point {
  const inBox = (): Vector3 => [axis(draw), axis(draw), axis(draw)];
  for (let left = init === "hull" ? TRIES : 0; left > 0; left--) {
    const mean = inBox();
    const color = hullColor(mean, views);
    if (color !== null) return { mean, color };
  }
  return { mean: inBox(), color: [draw.next(), draw.next(), draw.next()] };
}

function axis(draw: Stream): number {
  return draw.range(-HALF_SIDE, HALF_SIDE);
}

/** The mean of what the photos show at a point, or null outside one of their silhouettes. */
function hullColor(point: Vector3, views: readonly View[]): Vector3 | null {
  const sum = [0, 0, 0];
  for (const { photo, camera } of views) {
    const pixel = pixelOf(point, camera);
    if (pixel === null) return null;
    const [r, g, b] = photo.data.subarray(pixel * 3, pixel * 3 + 3);
    if (Math.min(r, g, b) >= OBJECT_BELOW) return null;
    sum[0] += r;
    sum[1] += g;
    sum[2] += b;
  }
  const scale = 1 / (255 * views.length);
  return [sum[0] * scale, sum[1] * scale, sum[2] * scale];
}

/** Index of the pixel that shows a point; null behind the camera and outside the picture. */
function pixelOf(point: Vector3, camera: Camera): number | null {
  const [x, y, z] = camera.rotation.map((row, i) =>
    row[0] * point[0] + row[1] * point[1] + row[2] * point[2] + camera.translation[i]
  );
  if (!(z > 0)) return null;
  const u = Math.floor(camera.fx * x / z + camera.cx);
  const v = Math.floor(camera.fy * y / z + camera.cy);
  return u >= 0 && v >= 0 && u < camera.width && v < camera.height ? v * camera.width + u : null;
}

/** Root mean square of the distances to the three nearest others (3D Gaussian splatting's first size). */
function neighbourDistances(points: readonly Vector3[]): number[] {
  return points.map((point, index) => {
    const nearest = [1, 1, 1];
    for (const [other, [x, y, z]] of points.entries()) {
      if (other === index) continue;
      const square = (x - point[0]) ** 2 + (y - point[1]) ** 2 + (z - point[2]) ** 2;
      if (square < nearest[2]) {
        nearest[2] = square;
        nearest.sort((a, b) => a - b);
      }
    }
    return Math.sqrt((nearest[0] + nearest[1] + nearest[2]) / 3);
  });
}
