import assert from "node:assert/strict";
import { fromAxisAngle, fromEuler, multiply, rotate } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";

function near(actual: readonly number[], expected: readonly number[]) {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) < 1e-12, `${actual} is not ${expected}`)
  );
}

Deno.test("fromAxisAngle() turns counter-clockwise: a quarter about each axis", () => {
  const turns: [Vector3, Vector3, Vector3][] = [
    [[0, 0, 2], [1, 0, 0], [0, 1, 0]],
    [[0.5, 0, 0], [0, 1, 0], [0, 0, 1]],
    [[0, 3, 0], [0, 0, 1], [1, 0, 0]],
  ];
  for (const [axis, from, to] of turns) near(rotate(fromAxisAngle(axis, 90), from), to);
});

Deno.test("fromEuler() turns about world X, then Y, then Z", () => {
  // By hand: (0,1,0) → X by 90° → (0,0,1) → Y by 90° → (1,0,0) → Z by 90° → (0,1,0).
  near(rotate(fromEuler([90, 90, 90]), [0, 1, 0]), [0, 1, 0]);
  // (0,0,1) → X by 90° → (0,−1,0) → Y leaves it → Z by 90° → (1,0,0).
  near(rotate(fromEuler([90, 0, 90]), [0, 0, 1]), [1, 0, 0]);
});

Deno.test("multiply() does its second factor first", () => {
  const [x, z] = [fromAxisAngle([1, 0, 0], 90), fromAxisAngle([0, 0, 1], 90)];
  near(rotate(multiply(z, x), [0, 1, 0]), rotate(z, rotate(x, [0, 1, 0])));
  near(rotate(multiply(z, x), [0, 1, 0]), [0, 0, 1]);
});
