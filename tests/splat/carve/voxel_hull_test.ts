import assert from "node:assert/strict";
import { orbitCamera } from "../../../splat/camera.ts";
import { frontPixels } from "../../../splat/carve/front_pixels.ts";
import { coloredSurface } from "../../../splat/carve/surface.ts";
import { isOnSurface, pixelAt, voxelCenter, voxelHull } from "../../../splat/carve/voxel_hull.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { ball, box, type Solid } from "../../../splat/objects/solid.ts";
import { standardRig } from "../../../splat/rig.ts";

const photograph = (solids: readonly Solid[]) =>
  standardRig().reference.map((camera) => ({ camera, photo: renderSolids(solids, camera).image }));

Deno.test("voxelHull() of a ball holds the ball and little more", () => {
  const center = [0.2, -0.1, 0.15] as const;
  const voxels = voxelHull(photograph([ball(center, 0.4, "#3060a0")]), 40);
  let volume = 0;
  voxels.filled.forEach((filled, at) => {
    const distance = Math.hypot(...voxelCenter(voxels, at).map((value, axis) => value - center[axis]));
    // A pixel is 0.013 wide at the ball.
    if (distance < 0.4 - 0.02) assert.equal(filled, 1, `${distance}`);
    // Seen from eight sides, no corner of the hull of a ball sticks out farther than this.
    if (distance > 0.4 * 1.35) assert.equal(filled, 0, `${distance}`);
    volume += filled * voxels.edge ** 3;
  });
  const ball4 = 4 / 3 * Math.PI * 0.4 ** 3;
  assert.ok(volume > 0.98 * ball4 && volume < 1.25 * ball4, `${volume / ball4}`);
});

Deno.test("voxelHull() keeps apart what photos keep apart, and is empty for empty photos", () => {
  const voxels = voxelHull(
    photograph([box([-0.5, 0, 0], [0.3, 0.3, 0.3], "#a03030"), ball([0.5, 0, 0], 0.15, "#30a030")]),
    40,
  );
  const filledAt = (x: number) => voxels.filled[(20 * 40 + 20) * 40 + Math.floor((x + 0.9) / voxels.edge)];
  assert.deepEqual([-0.5, 0, 0.5].map(filledAt), [1, 0, 1]);
  assert.ok(voxelHull(photograph([]), 12).filled.every((filled) => filled === 0));
});

Deno.test("isOnSurface() finds the faces of a cube", () => {
  const filled = new Uint8Array(7 ** 3);
  for (const k of [1, 2, 3, 4]) {
    for (const j of [2, 3, 4]) for (const i of [2, 3, 4]) filled[(k * 7 + j) * 7 + i] = 1;
  }
  const voxels = { n: 7, edge: 0.1, filled };
  const surface = [...filled.keys()].filter((at) => filled[at] && isOnSurface(voxels, at));
  assert.equal(surface.length, 36 - 2);
});

Deno.test("pixelAt() finds pixels of a camera that is not square, off its axis", () => {
  const camera = {
    ...orbitCamera({ azimuthDeg: 0, elevationDeg: 0, distance: 4, fovDeg: 90 }, 40, 30),
    cx: 17.5,
  };
  // From +X: +Y to the right, +Z up; the focal length is 20 pixels.
  assert.equal(pixelAt(camera, 0, 0, 0), 15 * 40 + 17);
  assert.equal(pixelAt(camera, 0, 1, 0.5), (15 - 3) * 40 + 17 + 5);
  assert.equal(pixelAt(camera, 0, -4, 0), -1);
  assert.equal(pixelAt(camera, 5, 0, 0), -1);
});

Deno.test("frontPixels() hides what lies behind another blob by more than the slack", () => {
  const camera = orbitCamera({ azimuthDeg: 90, elevationDeg: 0, distance: 3, fovDeg: 60 }, 33, 21);
  const at = (y: number, x = 0) => ({ mean: [x, y, 0] as const, radius: 0.1 });
  const pixels = frontPixels(camera, [at(0.5), at(0.4), at(-0.5), at(-0.5, 0.6)], 2);
  assert.deepEqual(Array.from(pixels, (pixel) => pixel >= 0), [true, true, false, true]);
});

Deno.test("coloredSurface() gives each side the colour that its photos show, and normals that point outwards", () => {
  const views = photograph([ball([0.15, 0, 0], 0.3, "#c02020"), ball([-0.15, 0, 0], 0.3, "#2020c0")]);
  const surface = coloredSurface(voxelHull(views, 48), views);
  let [right, sides] = [0, 0];
  for (const { center: [x, y, z], normal, color: [red, , blue] } of surface) {
    if (Math.abs(x) > 0.1) {
      sides++;
      if ((red > blue) === (x > 0)) right++;
    }
    const from = Math.sign(x) * 0.15;
    const outwards = normal[0] * (x - from) + normal[1] * y + normal[2] * z;
    if (Math.abs(x) > 0.25) assert.ok(outwards > 0, `${x} ${y} ${z}`);
  }
  assert.ok(right / sides > 0.97, `${right} of ${sides}`);
});
