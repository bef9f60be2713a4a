import assert from "node:assert/strict";
import { gaussianRowSchema } from "../../../tasks/splat_rows.ts";
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { sceneToRows } from "../../../splat/scene.ts";

const SEEDS = Array.from({ length: Deno.env.get("BENCH_SOAK") ? 3000 : 200 }, (_, i) => i - 20);

Deno.test("randomBlobScene() stays within 300 Gaussians and, up to 3 σ, within the cube", () => {
  for (const seed of SEEDS) {
    const scene = randomBlobScene(seed);
    assert.ok(scene.length >= 24 && scene.length <= 300, `seed ${seed}: ${scene.length}`);
    assert.ok(new Set(scene.map(({ group }) => group)).size >= 2);
    scene.forEach(({ id, mean, scale, color, opacity, quaternion }, i) => {
      assert.equal(id, i + 1);
      const reach = Math.max(...mean.map(Math.abs)) + 3 * Math.max(...scale);
      assert.ok(reach <= 0.9 + 1e-12, `seed ${seed}: reaches ${reach}`);
      assert.ok(scale.every((value) => value > 0));
      assert.ok(Math.abs(Math.hypot(...quaternion) - 1) < 1e-12);
      assert.ok([...color, opacity].every((value) => value >= 0 && value <= 1));
    });
    sceneToRows(scene).forEach((row) => gaussianRowSchema.parse(row));
  }
});

Deno.test("randomBlobScene() repeats for a seed and differs between seeds", () => {
  assert.deepEqual(randomBlobScene(7), randomBlobScene(7));
  const scenes = new Set(SEEDS.map((seed) => JSON.stringify(randomBlobScene(seed))));
  assert.equal(scenes.size, SEEDS.length);
});
