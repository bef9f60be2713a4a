import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { captureViews } from "../../../splat/prepare/capture_views.ts";
import { CAPTURE_LAYOUTS } from "../../../splat/prepare/read_capture.ts";
import { LENS, LYING, PLAIN_LENS, rgbaPng, rgbPng, sampleViews, STANDING } from "./sample_capture.ts";
import {
  blendedMvsFiles,
  colmapBinaryFiles,
  colmapTextFiles,
  f64,
  type Files,
  nerfFiles,
  nsvfFiles,
  u32,
  u64,
  withFolder,
} from "./sample_layouts.ts";

const standing = sampleViews(STANDING, PLAIN_LENS);
const lying = sampleViews(LYING, LENS);
const other = sampleViews(LYING, LENS, { width: 40, height: 40 }, 1)[0].photo;
const empty = { ...standing[0].photo, data: new Uint8Array(standing[0].photo.data.length) };

const transforms = JSON.parse(String(nerfFiles(standing)["transforms_train.json"]));
const edited = (edit: (copy: typeof transforms) => void): Files => {
  const copy = structuredClone(transforms);
  edit(copy);
  return { "transforms_train.json": JSON.stringify(copy) };
};
const cameraBin = (model: number) =>
  new Uint8Array([...u64(1), ...u32(7), ...u32(model), ...u64(67), ...u64(51), ...f64(88, 31, 27)]);

