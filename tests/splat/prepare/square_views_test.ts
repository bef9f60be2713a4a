import assert from "node:assert/strict";
import type { RgbaImage } from "../../../env/png.ts";
import { orbitCamera } from "../../../splat/camera.ts";
import { applyMask, clearPaper, PAPER } from "../../../splat/prepare/masks.ts";
import { Silhouette } from "../../../splat/prepare/silhouette.ts";
import { cutCamera, squareViews } from "../../../splat/prepare/square_views.ts";

const camera = (width: number, height: number) => ({
  ...orbitCamera({ azimuthDeg: 30, elevationDeg: 10, distance: 4, fovDeg: 40 }, width, height),
  fx: 90,
  fy: 70,
  cx: 20.25,
  cy: 11.5,
});

Deno.test("squareViews() composites before it shrinks: transparent black never darkens an edge", () => {
  // Half of the left two columns red, everything else transparent black.
  const photo = rgba(4, 4, (x) => x < 2 ? [255, 0, 0, x === 0 ? 255 : 128] : [0, 0, 0, 0]);
  const [{ photo: { data } }] = squareViews([cutOut(photo)], 2, "area");
  // Red, and red of alpha 128/255 over white: (255 + 0)/2 and (0 + 127)/2.
  assert.deepEqual([...data.subarray(0, 6)], [255, 64, 64, 255, 255, 255]);
});

Deno.test("squareViews() gives white for a transparent pixel and rounds what is half covered", () => {
  const photo = rgba(2, 2, (x) => x === 0 ? [0, 0, 0, 0] : [10, 20, 30, 128]);
  const [{ photo: { data } }] = squareViews([cutOut(photo)], 2, "area");
  // 10 · 128/255 + 127 = 132.02, 20 → 137.04, 30 → 142.06.
  assert.deepEqual([...data.subarray(0, 6)], [255, 255, 255, 132, 137, 142]);
});

Deno.test("squareViews() cuts around the middle, or as far off as the object needs", () => {
  const dot = (left: number) =>
    rgba(40, 20, (x) => x >= left && x < left + 4 ? [0, 0, 0, 255] : [0, 0, 0, 0]);
  const views = squareViews([cutOut(dot(18)), cutOut(dot(33)), cutOut(dot(2))], 20, "area");
  // Squares of 20 from column 10, 17 and 2: cx moves along.
  assert.deepEqual(views.map(({ camera }) => 20.25 - camera.cx), [10, 17, 2]);
  assert.deepEqual(views.map(({ photo }) => darkColumns(photo)), [[8, 11], [16, 19], [0, 3]]);
});

Deno.test("squareViews() pads all photos with white where one object is longer than their short side", () => {
  const long = rgba(40, 20, (x) => x >= 5 && x < 35 ? [0, 0, 0, 255] : [0, 0, 0, 0]);
  const short = rgba(40, 20, (x) => x >= 15 && x < 25 ? [0, 0, 0, 255] : [0, 0, 0, 0]);
  const views = squareViews([cutOut(long), cutOut(short)], 15, "area");
  for (const { camera: { width, height, fx, fy, cx, cy } } of views) {
    assert.deepEqual([width, height, fx, fy, cx, cy], [15, 15, 45, 35, (20.25 - 5) / 2, (11.5 + 5) / 2]);
  }
  assert.deepEqual(views.map(({ photo }) => darkColumns(photo)), [[0, 14], [5, 9]]);
});

Deno.test("cutCamera() keeps a point on its picture element", () => {
  const { fx, cx, fy, cy } = cutCamera(camera(40, 20), { left: 7, top: -3, side: 26 }, 13);
  // Column 15.25 of the photo is (15.25 − 7) / 2 in the square.
  const slope = (15.25 - 20.25) / 90;
  assert.ok(Math.abs(fx * slope + cx - (15.25 - 7) / 2) < 1e-12);
  assert.ok(Math.abs(fy * (2 - 11.5) / 70 + cy - (2 + 3) / 2) < 1e-12);
});

