import assert from "node:assert/strict";
import { windingNumber } from "../../../shadow/collision/winding_number.ts";

Deno.test("windingNumber() is 1 inside a tetrahedron, 0 outside, −1 where it is inside out", () => {
  const corners = Float64Array.from([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]].flat());
  const faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
  const offsets = Uint32Array.from(faces.flat(), (vertex) => 3 * vertex);
  const around = (point: number[], surface = offsets) =>
    windingNumber(corners, surface, Float64Array.from([9, ...point]), 1);
  const near = (got: number, want: number) => assert.ok(Math.abs(got - want) < 1e-12, `${got}, not ${want}`);
  near(around([0.1, 0.2, 0.3]), 1);
  near(around([0.33, 0.33, 0.33]), 1);
  near(around([0.34, 0.34, 0.34]), 0);
  near(around([-0.01, 0.2, 0.3]), 0);
  near(around([5, -4, 3]), 0);
  near(around([0.1, 0.2, 0.3], offsets.toReversed()), -1);
});
