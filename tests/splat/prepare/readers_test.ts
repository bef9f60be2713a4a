import assert from "node:assert/strict";
import { compositeOnWhite, type RgbaImage } from "../../../env/png.ts";
import type { Camera } from "../../../splat/camera.ts";
import type { Capture } from "../../../splat/prepare/capture.ts";
import { CAPTURE_LAYOUTS } from "../../../splat/prepare/read_capture.ts";
import { LENS, LYING, PLAIN_LENS, type SampleView, sampleViews, STANDING } from "./sample_capture.ts";
import {
  blendedMvsFiles,
  colmapBinaryFiles,
  colmapTextFiles,
  type Files,
  nerfFiles,
  nsvfFiles,
  withFolder,
} from "./sample_layouts.ts";

const lying = sampleViews(LYING, LENS);
const standing = sampleViews(STANDING, PLAIN_LENS);
const large = sampleViews(
  LYING,
  { fx: 2.5 * LENS.fx, fy: 2.5 * LENS.fy, cx: 2.5 * LENS.cx, cy: 2.5 * LENS.cy },
  { width: 168, height: 129 },
  5,
);
const simple = sampleViews(LYING, { ...LENS, fy: LENS.fx });

const CASES: {
  layout: string;
  name: string;
  views: SampleView[];
  files: Files;
  lossless: boolean;
  up: unknown;
}[] = [
  {
    layout: "nerf-synthetic",
    name: "NeRF-Synthetic",
    views: standing,
    files: nerfFiles(standing),
    lossless: true,
    up: [0, 0, 1],
  },
  { layout: "nsvf", name: "NSVF", views: lying, files: nsvfFiles(lying), lossless: true, up: null },
  {
    layout: "blendedmvs",
    name: "BlendedMVS",
    views: large,
    files: blendedMvsFiles(large),
    lossless: false,
    up: null,
  },
  {
    layout: "colmap",
    name: "COLMAP text",
    views: lying,
    files: colmapTextFiles(lying),
    lossless: false,
    up: null,
  },
  {
    layout: "colmap",
    name: "COLMAP binary",
    views: simple,
    files: colmapBinaryFiles(simple),
    lossless: true,
    up: null,
  },
];

for (const { layout, name, views, files, lossless, up } of CASES) {
  Deno.test(`${layout} reader gives the cameras and cut-out photos that were written: ${name}`, async () => {
    await withFolder(files, async (folder) => {
      const capture = await CAPTURE_LAYOUTS[layout](folder);
      assert.deepEqual(capture.up, up);
      assert.equal(capture.views.length, views.length);
      for (const [i, { camera, photo }] of views.entries()) {
        const read = capture.views[i];
        nearCamera(read.camera, camera);
        const cut = await read.photo();
        if (lossless && layout !== "nsvf") assert.deepEqual(cut, photo);
        else comparePhotos(cut, photo, lossless);
      }
    });
  });
}

Deno.test("readNsvf() takes bbox.txt and the one-line intrinsics of Synthetic-NSVF", async () => {
  const files = {
    ...nsvfFiles(lying),
    "bbox.txt": "-1 -2 -3 4 5 6 0.25\n",
    "intrinsics.txt": "91.5 30.5 24.25 0.\n0. 0. 0.\n0.\n1.\n67 51\n",
  };
  const { box, views } = await withFolder(files, CAPTURE_LAYOUTS.nsvf);
  assert.deepEqual(box, { low: [-1, -2, -3], high: [4, 5, 6] });
  const { fx, fy, cx, cy } = views[0].camera;
  assert.deepEqual([fx, fy, cx, cy], [91.5, 91.5, 30.5, 24.25]);
});

Deno.test("readNerfSynthetic() joins the splits in the order train, val, test", async () => {
  const all = nerfFiles(standing);
  const { camera_angle_x, frames } = JSON.parse(String(all["transforms_train.json"]));
  const part = (from: number, to: number) =>
    JSON.stringify({ camera_angle_x, frames: frames.slice(from, to) });
  const files = {
    ...all,
    "transforms_test.json": part(0, 3),
    "transforms_train.json": part(3, 9),
    "transforms_val.json": part(9, 24),
  };
  const capture: Capture = await withFolder(files, CAPTURE_LAYOUTS["nerf-synthetic"]);
  const numbers = capture.views.map(({ name }) => Number(name.match(/r_(\d+)\.png$/)?.[1]));
  assert.deepEqual(numbers, [...Array(24).keys()].map((i) => (i + 3) % 24));
});

function nearCamera(actual: Camera, expected: Camera): void {
  const flat = ({ rotation, translation, fx, fy, cx, cy, width, height }: Camera) => [
    ...rotation.flat(),
    ...translation,
    ...[fx, fy, cx, cy, width, height],
  ];
  const [a, e] = [flat(actual), flat(expected)];
  a.forEach((value, i) =>
    assert.ok(Math.abs(value - e[i]) < 1e-9, `number ${i}: ${value}, expected ${e[i]}`)
  );
}

/**
 * Colours agree where both show the object, and the cut-outs agree: JPEG shifts colours a little and moves edges by a
 * pixel here and there, and small gaps of paper stay, white on white or too small to tell from shadow.
 */
function comparePhotos(actual: RgbaImage, expected: RgbaImage, lossless: boolean): void {
  assert.deepEqual([actual.width, actual.height], [expected.width, expected.height]);
  if (lossless) {
    const wanted = compositeOnWhite(expected).data;
    compositeOnWhite(actual).data.forEach((value, at) => assert.ok(Math.abs(value - wanted[at]) <= 5));
    return;
  }
  let [error, compared, lost, left] = [0, 0, 0, 0];
  for (let at = 0; at < expected.data.length; at += 4) {
    if (actual.data[at + 3] < expected.data[at + 3]) lost++;
    if (actual.data[at + 3] > expected.data[at + 3]) left++;
    if (actual.data[at + 3] === 0 || expected.data[at + 3] === 0) continue;
    for (let c = 0; c < 3; c++) error += Math.abs(actual.data[at + c] - expected.data[at + c]);
    compared += 3;
  }
  assert.ok(compared > 300, "the object is in the picture");
  assert.ok(lost + left <= 0.1 * compared / 3, `${lost} pixels lost, ${left} left of ${compared / 3}`);
  assert.ok(error <= 8 * compared, `colours differ by ${error / compared} on average`);
}