Deno.test("Silhouette counts any rectangle and tells its box", () => {
  const photo = rgba(7, 5, (x, y) => [0, 0, 0, (x * 3 + y * 5) % 4 === 0 && x > 0 ? 200 : 90]);
  const silhouette = new Silhouette(photo);
  const brute = (left: number, top: number, right: number, bottom: number) => {
    let count = 0;
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) if (x > 0 && (x * 3 + y * 5) % 4 === 0) count++;
    }
    return count;
  };
  for (const [left, top, right, bottom] of [[0, 0, 7, 5], [2, 1, 6, 3], [3, 3, 3, 5], [6, 4, 7, 5]]) {
    assert.equal(silhouette.count(left, top, right, bottom), brute(left, top, right, bottom));
  }
  assert.equal(silhouette.box?.x, 1);
  assert.ok(silhouette.isCut);
  assert.equal(new Silhouette(rgba(3, 3, () => [9, 9, 9, 127])).box, null);
});

Deno.test("clearPaper() clears paper from the border and leaves the same white inside", () => {
  const ring = rgba(
    9,
    9,
    (x, y) => [Math.max(Math.abs(x - 4), Math.abs(y - 4)) === 2 ? 40 : 252, 252, 252, 255],
  );
  const { data } = clearPaper(ring, PAPER.white);
  const alpha = (x: number, y: number) => data[4 * (9 * y + x) + 3];
  assert.deepEqual([alpha(0, 0), alpha(1, 4), alpha(2, 4), alpha(4, 4)], [0, 0, 255, 255]);
});

Deno.test("clearPaper() clears black gaps of three pixels, not dark spots", () => {
  const inside = (x: number, y: number) => x > 0 && y > 0 && x < 14 && y < 8;
  const photo = rgba(15, 9, (x, y) => {
    const gap = x >= 2 && x <= 4 && y >= 3 && y <= 5;
    const spot = x >= 9 && x <= 10 && y >= 3 && y <= 6;
    const value = !inside(x, y) || gap || spot ? 0 : 90;
    return [value, value, value, 255];
  });
  const { data } = clearPaper(photo, PAPER.black);
  const alpha = (x: number, y: number) => data[4 * (15 * y + x) + 3];
  assert.deepEqual([alpha(0, 4), alpha(2, 3), alpha(3, 4), alpha(9, 4), alpha(7, 4)], [0, 0, 0, 255, 255]);
});

Deno.test("applyMask() reads gray masks by brightness and transparent ones by alpha", () => {
  const photo = rgba(2, 1, () => [1, 2, 3, 255]);
  const gray = applyMask(photo, rgba(2, 1, (x) => [200 * x, 200 * x, 200 * x, 255]));
  const transparent = applyMask(photo, rgba(2, 1, (x) => [255, 255, 255, 77 * x]));
  assert.deepEqual([...gray.data], [1, 2, 3, 0, 1, 2, 3, 200]);
  assert.deepEqual([...transparent.data], [1, 2, 3, 0, 1, 2, 3, 77]);
});

function cutOut(photo: RgbaImage) {
  return { camera: camera(photo.width, photo.height), photo, silhouette: new Silhouette(photo) };
}

function rgba(width: number, height: number, color: (x: number, y: number) => number[]): RgbaImage {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) for (let x = 0; x < width; x++) data.set(color(x, y), 4 * (y * width + x));
  return { width, height, data };
}

/** First and last column of the middle row that is black. */
function darkColumns({ width, height, data }: { width: number; height: number; data: Uint8Array }): number[] {
  const row = Math.floor(height / 2);
  const dark = Array.from({ length: width }, (_, x) => x).filter((x) => data[3 * (row * width + x)] < 128);
  return [dark[0], dark[dark.length - 1]];
}
