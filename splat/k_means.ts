/** k-means clustering, seeded. */
import { BenchError } from "../env/errors.ts";
import type { Stream } from "../env/random.ts";

export interface Clusters {
  /** Cluster of each point, 0 to k − 1. */
  readonly labels: Uint16Array;
  /** Means of the clusters. [k, dimension] */
  readonly centers: Float64Array;
  /** Sum of squared distances of the points to their centres. */
  readonly inertia: number;
}

/**
 * Lloyd's iterations from a k-means++ start (Arthur and Vassilvitskii 2007), until no point changes its cluster.
 *
 * Ties go to the cluster with the lower number; a cluster that runs empty takes the point farthest from its centre.
 *
 * @param points [n, dimension]
 * @throws BenchError for fewer points than clusters
 */
export function kMeans(
  points: Float64Array,
  dimension: number,
  k: number,
  draw: Stream,
  mostIterations = 100,
): Clusters {
  const count = points.length / dimension;
  if (!(k >= 1 && k <= count)) {
    throw new BenchError({
      what: `Cannot make ${k} clusters`,
      why: `there are ${count} points`,
      fix: "Ask for at least one cluster and no more than there are points",
    });
  }
  const centers = firstCenters(points, dimension, k, draw);
  const labels = new Uint16Array(count).fill(k);
  const distances = new Float64Array(count);
  for (let iteration = 0; iteration < mostIterations; iteration++) {
    if (!assign(points, centers, dimension, labels, distances)) break;
    fillEmpty(labels, distances, k);
    moveCenters(points, dimension, labels, centers);
  }
  assign(points, centers, dimension, labels, distances);
  // Points that coincide have all gone to the first of their clusters.
  fillEmpty(labels, distances, k);
  return { labels, centers, inertia: distances.reduce((sum, distance) => sum + distance, 0) };
}

/** The first uniformly among the points, each other with a chance in proportion to its squared distance. */
function firstCenters(points: Float64Array, dimension: number, k: number, draw: Stream): Float64Array {
  const count = points.length / dimension;
  const centers = new Float64Array(k * dimension);
  const nearest = new Float64Array(count).fill(Infinity);
  let chosen = draw.integer(0, count);
  for (let cluster = 0; cluster < k; cluster++) {
    centers.set(points.subarray(chosen * dimension, (chosen + 1) * dimension), cluster * dimension);
    let total = 0;
    for (let point = 0; point < count; point++) {
      const distance = squaredDistance(points, point, centers, cluster, dimension);
      if (distance < nearest[point]) nearest[point] = distance;
      total += nearest[point];
    }
    let left = draw.range(0, total);
    // Points that coincide leave a total of 0: then it is the last one.
    chosen = 0;
    while (chosen < count - 1 && left >= nearest[chosen]) left -= nearest[chosen++];
  }
  return centers;
}

/** Gives each point its nearest centre; whether any changed. */
function assign(
  points: Float64Array,
  centers: Float64Array,
  dimension: number,
  labels: Uint16Array,
  distances: Float64Array,
): boolean {
  const k = centers.length / dimension;
  let changed = false;
  for (let point = 0; point < labels.length; point++) {
    let best = Infinity;
    let label = 0;
    for (let cluster = 0; cluster < k; cluster++) {
      const distance = squaredDistance(points, point, centers, cluster, dimension);
      if (distance < best) [best, label] = [distance, cluster];
    }
    changed ||= labels[point] !== label;
    labels[point] = label;
    distances[point] = best;
  }
  return changed;
}

function fillEmpty(labels: Uint16Array, distances: Float64Array, k: number): void {
  const sizes = new Uint32Array(k);
  for (const label of labels) sizes[label]++;
  for (let cluster = 0; cluster < k; cluster++) {
    if (sizes[cluster] > 0) continue;
    let farthest = -1;
    for (let point = 0; point < labels.length; point++) {
      if (sizes[labels[point]] < 2) continue;
      if (farthest < 0 || distances[point] > distances[farthest]) farthest = point;
    }
    sizes[labels[farthest]]--;
    sizes[cluster]++;
    labels[farthest] = cluster;
    distances[farthest] = 0;
  }
}

function moveCenters(points: Float64Array, dimension: number, labels: Uint16Array, centers: Float64Array) {
  centers.fill(0);
  const sizes = new Uint32Array(centers.length / dimension);
  for (let point = 0; point < labels.length; point++) {
    sizes[labels[point]]++;
    for (let axis = 0; axis < dimension; axis++) {
      centers[labels[point] * dimension + axis] += points[point * dimension + axis];
    }
  }
  for (let at = 0; at < centers.length; at++) centers[at] /= sizes[Math.floor(at / dimension)];
}

function squaredDistance(
  points: Float64Array,
  point: number,
  centers: Float64Array,
  cluster: number,
  dimension: number,
): number {
  let sum = 0;
  for (let axis = 0; axis < dimension; axis++) {
    const difference = points[point * dimension + axis] - centers[cluster * dimension + axis];
    sum += difference * difference;
  }
  return sum;
}
