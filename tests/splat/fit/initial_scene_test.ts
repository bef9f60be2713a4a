import assert from "node:assert/strict";
import { orbitCamera } from "../../../splat/camera.ts";
import { initialScene } from "../../../splat/fit/initial_scene.ts";
import { DEFAULT_FIT } from "../../../splat/fit/recipe.ts";
import { renderSolids } from "../../../splat/objects/render_solids.ts";
import { ball } from "../../../splat/objects/solid.ts";
import type { View } from "../../../splat/task.ts";

const RADIUS = 0.4;
const recipe = { ...DEFAULT_FIT, gaussians: 64 };

/** Photos of a red ball at the origin. */
function ballViews(): View[] {
  const solids = [ball([0, 0, 0], RADIUS, "#cc3319")];
  return [[0, 0], [90, 10], [200, 40], [300, 80]].map(([azimuthDeg, elevationDeg]) => {
    const camera = orbitCamera({ azimuthDeg, elevationDeg, distance: 4, fovDeg: 40 }, 91, 75);
    return { camera, photo: renderSolids(solids, camera).image };
  });
}

Deno.test("initialScene() puts every mean inside the object's silhouettes when asked for the hull", () => {
  const scene = initialScene(ballViews(), recipe);
  assert.equal(scene.length, 64);
  for (const { mean, color, scale } of scene) {
    // The hull of four views of a ball reaches a little beyond it.
    assert.ok(Math.hypot(...mean) < 1.35 * RADIUS, `${mean}`);
    // On the rim photos mix the object with white.
    const inside = Math.hypot(...mean) < 0.8 * RADIUS;
    assert.ok(!inside || Math.abs(color[0] - 0.8) < 0.02 && Math.abs(color[1] - 0.2) < 0.02, `${color}`);
    assert.ok(scale[0] > 0.003 && scale[0] < RADIUS);
  }
});

Deno.test("initialScene() fills the box when asked for the box, and when no silhouette leaves room", () => {
  const [view] = ballViews();
  const white = { ...view, photo: { ...view.photo, data: view.photo.data.map(() => 255) } };
  for (const scene of [initialScene([view], { ...recipe, init: "box" }), initialScene([white], recipe)]) {
    assert.equal(scene.length, 64);
    for (const axis of [0, 1, 2]) {
      const places = scene.map(({ mean }) => mean[axis]);
      assert.ok(Math.min(...places) < -0.7 && Math.max(...places) > 0.7);
      assert.ok(places.every((place) => Math.abs(place) <= 0.9));
    }
  }
});

Deno.test("initialScene() is the same for the same seed and another for another", () => {
  const views = ballViews();
  assert.deepEqual(initialScene(views, recipe), initialScene(views, recipe));
  assert.notDeepEqual(initialScene(views, recipe), initialScene(views, { ...recipe, seed: 1 }));
});
