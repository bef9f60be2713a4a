import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { intersector } from "../../../splat/objects/intersect.ts";
import type { Shape } from "../../../splat/objects/solid.ts";

const SHAPES: readonly Shape[] = [
  { kind: "ellipsoid", radii: [0.7, 0.4, 0.5] },
  { kind: "dome", radii: [0.5, 0.8, 0.6] },
  { kind: "cone", bottomRadius: 0.6, topRadius: 0.2, halfHeight: 0.5 },
  { kind: "cone", bottomRadius: 0, topRadius: 0.7, halfHeight: 0.4 },
  { kind: "cone", bottomRadius: 0.45, topRadius: 0.45, halfHeight: 0.7 },
  { kind: "capsule", radius: 0.3, halfHeight: 0.5 },
  { kind: "prism", outline: [[-0.6, -0.4], [0.7, -0.3], [0.2, 0.6]], halfDepth: 0.35 },
];

Deno.test("intersector() meets shapes at their closed-form distances", () => {
  const ball = intersector({ kind: "ellipsoid", radii: [1, 2, 3] });
  assert.equal(ball(5, 0, 0, -1, 0, 0), 4);
  assert.equal(ball(5, 0, 0, -2, 0, 0), 2);
  assert.equal(ball(0, 0, 0, 0, 1, 0), 2);
  assert.equal(ball(5, 0, 0, 1, 0, 0), Infinity);
  const dome = intersector({ kind: "dome", radii: [1, 1, 1] });
  assert.equal(dome(0.5, 0, -3, 0, 0, 1), 3);
  assert.equal(dome(0, 0, 4, 0, 0, -1), 3);
  assert.equal(dome(4, 0, -0.01, -1, 0, 0), Infinity);
  const cylinder = intersector({ kind: "cone", bottomRadius: 1, topRadius: 1, halfHeight: 2 });
  assert.equal(cylinder(3, 0, 1, -1, 0, 0), 2);
  assert.equal(cylinder(0.5, 0.5, 9, 0, 0, -1), 7);
  assert.equal(cylinder(3, 0, 2.01, -1, 0, 0), Infinity);
  const cone = intersector({ kind: "cone", bottomRadius: 1, topRadius: 0, halfHeight: 1 });
  assert.equal(cone(3, 0, 0, -1, 0, 0), 2.5);
  // Parallel to the side on the right: the quadratic has no square term, and the side on the left is met at x = −0.75.
  assert.equal(cone(2, 0, -2, -0.5, 0, 1), Infinity);
  assert.equal(cone(-1.75, 0, 1.5, 0.5, 0, -1), 2);
  const capsule = intersector({ kind: "capsule", radius: 1, halfHeight: 2 });
  assert.equal(capsule(0, 0, 10, 0, 0, -1), 7);
  assert.equal(capsule(4, 0, 2, -1, 0, 0), 3);
  const box = intersector({ kind: "prism", outline: [[-1, -2], [1, -2], [1, 2], [-1, 2]], halfDepth: 3 });
  assert.equal(box(4, 0, 0, -1, 0, 0), 3);
  assert.equal(box(0, 7, 0, 0, -1, 0), 5);
  assert.equal(box(0, 0, -9, 0, 0, 2), 3);
  assert.equal(box(1.01, 9, 0, 0, -1, 0), Infinity);
});

Deno.test("intersector() agrees with marching through the shape's inequality", () => {
  const rays = Deno.env.get("BENCH_SOAK") ? 5000 : 150;
  const draw = stream(1, "rays");
  for (const shape of SHAPES) {
    const hit = intersector(shape);
    let hits = 0;
    for (let ray = 0; ray < rays; ray++) {
      const from = [0, 1, 2].map(() => draw.normal());
      const scale = 3 / Math.hypot(...from);
      const origin = from.map((v) => v * scale);
      const towards = [0, 1, 2].map(() => draw.range(-0.8, 0.8));
      const direction = towards.map((v, i) => v - origin[i]);
      const t = hit(origin[0], origin[1], origin[2], direction[0], direction[1], direction[2]);
      const marched = march(shape, origin, direction);
      if (marched === Infinity) {
        // The march may step over a sliver; then the hit must be a graze.
        if (t === Infinity) continue;
        const after = origin.map((v, i) => v + (t + 2e-3) * direction[i]);
        assert.ok(!inside(shape, after), `${shape.kind}: a hit that the march does not see`);
        continue;
      }
      hits++;
      assert.ok(Math.abs(t - marched) < 1e-9, `${shape.kind}: ${t}, marched ${marched}`);
    }
    assert.ok(hits > rays / 20, `${shape.kind}: only ${hits} rays hit`);
  }
});

/** First t at which the point is inside, by steps of 1/2000 and bisection. */
function march(shape: Shape, origin: number[], direction: number[]): number {
  const at = (t: number) => inside(shape, origin.map((v, i) => v + t * direction[i]));
  for (let step = 1; step <= 4000; step++) {
    if (!at(step / 2000)) continue;
    let [low, high] = [(step - 1) / 2000, step / 2000];
    for (let i = 0; i < 40; i++) {
      const middle = (low + high) / 2;
      if (at(middle)) high = middle;
      else low = middle;
    }
    return high;
  }
  return Infinity;
}

/** Membership, written from the definition of each shape. */
function inside(shape: Shape, [x, y, z]: number[]): boolean {
  switch (shape.kind) {
    case "ellipsoid":
      return (x / shape.radii[0]) ** 2 + (y / shape.radii[1]) ** 2 + (z / shape.radii[2]) ** 2 < 1;
    case "dome":
      return z > 0 && (x / shape.radii[0]) ** 2 + (y / shape.radii[1]) ** 2 + (z / shape.radii[2]) ** 2 < 1;
    case "cone": {
      const share = (z + shape.halfHeight) / (2 * shape.halfHeight);
      const radius = shape.bottomRadius + share * (shape.topRadius - shape.bottomRadius);
      return share > 0 && share < 1 && Math.hypot(x, y) < radius;
    }
    case "capsule": {
      const nearest = Math.min(Math.max(z, -shape.halfHeight), shape.halfHeight);
      return Math.hypot(x, y, z - nearest) < shape.radius;
    }
    case "prism":
      return Math.abs(z) < shape.halfDepth && shape.outline.every(([ax, ay], i) => {
        const [bx, by] = shape.outline[(i + 1) % shape.outline.length];
        return (bx - ax) * (y - ay) - (by - ay) * (x - ax) > 0;
      });
  }
}