/** What is wrong, files that replace the good ones (null removes), and what the one line must say. */
const CASES: Record<string, { good: Files; bad: [string, Record<string, Files[string] | null>, RegExp][] }> =
  {
    "nerf-synthetic": {
      good: nerfFiles(standing),
      bad: [
        [
          "no transforms",
          { "transforms_train.json": null },
          /^Cannot read \S+: it has no transforms_train\.json/,
        ],
        ["broken JSON", { "transforms_train.json": "{" }, /transforms_train\.json: not valid JSON \(/],
        ["no angle", edited((t) => delete t.camera_angle_x), /transforms_train\.json: camera_angle_x: /],
        ["no frames", edited((t) => t.frames = []), /transforms_train\.json: frames: /],
        [
          "a word in a matrix",
          edited((t) => t.frames[3].transform_matrix[1][2] = "x"),
          /frames\[3\]\.transform_matrix\[1\]\[2\]: /,
        ],
        [
          "a matrix that is no rotation",
          edited((t) => t.frames[3].transform_matrix[1][2] += 0.2),
          /frames\[3\]\.transform_matrix: not a rotation/,
        ],
        [
          "a missing photo",
          { "train/r_5.png": null },
          /frames\[5\]\.file_path: there is no photo \S+train\/r_5\.png/,
        ],
        [
          "a photo of other size",
          { "train/r_5.png": rgbaPng(other) },
          /r_5\.png: the picture has 40 × 40 pixels, its camera 67 × 51/,
        ],
        [
          "a damaged photo",
          { "train/r_5.png": rgbaPng(other).slice(0, 90) },
          /^Cannot read \S+r_5\.png: .+PNG or JPEG/,
        ],
        [
          "a photo that is text",
          { "train/r_5.png": "<html>" },
          /r_5\.png: it does not begin with the PNG signature/,
        ],
        ["no alpha", { "train/r_5.png": rgbPng(standing[5].photo) }, /r_5\.png: it has no transparent pixel/],
        [
          "an empty photo",
          { "train/r_5.png": rgbaPng(empty) },
          /r_5\.png: its mask or alpha shows no object/,
        ],
        [
          "15 frames",
          edited((t) => t.frames.length = 15),
          /^Cannot prepare a task from \S+: its 15 photos have 15 different cameras, 16 are needed/,
        ],
        [
          "24 frames of 15 cameras",
          edited((t) => t.frames.fill(t.frames[14], 15)),
          /its 24 photos have 15 different cameras, 16 are needed/,
        ],
        [
          "every camera with its neighbour's photo",
          edited((t) =>
            t.frames.forEach((frame: { file_path: string }, i: number) =>
              frame.file_path = `train/r_${(i + 5) % 24}`
            )
          ),
          /^Cannot use the photo \S+: only \d+% of its object lies where .+ and 24 of 24 photos have too little/,
        ],
      ],
    },
    nsvf: {
      good: nsvfFiles(lying),
      bad: [
        [
          "no rgb folder",
          Object.fromEntries(
            Object.keys(nsvfFiles(lying)).filter((name) => name.startsWith("rgb")).map((
              name,
            ) => [name, null]),
          ),
          /rgb: there is no such folder/,
        ],
        ["no intrinsics", { "intrinsics.txt": null }, /intrinsics\.txt: there is no such file/],
        [
          "a word in the intrinsics",
          { "intrinsics.txt": "1 0 0\n0 f 0\n0 0 1" },
          /intrinsics\.txt: line 2: "f" is no number/,
        ],
        [
          "too few intrinsics",
          { "intrinsics.txt": "1 0\n0 1" },
          /intrinsics\.txt: a matrix of 3 × 3 or 4 × 4/,
        ],
        [
          "a missing pose",
          { "pose/0_0003.txt": null },
          /rgb\/0_0003\.png: its camera pose\/0_0003\.txt is missing/,
        ],
        [
          "a missing photo",
          { "rgb/0_0003.png": null },
          /pose\/0_0003\.txt: its photo rgb\/0_0003\.png is missing/,
        ],
        [
          "a short pose",
          { "pose/0_0003.txt": "1 0 0 0\n0 1 0 0\n0 0 1" },
          /0_0003\.txt: a matrix of 4 × 4 is needed, its rows have 4, 4, 3/,
        ],
        ["a flat box", { "bbox.txt": "0 0 0 1 1 0 0.1" }, /bbox\.txt: six numbers are needed/],
        ["a box elsewhere", { "bbox.txt": "90 90 90 91 91 91 0.1" }, /no place agrees with all silhouettes/],
      ],
    },
    blendedmvs: {
      good: blendedMvsFiles(lying),
      bad: [
        [
          "no masked photo",
          { "blended_images/00000004_masked.jpg": null },
          /00000004_cam\.txt: there is no masked photo/,
        ],
        [
          "no extrinsic",
          { "cams/00000004_cam.txt": "intrinsic\n1 0 0 0 1 0 0 0 1" },
          /00000004_cam\.txt: extrinsic: the word is missing/,
        ],
        [
          "a short extrinsic",
          { "cams/00000004_cam.txt": "extrinsic 1 2" },
          /extrinsic: 16 numbers are needed, there are 2/,
        ],
        ["a cut-off photo", {
          "blended_images/00000004_masked.jpg": new Uint8Array([0xff, 0xd8, 0xff, 0xe0]),
        }, /^Cannot read \S+00000004_masked\.jpg: /],
      ],
    },
    colmap: {
      good: colmapTextFiles(lying),
      bad: [
        ["no model", { "sparse/0/cameras.txt": null }, /it has no sparse\/0\/cameras\.bin or cameras\.txt/],
        ["no images.txt", { "sparse/0/images.txt": null }, /images\.txt: there is no such file/],
        [
          "distortion",
          { "sparse/0/cameras.txt": "7 OPENCV 67 51 88 84 31 27 0 0 0 0" },
          /cameras\.txt: camera 7: the model OPENCV is not PINHOLE.+image_undistorter/,
        ],
        [
          "binary distortion",
          { "sparse/0/cameras.bin": cameraBin(2), "sparse/0/images.bin": u64(0) },
          /cameras\.bin: camera 7: the model SIMPLE_RADIAL/,
        ],
        ["a cut-off binary", {
          "sparse/0/cameras.bin": cameraBin(0).slice(0, 40),
          "sparse/0/images.bin": u64(0),
        }, /cameras\.bin: it is cut off after 40 bytes/],
        [
          "cut-off binary images",
          { "sparse/0/cameras.bin": cameraBin(0), "sparse/0/images.bin": u64(1) },
          /images\.bin: it is cut off after 8 bytes/,
        ],
        [
          "no images",
          { "sparse/0/cameras.bin": cameraBin(0), "sparse/0/images.bin": u64(0) },
          /images\.bin: it lists no images/,
        ],
        [
          "an unknown camera",
          { "sparse/0/cameras.txt": "8 PINHOLE 67 51 88 84 31 27" },
          /images\.txt: image \d+: its camera 7 is not in \S+cameras\.txt/,
        ],
        [
          "too few parameters",
          { "sparse/0/cameras.txt": "7 PINHOLE 67 51 88 84 31" },
          /camera 7: PINHOLE has 4 parameters, not 3/,
        ],
        [
          "a missing photo",
          { "images/side a/3.jpg": null },
          /images\.txt: image 4: there is no photo \S+side a\/3\.jpg/,
        ],
        [
          "a missing mask",
          { "masks/side a/4.png": null },
          /side a\/4\.jpg: its mask \S+masks\/side a\/4\.jpg\.png is missing/,
        ],
        [
          "a mask of other size",
          { "masks/side a/4.png": rgbaPng(other) },
          /masks\/side a\/4\.png: the picture has 40 × 40 pixels/,
        ],
      ],
    },
  };

for (const [layout, { good, bad }] of Object.entries(CASES)) {
  for (const [name, changes, message] of bad) {
    Deno.test(`${layout}: one line names file and field, ${name}`, async () => {
      const files = Object.entries({ ...good, ...changes }).flatMap(([file, content]) =>
        content === null ? [] : [[file, content]]
      );
      await withFolder(Object.fromEntries(files), async (folder) => {
        await assert.rejects(
          async () => await captureViews(await CAPTURE_LAYOUTS[layout](folder), { size: 16 }),
          (error) => {
            assert.ok(error instanceof BenchError, String(error));
            assert.match(error.message, message);
            assert.doesNotMatch(error.message, /\n/);
            return true;
          },
        );
      });
    });
  }
}

Deno.test("colmap: a folder of masks that is named must be there, even for transparent photos", async () => {
  await withFolder(colmapBinaryFiles(lying), async (folder) => {
    await assert.rejects(
      CAPTURE_LAYOUTS.colmap(folder, `${folder}/nowhere`),
      /^BenchError: Cannot read \S+nowhere: there is no such folder\. Name the folder of the masks$/,
    );
  });
});

Deno.test("colmap: a folder of transparent photos needs no masks", async () => {
  const views = sampleViews(LYING, { ...LENS, fy: LENS.fx });
  const { reference } = await withFolder(
    colmapBinaryFiles(views),
    async (folder) => await captureViews(await CAPTURE_LAYOUTS.colmap(folder), { size: 16 }),
  );
  assert.equal(reference.length, 8);
});
