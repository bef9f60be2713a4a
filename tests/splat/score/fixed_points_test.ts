import assert from "node:assert/strict";
import { join } from "node:path";
import { blankImage } from "../../../env/image.ts";
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { fixedPointsKey, FixedPointStore } from "../../../splat/score/fixed_points.ts";
import type { TaskFit } from "../../../splat/task.ts";
import { stubTask } from "../../support/splat_stub.ts";

const POINTS = { empty: { psnr: 12, ssim: 0.5 }, fit: { psnr: 28, ssim: 0.9 } };
const never = () => Promise.reject(new Error("must not measure"));

async function inFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await work(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("FixedPointStore measures a key once, for all who ask at the same time, too", async () => {
  let measured = 0;
  const measure = () => {
    measured++;
    return Promise.resolve(POINTS);
  };
  const store = new FixedPointStore("partial", null);
  await Promise.all([store.get("a", measure), store.get("a", measure)]);
  assert.deepEqual(await store.get("a", never), POINTS);
  await store.get("b", measure);
  assert.equal(measured, 2);
});

Deno.test("FixedPointStore does not keep a failure", async () => {
  const store = new FixedPointStore("partial", null);
  await assert.rejects(store.get("a", never), /must not measure/);
  assert.deepEqual(await store.get("a", () => Promise.resolve(POINTS)), POINTS);
});

Deno.test("FixedPointStore keeps fixed points for other processes", () =>
  inFolder(async (folder) => {
    await new FixedPointStore("partial", folder).get("a", () => Promise.resolve(POINTS));
    assert.deepEqual(await new FixedPointStore("partial", folder).get("a", never), POINTS);
    assert.deepEqual([...Deno.readDirSync(join(folder, "fixed_points"))].map(({ name }) => name), ["a.json"]);
  }));

Deno.test("FixedPointStore measures again where a file is damaged or of the other kind", () =>
  inFolder(async (folder) => {
    await Deno.mkdir(join(folder, "fixed_points"));
    for (const text of ["", '{"empty": {}}', JSON.stringify({ ...POINTS, fit: { psnr: null, ssim: 0.9 } })]) {
      await Deno.writeTextFile(join(folder, "fixed_points", "a.json"), text);
      const store = new FixedPointStore("partial", folder);
      assert.deepEqual(await store.get("a", () => Promise.resolve(POINTS)), POINTS);
    }
    await assert.rejects(new FixedPointStore("full", folder).get("a", never), /must not measure/);
  }));

Deno.test("FixedPointStore works where its folder cannot be written", () =>
  inFolder(async (folder) => {
    const file = join(folder, "file");
    await Deno.writeTextFile(file, "");
    const store = new FixedPointStore("partial", file);
    assert.deepEqual(await store.get("a", () => Promise.resolve(POINTS)), POINTS);
  }));

Deno.test("fixedPointsKey() changes with the fit, a photo, a camera and the conventions, and with nothing else", () => {
  const fit: TaskFit = { gaussians: 300, scene: randomBlobScene(3), recipeHash: "r" };
  const task = stubTask();
  const [first, ...rest] = task.heldOut;
  const keys = [
    fixedPointsKey(task, fit, { device: "a" }),
    fixedPointsKey(task, { ...fit, scene: fit.scene.slice(1) }, { device: "a" }),
    fixedPointsKey(task, fit, { device: "b" }),
    fixedPointsKey(
      { ...task, heldOut: [{ ...first, photo: blankImage(24, 18, [1, 2, 3]) }, ...rest] },
      fit,
      { device: "a" },
    ),
    fixedPointsKey(
      { ...task, heldOut: [{ ...first, camera: { ...first.camera, fx: 31 } }, ...rest] },
      fit,
      { device: "a" },
    ),
  ];
  assert.equal(new Set(keys).size, keys.length);
  assert.equal(
    fixedPointsKey({ ...task, object: "other" }, { ...fit, recipeHash: "s" }, { device: "a" }),
    keys[0],
  );
});
