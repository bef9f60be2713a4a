import assert from "node:assert/strict";
import { blankImage } from "../../../env/image.ts";
import { offsetFrom } from "../../../splat/carve/offset.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { ball, box } from "../../../splat/objects/solid.ts";
import { standardRig } from "../../../splat/rig.ts";
import type { Vector3 } from "../../../env/vector3.ts";

const CAMERAS = standardRig().reference;
const draw = ([x, y, z]: Vector3) =>
  CAMERAS.map((camera) =>
    renderSolids([
      ball([x, y, z], 0.2, "#a04020"),
      box([x + 0.15, y, z + 0.2], [0.2, 0.3, 0.1], "#2040a0"),
    ], camera).image
  );

Deno.test("offsetFrom() finds how far solids were moved, to first order", () => {
  const wanted = draw([0, 0, 0]);
  const views = CAMERAS.map((camera, v) => ({ camera, photo: wanted[v] }));
  assert.deepEqual(offsetFrom(wanted, views), [0, 0, 0]);
  for (const moved of [[0.1, 0, 0], [0, -0.08, 0.12], [-0.05, 0.05, -0.2]] satisfies Vector3[]) {
    const found = offsetFrom(draw(moved), views);
    // Perspective: up to a twentieth of the way, since depth changes along it.
    found.forEach((value, axis) => {
      assert.ok(Math.abs(value + moved[axis]) < 0.06 * Math.hypot(...moved), `${found} for ${moved}`);
    });
  }
});

Deno.test("offsetFrom() leaves out views without an object, and moves nothing when none is left", () => {
  const paper = CAMERAS.map(() => blankImage(256, 256));
  const views = CAMERAS.map((camera, v) => ({ camera, photo: paper[v] }));
  assert.deepEqual(offsetFrom(draw([0, 0, 0]), views), [0, 0, 0]);
  const wanted = draw([0, 0, 0]);
  const half = CAMERAS.map((camera, v) => ({ camera, photo: v < 4 ? wanted[v] : paper[v] }));
  const [x] = offsetFrom(draw([0.1, 0, 0]), half);
  assert.ok(Math.abs(x + 0.1) < 0.006, `${x}`);
});
