import assert from "node:assert/strict";
import { fromAxisAngle, rotate } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { rotationBetween } from "../../splat/rotation_between.ts";

Deno.test("rotationBetween() finds the quaternion that turned the axes, up to its sign", () => {
  const axes: Vector3[] = [[1, 0, 0], [0, 1, 0], [0, 0, 1]];
  for (const degrees of [0, 30, 180, 250]) {
    const q = fromAxisAngle([0.3, -1, 2], degrees);
    const found = rotationBetween(axes, axes.map((axis) => rotate(q, axis)));
    const alike = Math.abs(found.reduce((sum, part, i) => sum + part * q[i], 0));
    assert.ok(Math.abs(alike - 1) < 1e-12, `${degrees}`);
  }
});
