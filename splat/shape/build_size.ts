/** Whether builds come out too big or too small. */
import type { Image } from "../../env/image.ts";
import { type Quaternion, rotate } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { type Camera, cameraEye } from "../camera.ts";
import type { Scene } from "../scene.ts";
import { enlarged } from "./mirror_scene.ts";
import type { ScoreScenes } from "./handedness.ts";

/** From half to double, the same ratio apart; the middle one is 1. */
const FACTORS = Array.from({ length: 21 }, (_, k) => 2 ** ((k - 10) / 10));

/** The factor by which the scene would have to be enlarged to score best: below 1 it is too big. */
export async function bestScale(scene: Scene, score: ScoreScenes): Promise<number> {
  const scores = await score(FACTORS.map((factor) => enlarged(scene, factor)));
  const best = Math.max(...scores);
  // Of equal ones the one nearest to 1: an empty scene has the right size.
  const tied = FACTORS.filter((_, k) => scores[k] === best);
  return tied.reduce((a, b) => Math.abs(Math.log(b)) < Math.abs(Math.log(a)) ? b : a);
}

/** Pixels of a photo further from white than the silhouette rule of the IoU says: 0.05, in 8 bits. */
const OBJECT_BELOW = 243;

/** Where light is more absorbed than not, a rendered pixel is silhouette. */
const MOST_TRANSMITTANCE = 0.5;

/** Pixels of a photo's silhouette. */
export function photoArea({ data }: Image): number {
  let area = 0;
  for (let at = 0; at < data.length; at += 3) {
    if (Math.min(data[at], data[at + 1], data[at + 2]) < OBJECT_BELOW) area += 1;
  }
  return area;
}

/** Pixels of a render's silhouette. @param rgbt [height, width, 4], transmittance last */
export function renderArea(rgbt: Float32Array): number {
  let area = 0;
  for (let at = 3; at < rgbt.length; at += 4) if (rgbt[at] < MOST_TRANSMITTANCE) area += 1;
  return area;
}

/** Silhouette's area over the photo's, mean over the views whose photo shows anything. */
export function areaRatio(rendered: readonly number[], photographed: readonly number[]): number {
  const ratios = photographed.flatMap((area, view) => area > 0 ? [rendered[view] / area] : []);
  return ratios.length === 0 ? 0 : ratios.reduce((sum, ratio) => sum + ratio, 0) / ratios.length;
}

/**
 * RMS distance of a scene's matter from its centroid, world units: √(Σ w (|μ − c|² + tr Σ) / Σ w), where a Gaussian
 * weighs its opacity times the area that it shows to the cameras.
 */
export function rmsRadius(scene: Scene, cameras: readonly Camera[]): number {
  const eyes = cameras.map(cameraEye);
  const weights = scene.map(({ mean, scale, quaternion, opacity }) =>
    opacity * eyes.reduce((sum, eye) => sum + shownArea(scale, quaternion, mean, eye), 0) / eyes.length
  );
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (!(total > 0)) return 0;
  const centroid = [0, 1, 2].map((axis) =>
    scene.reduce((sum, { mean }, i) => sum + weights[i] * mean[axis], 0) / total
  );
  const second = scene.reduce((sum, { mean, scale }, i) => {
    const away = mean.reduce((square, value, axis) => square + (value - centroid[axis]) ** 2, 0);
    return sum + weights[i] * (away + scale.reduce((trace, s) => trace + s * s, 0));
  }, 0);
  return Math.sqrt(second / total);
}

/** Area of the ellipsoid of one standard deviation as seen along a line of sight u: π √(s₂²s₃²u₁² + s₁²s₃²u₂² + s₁²s₂²u₃²). */
function shownArea([a, b, c]: Vector3, [w, x, y, z]: Quaternion, mean: Vector3, eye: Vector3): number {
  const sight: Vector3 = [mean[0] - eye[0], mean[1] - eye[1], mean[2] - eye[2]];
  const length = Math.hypot(...sight);
  if (length === 0) return 0;
  const [u, v, t] = rotate([w, -x, -y, -z], sight);
  return Math.PI * Math.hypot(b * c * u, a * c * v, a * b * t) / length;
}
