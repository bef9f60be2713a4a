import assert from "node:assert/strict";
import type { Image } from "../../../env/image.ts";
import { compositeOnWhite } from "../../../env/png.ts";
import type { Camera } from "../../../splat/camera.ts";
import { fitRecipeHash } from "../../../splat/fit/recipe.ts";
import { TASK_FITS } from "../../../splat/fit/task_fits.ts";
import { loadTask, taskFromFile } from "../../../splat/load_task.ts";
import { proceduralSolids } from "../../../splat/objects/procedural.ts";
import { apply, transpose } from "../../../splat/objects/rotation.ts";
import { ball } from "../../../splat/objects/solid.ts";
import { prepareScene, writePrepared } from "../../../splat/prepare/prepare_scene.ts";
import { readCapture, sourceDetails } from "../../../splat/prepare/read_capture.ts";
import type { Gaussian } from "../../../splat/scene.ts";
import type { SplatTask } from "../../../splat/task.ts";
import { EMBEDDED_TASKS } from "../../../tasks/embedded_tasks.ts";
import { readTaskFile } from "../../../tasks/read_task_file.ts";
import type { TaskFile } from "../../../tasks/task_file.ts";
import { sampleViews, STANDING } from "./sample_capture.ts";
import { nerfFiles, withFolder } from "./sample_layouts.ts";

const details = { object: "thing", licence: "CC0" };

Deno.test("prepareScene() makes the embedded task of its solids but for its fits, byte for byte", async () => {
  const { build } = await prepareScene(
    { kind: "solids", solids: proceduralSolids("snowman") },
    { object: "snowman", licence: "CC BY 4.0", effortSubset: true },
    { fit: false },
  );
  assert.ok(JSON.stringify(build) === JSON.stringify({ ...await snowman(), fits: undefined }));
});

Deno.test("prepareScene() gives back the pictures of a capture, seen by the same cameras but for one similarity", async () => {
  const lens = { fx: 60, fy: 60, cx: 24, cy: 24 };
  const views = sampleViews(STANDING, lens, { width: 48, height: 48 });
  const task = await withFolder(nerfFiles(views), async (folder) => {
    const capture = await readCapture("nerf-synthetic", folder);
    const { build } = await prepareScene({ kind: "capture", capture, options: { size: 48 } }, details, {
      fit: false,
    });
    return taskFromFile(build, "here");
  });
  const places = placesOf(task, views.map(({ photo }) => compositeOnWhite(photo)));
  assert.equal(new Set(places).size, 16, "every photo is used once at most");
  const prepared = [...task.reference, ...task.heldOut].map(({ camera }) => camera);
  // k from two eyes, then R' = R and e' = k (e − c) for one k and one c.
  const own = places.map((place) => views[place].own);
  const k = distance(prepared[0], prepared[9]) / distance(own[0], own[9]);
  const shift = eye(prepared[0]).map((value, axis) => value - k * eye(own[0])[axis]);
  prepared.forEach((camera, i) => {
    near(camera.rotation.flat(), own[i].rotation.flat(), 1e-9);
    near(eye(camera), eye(own[i]).map((value, axis) => k * value + shift[axis]), 1e-9);
    near([camera.fx, camera.fy, camera.cx, camera.cy], [60, 60, 24, 24], 1e-9);
  });
  // The hull is a little larger than the table, so the table becomes a little smaller than the cube.
  assert.ok(k > 0.85 && k < 1, `k = ${k}`);
});

Deno.test("prepareScene() photographs Gaussians from the standard rig", async () => {
  const options = { device: "software", fit: false };
  const black: Gaussian = {
    id: 4,
    mean: [0, 0, 0],
    scale: [0.2, 0.2, 0.2],
    quaternion: [1, 0, 0, 0],
    color: [0, 0, 0],
    opacity: 1,
    group: null,
  };
  const { build } = await prepareScene({ kind: "gaussians", scene: [black] }, details, options);
  const task = taskFromFile(build, "here");
  // All cameras of the rig look at the origin: the blot is in the middle of every picture, and nothing at its border.
  for (const { photo } of [...task.reference, ...task.heldOut]) {
    near(centroid(photo), [128, 128], 0.01);
    // Alpha is at most 0.99, so black lets 0.01 of the white paper through: 2.55 of 255.
    assert.equal(photo.data[3 * (128 * 256 + 128)], 3);
    assert.equal(photo.data[0], 255);
  }
  await assert.rejects(
    prepareScene({ kind: "gaussians", scene: new Array(200_000).fill(black) }, details, options),
    /it has 200000 Gaussians, 65000 are the most/,
  );
  await assert.rejects(
    prepareScene({ kind: "gaussians", scene: [{ ...black, mean: [0, -1.2, 0] }] }, details, options),
    /the Gaussians' means reach 1\.20 from the centre along an axis, 0\.9 is the most/,
  );
});

Deno.test("prepareScene() explains solids that leave the cube, an empty scene and a bad name", async () => {
  const solids = [ball([0.5, 0, 0], 0.6, "#112233")];
  await assert.rejects(
    prepareScene({ kind: "solids", solids }, details),
    /the solids reach 1\.10 from the centre/,
  );
  await assert.rejects(prepareScene({ kind: "solids", solids: [] }, details), /it is empty/);
  const small = [ball([0, 0, 0], 0.2, "#112233")];
  await assert.rejects(
    prepareScene({ kind: "solids", solids: small }, { object: "a/b", licence: "CC0" }),
    /task_id: letters, digits, dots/,
  );
});

