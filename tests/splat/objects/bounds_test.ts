import assert from "node:assert/strict";
import { boundsOf, solidBounds } from "../../../splat/objects/bounds.ts";
import { turn } from "../../../splat/objects/rotation.ts";
import { ball, box, capsule, cone, dome, ellipsoid, prism } from "../../../splat/objects/solid.ts";

const COLOR = "#808080";

Deno.test("solidBounds() is exact for turned solids", () => {
  const h = Math.SQRT1_2;
  close(solidBounds(box([1, 0, 0], [2, 2, 4], COLOR, turn([0, 0, 1], 45))), [1 - 2 * h, -2 * h, -2], [
    1 + 2 * h,
    2 * h,
    2,
  ]);
  // Half extents of an ellipsoid turned by 30°: √(a² cos² + b² sin²).
  const [wide, deep] = [Math.sqrt(9 * 0.75 + 0.25), Math.sqrt(9 * 0.25 + 0.75)];
  const turned = ellipsoid([0, 0, 0], [3, 1, 2], COLOR, turn([0, 0, 1], 30));
  close(solidBounds(turned), [-wide, -deep, -2], [wide, deep, 2]);
  close(solidBounds(capsule([0, 0, 0], [1, 2, 3], 0.5, COLOR)), [-0.5, -0.5, -0.5], [1.5, 2.5, 3.5]);
  // Discs at the ends of an axis along (1, 1, 0): r √½ in x and y, r in z.
  close(solidBounds(cone([0, 0, 0], [2, 2, 0], 1, 0.5, COLOR)), [-h, -h, -1], [2 + h / 2, 2 + h / 2, 1]);
  close(solidBounds(dome([0, 0, 1], [1, 2, 3], COLOR)), [-1, -2, 1], [1, 2, 4]);
  close(solidBounds(dome([0, 0, 0], [1, 2, 3], COLOR, turn([1, 0, 0], 180))), [-1, -2, -3], [1, 2, 0]);
  close(solidBounds(prism([0, 0, 0], [[0, 0], [1, 0], [0, 2]], 1, COLOR)), [0, 0, -0.5], [1, 2, 0.5]);
});

Deno.test("boundsOf() spans all solids", () => {
  close(boundsOf([ball([1, 0, 0], 0.5, COLOR), ball([0, -2, 3], 1, COLOR)]), [-1, -3, -0.5], [1.5, 0.5, 4]);
});

function close(
  bounds: { low: readonly number[]; high: readonly number[] },
  low: number[],
  high: number[],
): void {
  const off = [...bounds.low, ...bounds.high].map((value, i) => Math.abs(value - [...low, ...high][i]));
  assert.ok(Math.max(...off) < 1e-12, JSON.stringify(bounds));
}
