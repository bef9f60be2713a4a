import assert from "node:assert/strict";
import type { Rectangle } from "../../../env/draw.ts";
import { BenchError } from "../../../env/errors.ts";
import { blankImage, type Image } from "../../../env/image.ts";
import { stream } from "../../../env/random.ts";
import { ANGLE_MARGIN, anglePicture } from "../../../splat/pictures/angle.ts";
import { comparisonCells, comparisonPicture } from "../../../splat/pictures/comparison.ts";
import { differenceImage } from "../../../splat/pictures/difference.ts";
import { LONGEST_SIDE } from "../../../splat/pictures/page.ts";
import { referenceSheet, sheetCells } from "../../../splat/pictures/sheet.ts";
import { crop } from "../../support/crop.ts";

const SIZES = [[64, 48], [33, 101], [1, 1], [301, 20]];
const LONG = "view 0 · " + "a caption that goes on and on ".repeat(20);

for (const [width, height] of SIZES) {
  Deno.test(`referenceSheet() holds every photo of ${width} × ${height} untouched, whatever the captions`, () => {
    for (const count of [1, 2, 3, 4, 5, 8, 9]) {
      const photos = Array.from({ length: count }, (_, i) => noise(width, height, i));
      const cells = sheetCells(count, width, height);
      for (const caption of ["", "view 0 · azimuth 45° · elevation 20°", LONG]) {
        const page = referenceSheet(photos, photos.map(() => caption));
        assertApart(page, cells);
        cells.forEach((cell, i) => assert.deepEqual(crop(page, cell), photos[i]));
      }
    }
  });

  Deno.test(`comparisonPicture() holds photo, render and difference of ${width} × ${height} untouched`, () => {
    for (const count of [1, 2, 3, 5, 8]) {
      const entries = Array.from({ length: count }, (_, i) => ({
        photo: noise(width, height, i, "photo"),
        render: noise(width, height, i, "render"),
        caption: i === 0 ? LONG : "",
      }));
      const page = comparisonPicture(entries);
      const cells = comparisonCells(count, width, height);
      assertApart(page, cells.flatMap(({ photo, render, difference }) => [photo, render, difference]));
      cells.forEach((cell, i) => {
        assert.deepEqual(crop(page, cell.photo), entries[i].photo);
        assert.deepEqual(crop(page, cell.render), entries[i].render);
        assert.deepEqual(crop(page, cell.difference), differenceImage(entries[i].photo, entries[i].render));
      });
    }
  });

  Deno.test(`anglePicture() holds a render of ${width} × ${height} untouched`, () => {
    const render = noise(width, height, 0);
    for (const caption of ["", "azimuth 30°", LONG]) {
      const page = anglePicture(caption, render);
      const cell = { x: ANGLE_MARGIN, y: page.height - ANGLE_MARGIN - height, width, height };
      assertApart(page, [cell]);
      assert.deepEqual(crop(page, cell), render);
    }
  });
}

Deno.test("sheetCells() puts eight photos in four columns and two rows, in reading order", () => {
  const cells = sheetCells(8, 256, 256);
  assert.equal(new Set(cells.slice(0, 4).map(({ y }) => y)).size, 1);
  assert.deepEqual(cells.slice(4).map(({ x }) => x), cells.slice(0, 4).map(({ x }) => x));
  assert.ok(cells[4].y > cells[0].y && cells[1].x > cells[0].x);
});

Deno.test("a caption of the sheet lies above its own photo only", () => {
  const photos = Array.from({ length: 5 }, (_, i) => noise(90, 40, i));
  const captions = photos.map(() => "");
  const bare = referenceSheet(photos, captions);
  sheetCells(5, 90, 40).forEach((cell, i) => {
    const page = referenceSheet(photos, captions.with(i, `view ${i} · azimuth 315° · elevation −10.5°`));
    const box = changed(bare, page);
    assert.equal(box.left, cell.x);
    assert.ok(box.bottom < cell.y && box.top > cell.y - 70, JSON.stringify({ box, cell }));
    assert.ok(box.right < cell.x + 262);
  });
});

Deno.test("a caption of the comparison lies above its own view only", () => {
  const entries = Array.from({ length: 8 }, (_, i) => ({
    caption: "",
    photo: noise(256, 256, i),
    render: noise(256, 256, i),
  }));
  const bare = comparisonPicture(entries);
  comparisonCells(8, 256, 256).forEach(({ photo, difference }, i) => {
    const caption = `view ${i} · PSNR 21.37 dB · SSIM 0.871 · IoU 0.912`;
    const box = changed(bare, comparisonPicture(entries.with(i, { ...entries[i], caption })));
    assert.ok(box.left >= photo.x && box.right <= difference.x + 256);
    assert.ok(box.bottom < photo.y && box.top > photo.y - 30, JSON.stringify({ box, photo }));
  });
});

Deno.test("pictures of up to eight views of 256 × 256 reach models unscaled", () => {
  for (let count = 1; count <= 8; count++) {
    const photos = Array.from({ length: count }, () => blankImage(256, 256));
    const sheet = referenceSheet(photos, photos.map(() => ""));
    const comparison = comparisonPicture(photos.map((photo) => ({ caption: "", photo, render: photo })));
    for (const { width, height } of [sheet, comparison]) {
      assert.ok(width <= LONGEST_SIDE && height <= LONGEST_SIDE, `${count} views: ${width} × ${height}`);
    }
  }
});

Deno.test("comparisonPicture() of views too large for any layout takes the most square one", () => {
  const view = { caption: "", photo: blankImage(600, 500), render: blankImage(600, 500) };
  const { width, height } = comparisonPicture([view, view, view, view]);
  assert.ok(Math.max(width, height) < 2300, `${width} × ${height}`);
});

Deno.test("pictures refuse no views, mixed sizes and a wrong count of captions with one line", () => {
  const [a, b] = [blankImage(8, 6), blankImage(6, 8)];
  const bad = [
    () => referenceSheet([], []),
    () => referenceSheet([a, b], ["", ""]),
    () => referenceSheet([a, a], [""]),
    () => comparisonPicture([]),
    () => comparisonPicture([{ caption: "", photo: a, render: b }]),
  ];
  for (const draw of bad) assert.throws(draw, BenchError);
});

function assertApart(page: Image, cells: Rectangle[]): void {
  cells.forEach((a, i) => {
    // Room for the line around each picture.
    assert.ok(a.x >= 1 && a.y >= 1 && a.x + a.width < page.width && a.y + a.height < page.height);
    for (const b of cells.slice(0, i)) {
      const overlaps = a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height &&
        b.y <= a.y + a.height;
      assert.ok(!overlaps, JSON.stringify([a, b]));
    }
  });
}

/** Borders of the pixels that differ; right and bottom are exclusive. */
function changed(a: Image, b: Image) {
  assert.deepEqual([a.width, a.height], [b.width, b.height]);
  const box = { left: Infinity, top: Infinity, right: -1, bottom: -1 };
  for (let at = 0; at < a.data.length; at++) {
    if (a.data[at] === b.data[at]) continue;
    const pixel = Math.floor(at / 3);
    const [x, y] = [pixel % a.width, Math.floor(pixel / a.width)];
    box.left = Math.min(box.left, x);
    box.top = Math.min(box.top, y);
    box.right = Math.max(box.right, x + 1);
    box.bottom = Math.max(box.bottom, y + 1);
  }
  return box;
}

function noise(width: number, height: number, ...names: (string | number)[]): Image {
  const random = stream(8, "noise", width, height, ...names);
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(0, 256)),
  };
}