Deno.test("prepareScene() fits what it photographed and takes the fit apart; writePrepared() stores photos once", async () => {
  const solids = [ball([0, 0, 0.2], 0.5, "#112233"), ball([0.1, 0, -0.5], 0.3, "#bb3311")];
  const progress: number[] = [];
  const make = (seed: number) =>
    prepareScene({ kind: "solids", solids }, details, {
      device: "software",
      seed,
      steps: 4,
      onProgress: (gaussians) => progress.push(gaussians),
    });
  const prepared = await make(7);
  const { build, reassembly } = prepared;
  assert.deepEqual(progress, [300, 64]);
  assert.equal(prepared.flat, null);
  assert.deepEqual(
    build.fits?.map(({ gaussians, scene, recipe_hash }) => [gaussians, scene.length, recipe_hash]),
    TASK_FITS.map((recipe) => [
      recipe.gaussians,
      recipe.gaussians,
      fitRecipeHash({ ...recipe, seed: 7, steps: 4 }),
    ]),
  );
  const other = await make(8);
  assert.notDeepEqual(other.build.fits, build.fits);
  assert.notDeepEqual(other.reassembly?.parts, reassembly?.parts);

  await withFolder({ "file": "x" }, async (folder) => {
    const paths = await writePrepared(`${folder}/new/out`, prepared);
    assert.deepEqual(paths, ["sculpt", "assemble"].map((end) => `${folder}/new/out/thing__${end}.json`));
    assert.equal([...Deno.readDirSync(`${folder}/new/out`)].length, 2);
    // Through JSON, which knows no −0.
    const stored = JSON.parse(JSON.stringify([build, reassembly]));
    assert.deepEqual([await readTaskFile(paths[0]), await readTaskFile(paths[1])], stored);
    assert.ok(!(await Deno.readTextFile(paths[1])).includes('"photo"'));
    const start = (await loadTask(paths[1])).start;
    assert.deepEqual([start.length, new Set(start.map(({ group }) => group)).size], [300, 6]);
    await assert.rejects(writePrepared(`${folder}/file`, prepared), /^BenchError: Cannot write \S+file: /);
  });
});

Deno.test("prepareScene() tells when its fit is no better than an empty scene", async () => {
  const solids = [ball([0, 0, 0], 0.5, "#ffffff")];
  const { flat } = await prepareScene({ kind: "solids", solids }, details, { device: "software", steps: 1 });
  assert.equal(flat, "psnr");
});

Deno.test("sourceDetails() knows the licences of the public data sets, and nobody else's chair", () => {
  assert.deepEqual(sourceDetails("nerf-synthetic", "data/nerf_synthetic/lego/"), {
    object: "lego",
    title: "LEGO bulldozer",
    licence: "CC BY-NC, model by Heinzelnisse, photos of NeRF-Synthetic; not for commercial use",
  });
  assert.match(sourceDetails("nsvf", "TanksAndTemple/Ignatius").licence, /non-commercial research only/);
  assert.match(sourceDetails("nsvf", "Jade").licence, /^CC BY 4\.0/);
  const unknown = (object: string) => ({ object, title: object, licence: "not stated by the source" });
  assert.deepEqual(sourceDetails("colmap", "My Shoe"), unknown("my-shoe"));
  assert.deepEqual(sourceDetails("colmap", "photos/chair"), unknown("chair"));
  assert.deepEqual(sourceDetails("ply", "a/point_cloud.ply"), unknown("point_cloud"));
});

Deno.test("readCapture() lists the layouts when there is none of that name", async () => {
  await assert.rejects(
    readCapture("nerf", "."),
    /nerf is no layout.+nerf-synthetic, nsvf, blendedmvs, colmap/,
  );
});

async function snowman(): Promise<TaskFile> {
  const [task] = EMBEDDED_TASKS.filter(({ id }) => id === "snowman__sculpt");
  return await task.load();
}

/** Which sample photo each view of the task shows, reference views first. */
function placesOf(task: SplatTask, photos: readonly Image[]): number[] {
  return [...task.reference, ...task.heldOut].map(({ photo }) => {
    const place = photos.findIndex(({ data }) => data.every((value, at) => value === photo.data[at]));
    assert.ok(place >= 0, "a photo came back changed");
    return place;
  });
}

function eye({ rotation, translation }: Camera): number[] {
  return apply(transpose(rotation), translation).map((value) => -value);
}

function distance(a: Camera, b: Camera): number {
  const [u, v] = [eye(a), eye(b)];
  return Math.hypot(u[0] - v[0], u[1] - v[1], u[2] - v[2]);
}

/** Of darkness, in pixels. */
function centroid({ width, height, data }: Image): number[] {
  let [sum, sumX, sumY] = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const dark = 255 - data[3 * (y * width + x)];
      sum += dark;
      sumX += dark * (x + 0.5);
      sumY += dark * (y + 0.5);
    }
  }
  return [sumX / sum, sumY / sum];
}

function near(actual: readonly number[], expected: readonly number[], tolerance: number): void {
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]) <= tolerance, `${actual}, expected ${expected} ± ${tolerance}`)
  );
}
