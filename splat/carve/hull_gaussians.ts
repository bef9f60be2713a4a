/** A coloured hull as few Gaussians: flat ones on its surface, round ones behind their gaps. */
import type { Stream } from "../../env/random.ts";
import { kMeans } from "../k_means.ts";
import { rotationBetween } from "../rotation_between.ts";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { symmetricEigen } from "../../env/symmetric_eigen.ts";
import { cross, dot } from "../../env/vector3.ts";
import type { SurfaceVoxel } from "./surface.ts";
import { isOnSurface, voxelCenter, type Voxels } from "./voxel_hull.ts";

/** A Gaussian as far as a hull tells of it. */
export interface Ellipsoid {
  readonly mean: Vector3;
  readonly scale: Vector3;
  readonly quaternion: Quaternion;
  readonly color: Vector3;
}

/** Of all Gaussians, this share fills the inside: without it, white paper shows between those in front. */
const INNER_SHARE = 0.13;
/** How much a unit of colour and a unit of normal count against a unit of distance. */
const COLOR_WEIGHT = 0.3;
const NORMAL_WEIGHT = 0.1;
/** Standard deviation of a surface Gaussian over that of its voxels. */
const OVERLAP = 1.1;
const ITERATIONS = 10;
/** Points of the inside that are clustered; more only take time. */
const INNER_POINTS = 8000;

/** At most `most` Gaussians; fewer for a hull of fewer voxels. */
export function hullGaussians(
  voxels: Voxels,
  surface: readonly SurfaceVoxel[],
  most: number,
  draw: Stream,
): Ellipsoid[] {
  const inner = innerGaussians(voxels, surface, Math.floor(INNER_SHARE * most), draw);
  return [...surfaceGaussians(voxels, surface, most - inner.length, draw), ...inner];
}

function surfaceGaussians(
  { edge }: Voxels,
  surface: readonly SurfaceVoxel[],
  most: number,
  draw: Stream,
): Ellipsoid[] {
  const features = surface.flatMap(({ center, normal, color }) => [
    ...center,
    ...color.map((part) => COLOR_WEIGHT * part),
    ...normal.map((part) => NORMAL_WEIGHT * part),
  ]);
  const k = Math.min(most, surface.length);
  if (k < 1) return [];
  const { labels } = kMeans(Float64Array.from(features), 9, k, draw, ITERATIONS);
  return membersOf(labels, k).map((members) => ({
    ...ellipsoid(members.map((s) => surface[s].center), edge, OVERLAP),
    color: meanOf(members.map((s) => surface[s].color)),
  }));
}

/** In the colour of the surface that is nearest to them. */
function innerGaussians(
  voxels: Voxels,
  surface: readonly SurfaceVoxel[],
  most: number,
  draw: Stream,
): Ellipsoid[] {
  const points = innerPoints(voxels);
  const k = Math.min(most, points.length);
  if (k < 1) return [];
  const { labels, centers } = kMeans(Float64Array.from(points.flat()), 3, k, draw, ITERATIONS);
  const around = membersOf(surface.map(({ center }) => nearest(centers, center)), k);
  return membersOf(labels, k).flatMap((members, cluster) => {
    const skin = around[cluster].map((s) => surface[s].color);
    if (skin.length === 0) return [];
    return [{ ...ellipsoid(members.map((s) => points[s]), voxels.edge, 1), color: meanOf(skin) }];
  });
}

/** Centres of the voxels under the surface, every so many. */
function innerPoints(voxels: Voxels): Vector3[] {
  const inner: number[] = [];
  voxels.filled.forEach((filled, at) => {
    if (filled && !isOnSurface(voxels, at)) inner.push(at);
  });
  const stride = Math.ceil(inner.length / INNER_POINTS);
  return inner.filter((_, i) => i % stride === 0).map((at) => voxelCenter(voxels, at));
}

function nearest(centers: Float64Array, [x, y, z]: Vector3): number {
  let [best, least] = [0, Infinity];
  for (let c = 0; c < centers.length; c += 3) {
    const distance = (x - centers[c]) ** 2 + (y - centers[c + 1]) ** 2 + (z - centers[c + 2]) ** 2;
    if (distance < least) [best, least] = [c / 3, distance];
  }
  return best;
}

/** Numbers of the points of each cluster. */
function membersOf(labels: ArrayLike<number>, k: number): number[][] {
  const members = Array.from({ length: k }, (): number[] => []);
  for (let point = 0; point < labels.length; point++) members[labels[point]].push(point);
  return members;
}

function meanOf(points: readonly Vector3[]): Vector3 {
  const mean = (c: 0 | 1 | 2) => points.reduce((sum, point) => sum + point[c], 0) / points.length;
  return [mean(0), mean(1), mean(2)];
}

/** Mean and principal axes of some voxels, each a cube with a spread of its own. */
function ellipsoid(points: readonly Vector3[], edge: number, overlap: number) {
  const mean = meanOf(points);
  const covariance = [0, 1, 2].flatMap((i) =>
    [0, 1, 2].map((j) => {
      const products = points.reduce((sum, point) => sum + (point[i] - mean[i]) * (point[j] - mean[j]), 0);
      return products / points.length + (i === j ? edge * edge / 12 : 0);
    })
  );
  const { values, vectors } = symmetricEigen(Float64Array.from(covariance), 3);
  const axis = (i: 0 | 1 | 2): Vector3 => [vectors[3 * i], vectors[3 * i + 1], vectors[3 * i + 2]];
  const deviation = (i: 0 | 1 | 2) => overlap * Math.sqrt(values[i]);
  const scale: Vector3 = [deviation(0), deviation(1), deviation(2)];
  return { mean, scale, quaternion: rotationBetween(UNIT, rightHanded(axis(0), axis(1), axis(2))) };
}

const UNIT: readonly Vector3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];

/** An ellipsoid looks the same with an axis turned round. */
function rightHanded(a: Vector3, b: Vector3, c: Vector3): Vector3[] {
  return dot(cross(a, b), c) < 0 ? [a, b, [-c[0], -c[1], -c[2]]] : [a, b, c];
}
