import assert from "node:assert/strict";
import type { Gaussian, Scene } from "../../../splat/scene.ts";
import { mirrored } from "../../../splat/shape/mirror_scene.ts";
import { asymmetries, mirrorTest } from "../../../splat/shape/handedness.ts";

const at = (x: number, y: number): Gaussian => ({
  id: 1,
  mean: [x, y, 0],
  scale: [0.1, 0.1, 0.1],
  quaternion: [1, 0, 0, 0],
  color: [0, 0, 0],
  opacity: 1,
  group: null,
});

/** 100 for the object itself, 40 points less for each unit that its parts are off. */
const scorer = (object: Scene) => (scenes: readonly Scene[]) =>
  Promise.resolve(
    scenes.map((scene) =>
      100 - 40 * scene.reduce((sum, { mean }, i) =>
          sum + Math.hypot(mean[0] - object[i].mean[0], mean[1] - object[i].mean[1]), 0)
    ),
  );

// An L in the plane: no vertical mirror maps it to itself.
const OBJECT = [at(0.6, 0), at(0, 0.3), at(-0.2, -0.5)];

Deno.test("mirrorTest() gives 1 for the object itself and is not mirrored", async () => {
  const score = scorer(OBJECT);
  const asymmetry = await asymmetries(OBJECT, score);
  assert.ok(asymmetry.every((points) => points > 5), String(asymmetry));
  const result = await mirrorTest(OBJECT, 100, asymmetry, score);
  assert.equal(result.mirrored, false);
  assert.ok(result.mirrorIndex !== null && Math.abs(result.mirrorIndex - 1) < 1e-9);
  assert.equal(result.bestMirroredScore, 100 - Math.min(...asymmetry));
});

Deno.test("mirrorTest() finds the mirror image about any of the planes", async () => {
  const score = scorer(OBJECT);
  const asymmetry = await asymmetries(OBJECT, score);
  for (const normal of [0, 45, 112.5]) {
    const build = mirrored(OBJECT, normal);
    const [own] = await score([build]);
    const result = await mirrorTest(build, own, asymmetry, score);
    assert.equal(result.mirrored, true);
    assert.ok(Math.abs(result.bestMirroredScore - 100) < 1e-9, "one mirror undoes the other");
    // Mirrored about f, the gap is what the object itself loses, negative.
    assert.ok(result.mirrorIndex !== null && result.mirrorIndex < -0.99, String(result.mirrorIndex));
  }
});

Deno.test("mirrorTest() says nothing of the handedness of a symmetric object", async () => {
  const ball = [at(0, 0)];
  const score = scorer(ball);
  const asymmetry = await asymmetries(ball, score);
  assert.ok(asymmetry.every((points) => Math.abs(points) < 1e-9));
  const { mirrored, mirrorIndex } = await mirrorTest(ball, 100, asymmetry, score);
  assert.deepEqual([mirrored, mirrorIndex], [false, null]);
});

Deno.test("mirrorTest() wants a mirror image to win by more than twice the noise", async () => {
  const score = (gain: number) => () => Promise.resolve([50 + gain, 10, 10, 10, 10, 10, 10, 10]);
  const asymmetry = Array(8).fill(20);
  assert.equal((await mirrorTest(OBJECT, 50, asymmetry, score(0.6))).mirrored, false);
  assert.equal((await mirrorTest(OBJECT, 50, asymmetry, score(0.61))).mirrored, true);
});
