import assert from "node:assert/strict";
import { stream } from "../../env/random.ts";
import { kMeans } from "../../splat/k_means.ts";

Deno.test("kMeans() finds clusters that lie apart, whatever the seed", () => {
  const draw = stream(1, "apart");
  const truth = Array.from({ length: 203 }, (_, i) => i % 5);
  const points = truth.flatMap((cluster) => [
    10 * cluster + draw.range(-1, 1),
    (cluster % 2) * 20 + draw.range(-1, 1),
    draw.range(-1, 1),
  ]);
  for (let seed = 0; seed < 5; seed++) {
    const { labels } = kMeans(Float64Array.from(points), 3, 5, stream(seed, "k-means"));
    const pairs = new Set(truth.map((cluster, i) => `${cluster} ${labels[i]}`));
    assert.equal(pairs.size, 5, "each true cluster is one found cluster");
  }
});

Deno.test("kMeans() finds the best of all partitions of a few points in one dimension", () => {
  // Optimal clusters of points on a line are runs of them: every pair of cuts is tried.
  const points = Float64Array.from([0, 0.4, 1, 3, 3.3, 4.1, 7, 7.5, 9]);
  const spread = (run: Float64Array) => {
    const mean = run.reduce((sum, x) => sum + x, 0) / run.length;
    return run.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  };
  const costs: number[] = [];
  for (let a = 1; a < 8; a++) {
    for (let b = a + 1; b < 9; b++) {
      costs.push(spread(points.slice(0, a)) + spread(points.slice(a, b)) + spread(points.slice(b)));
    }
  }
  const found = Array.from({ length: 10 }, (_, seed) => kMeans(points, 1, 3, stream(seed, "line")).inertia);
  assert.ok(found.every((inertia) => inertia >= Math.min(...costs) - 1e-12));
  assert.ok(Math.abs(Math.min(...found) - Math.min(...costs)) < 1e-12);
});

Deno.test("kMeans() ends where points are nearest to their own centre and centres are means", () => {
  const draw = stream(2, "cloud");
  const points = Float64Array.from({ length: 4 * 301 }, () => draw.normal());
  const { labels, centers, inertia } = kMeans(points, 4, 7, stream(3, "cloud"));
  const distance = (point: number, cluster: number) =>
    [0, 1, 2, 3].reduce((sum, i) => sum + (points[4 * point + i] - centers[4 * cluster + i]) ** 2, 0);
  let total = 0;
  for (let point = 0; point < 301; point++) {
    const own = distance(point, labels[point]);
    for (let cluster = 0; cluster < 7; cluster++) assert.ok(own <= distance(point, cluster));
    total += own;
  }
  assert.ok(Math.abs(total - inertia) < 1e-9);
  for (let cluster = 0; cluster < 7; cluster++) {
    const members = Array.from(labels.keys()).filter((point) => labels[point] === cluster);
    for (let axis = 0; axis < 4; axis++) {
      const mean = members.reduce((sum, point) => sum + points[4 * point + axis], 0) / members.length;
      assert.ok(Math.abs(mean - centers[4 * cluster + axis]) < 1e-12);
    }
  }
});

Deno.test("kMeans() leaves no cluster empty where points coincide, and refuses too few", () => {
  const points = Float64Array.from([1, 1, 1, 1, 2, 2, 5]);
  for (let seed = 0; seed < 20; seed++) {
    const { labels } = kMeans(points, 1, 5, stream(seed, "equal"));
    assert.equal(new Set(labels).size, 5);
  }
  assert.throws(() => kMeans(points, 1, 8, stream(0, "x")), /Cannot make 8 clusters: there are 7 points/);
  assert.throws(() => kMeans(points, 1, 0, stream(0, "x")), /Cannot make 0 clusters/);
});
