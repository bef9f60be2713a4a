import assert from "node:assert/strict";
import { Triangle as ThreeTriangle, Vector3 as ThreeVector } from "three";
import { type Stream, stream } from "../../../env/random.ts";
import { dot, scaled, subtract, type Vector3 } from "../../../env/vector3.ts";
import { triangleDistanceSquared } from "../../../shadow/collision/triangle_distance.ts";

type Triangle = readonly [Vector3, Vector3, Vector3];

function apart(a: Triangle, b: Triangle): number {
  const corners = Uint32Array.from([0, 3, 6]);
  const [p, q] = [a, b].map((triangle) => Float64Array.from(triangle.flat()));
  return Math.sqrt(triangleDistanceSquared(p, corners, 0, q, corners, 0));
}

const FLOOR: Triangle = [[0, 0, 0], [4, 0, 0], [0, 4, 0]];

/** Another triangle and its distance from the floor's. */
const KNOWN: readonly [string, Triangle, number][] = [
  ["a corner over the face", [[1, 1, 0.5], [1, 2, 2], [2, 1, 3]], 0.5],
  ["a corner beside a side, in its plane", [[1, -2, 0], [1, -5, 0], [2, -5, 0]], 2],
  ["a corner off a corner", [[-3, -4, 0], [-5, -4, 1], [-3, -6, 1]], 5],
  ["an edge that crosses an edge, askew", [[2, -1, -2], [2, -1, 2], [2, -4, 0]], 1],
  ["parallel faces one over the other", [[1, 1, 7], [2, 1, 7], [1, 2, 7]], 7],
  ["the floor over a corner from below", [[0.5, 0.5, -0.25], [0, 0, -9], [1, 0, -9]], 0.25],
  ["an edge along the slanted side", [[5, 1, 0], [1, 5, 0], [5, 5, 0]], Math.SQRT2],
  ["one inside the other in one plane", [[1, 1, 0], [1.5, 1, 0], [1, 1.5, 0]], 0],
  ["one that passes through the face", [[1, 1, -1], [1, 1, 1], [9, 9, 1]], 0],
  ["a common corner", [[4, 0, 0], [6, 0, 1], [6, 1, 1]], 0],
  ["a needle without area", [[1, 1, 3], [2, 1, 3], [3, 1, 3]], 3],
];

Deno.test("triangleDistanceSquared() is the closed form at every kind of nearest place, in every order", () => {
  const orders = [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 2, 1], [2, 1, 0], [1, 0, 2]];
  for (const [what, other, wanted] of KNOWN) {
    for (const [i, j, k] of orders) {
      const turned: Triangle = [other[i], other[j], other[k]];
      for (const [a, b] of [[FLOOR, turned], [turned, FLOOR]]) {
        assert.ok(Math.abs(apart(a, b) - wanted) < 1e-14, `${what}: ${apart(a, b)}`);
      }
    }
  }
});

Deno.test("triangleDistanceSquared() lies between a separating plane's gap and points found by projecting to and fro", () => {
  const draw = stream(0, "triangle distance");
  let [cut, tight] = [0, 0];
  for (let k = 0; k < 300; k++) {
    const [a, b] = [randomTriangle(draw, 0), randomTriangle(draw, 1.2)];
    const found = apart(a, b);
    const { upper, lower } = bracket(a, b);
    assert.ok(found <= upper + 1e-12 && found >= lower - 1e-12, `pair ${k}: ${lower} ${found} ${upper}`);
    if (found === 0) cut += 1;
    else if (upper - lower < 1e-6) tight += 1;
  }
  assert.ok(cut > 20 && tight > 150, `${cut} cut, ${tight} known to a millionth`);
});

function randomTriangle(draw: Stream, away: number): Triangle {
  const corner =
    (): Vector3 => [draw.range(-1, 1) + draw.range(0, away), draw.range(-1, 1), draw.range(-1, 1)];
  return [corner(), corner(), corner()];
}

/** The distance from both sides: alternating projections (von Neumann), and the plane across what they end at. */
function bracket(a: Triangle, b: Triangle): { upper: number; lower: number } {
  const [s, t] = [a, b].map((corners) => new ThreeTriangle(...corners.map((p) => new ThreeVector(...p))));
  const [x, y] = [new ThreeVector(...a[0]), new ThreeVector()];
  for (let round = 0; round < 1000; round++) {
    t.closestPointToPoint(x, y);
    s.closestPointToPoint(y, x);
  }
  const across = subtract(y.toArray(), x.toArray());
  const upper = Math.hypot(...across);
  if (upper === 0) return { upper, lower: 0 };
  const along = scaled(across, 1 / upper);
  const gap = Math.min(...b.map((p) => dot(along, p))) - Math.max(...a.map((p) => dot(along, p)));
  return { upper, lower: Math.max(0, gap) };
}
