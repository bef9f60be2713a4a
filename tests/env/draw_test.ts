import assert from "node:assert/strict";
import {
  blit,
  type Color,
  drawText,
  fillRect,
  fitText,
  frameRect,
  textHeight,
  textWidth,
} from "../../env/draw.ts";
import { fontCharacters, GLYPH, glyphRows, REPLACEMENT } from "../../env/font.ts";
import { blankImage, type Image } from "../../env/image.ts";
import { stream } from "../../env/random.ts";
import { crop } from "../support/crop.ts";

const INK: Color = [10, 20, 30];
const FILL: Color = [200, 100, 0];
const PANGRAM = "Sphinx: (judge) {my} vow_±12.5° → …";

Deno.test("glyphRows() has a distinct glyph of whole rows for every character of captions", () => {
  const ascii = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i));
  for (const character of [...ascii, ..."°±–−·|←→×…", REPLACEMENT]) {
    assert.ok(fontCharacters().includes(character), character);
    const rows = glyphRows(character);
    assert.equal(rows.length, GLYPH.height, character);
    assert.ok(rows.every((row) => new RegExp(`^[#.]{${GLYPH.width}}$`).test(row)), character);
    assert.equal(rows.join("").includes("#"), character !== " ", character);
  }
  const glyphs = fontCharacters().map((character) => glyphRows(character).join("\n"));
  assert.equal(new Set(glyphs).size, fontCharacters().length);
});

Deno.test("glyphRows() shows a box for a character that the font lacks", () => {
  assert.equal(glyphRows("界"), glyphRows(REPLACEMENT));
});

Deno.test("drawText() inks a box of textWidth() by 7 dots for capitals", () => {
  for (const scale of [1, 2, 3]) {
    const picture = blankImage(90, 40);
    drawText(picture, 5, 6, "HEH", { scale, color: INK });
    const { left, top, right, bottom } = inkBox(picture);
    assert.deepEqual([left, top], [5, 6]);
    assert.equal(right - left, textWidth("HEH", scale));
    assert.equal(bottom - top, 7 * scale);
  }
});

Deno.test("drawText() draws capitals 14 pixels tall unless told otherwise", () => {
  const picture = blankImage(40, 40);
  drawText(picture, 0, 0, "M");
  assert.equal(inkBox(picture).bottom, 14);
});

Deno.test("drawText() at scale 3 is scale 1 with every pixel three times", () => {
  const small = blankImage(textWidth(PANGRAM, 1), textHeight(1));
  drawText(small, 0, 0, PANGRAM, { scale: 1 });
  const large = blankImage(3 * small.width, 3 * small.height);
  drawText(large, 0, 0, PANGRAM, { scale: 3 });
  for (let y = 0; y < large.height; y++) {
    for (let x = 0; x < large.width; x++) {
      assert.deepEqual(pixel(large, x, y), pixel(small, Math.floor(x / 3), Math.floor(y / 3)));
    }
  }
});

Deno.test("drawText() clips at all four borders", () => {
  const whole = blankImage(400, 60);
  drawText(whole, 40, 20, PANGRAM, { color: INK, background: FILL });
  for (const [x, y] of [[45, 25], [0, 0], [33, 31], [300, 10], [390, 50]]) {
    const window = { x, y, width: 57, height: 13 };
    const part = blankImage(window.width, window.height);
    drawText(part, 40 - x, 20 - y, PANGRAM, { color: INK, background: FILL });
    assert.deepEqual(part, crop(whole, window));
  }
});

Deno.test("drawText() fills a background of the text's size", () => {
  const picture = blankImage(60, 30);
  drawText(picture, 3, 4, " a ", { background: FILL });
  assert.deepEqual(pixel(picture, 3, 4), FILL);
  assert.deepEqual(pixel(picture, 3 + textWidth(" a ") - 1, 4 + textHeight() - 1), FILL);
  assert.deepEqual(pixel(picture, 3 + textWidth(" a "), 4), [255, 255, 255]);
  assert.deepEqual(pixel(picture, 3, 4 + textHeight()), [255, 255, 255]);
});

Deno.test("drawText() counts a character outside the basic plane as one", () => {
  assert.equal(textWidth("🎈x"), textWidth("ab"));
  assert.equal(textWidth(""), 0);
});

Deno.test("fitText() breaks at middle dots, then at spaces, and loses no words while lines last", () => {
  const text = "view 0 · azimuth 337.5° · elevation −12.5°";
  assert.deepEqual(fitText(text, textWidth(text), 1), [text]);
  assert.deepEqual(fitText(text, textWidth("view 0 · azimuth 337.5°"), 3), [
    "view 0 · azimuth 337.5°",
    "elevation −12.5°",
  ]);
  const narrow = fitText(text, textWidth("elevation"), 9);
  assert.deepEqual(narrow, ["view 0", "azimuth", "337.5°", "elevation", "−12.5°"]);
});

Deno.test("fitText() marks what it cuts and never exceeds width or lines", () => {
  const random = stream(5, "fit");
  const words = ["view", "·", "azimuth", "337.5°", "−12.5°", "a-word-that-fits-on-no-line-at-all", "x"];
  for (let round = 0; round < 300; round++) {
    const text = Array.from({ length: random.integer(1, 12) }, () => words[random.integer(0, words.length)]);
    const [width, maxLines] = [random.integer(0, 300), random.integer(1, 4)];
    const lines = fitText(text.join(" "), width, maxLines);
    assert.ok(lines.length <= maxLines);
    for (const line of lines) assert.ok(textWidth(line) <= width, `"${line}" in ${width}`);
    const kept = lines.join("").replaceAll(/[ ·]/g, "");
    const isWhole = kept === text.join("").replaceAll(/[ ·]/g, "");
    assert.ok(
      isWhole || lines.some((line) => line === "" || line.endsWith("…")),
      `${text.join(" ")} → ${lines}`,
    );
  }
});

Deno.test("fillRect() and blit() write exactly the pixels inside both the picture and the rectangle", () => {
  const source = noise(9, 5);
  for (const [x, y] of [[3, 2], [-4, -2], [15, 9], [-9, 0], [0, -5], [17, 11], [40, 40], [-30, 3]]) {
    const filled = noise(17, 11);
    const copied = noise(17, 11);
    const before = noise(17, 11);
    fillRect(filled, { x, y, width: 9, height: 5 }, FILL);
    blit(copied, source, x, y);
    for (let py = 0; py < 11; py++) {
      for (let px = 0; px < 17; px++) {
        const isInside = px >= x && px < x + 9 && py >= y && py < y + 5;
        assert.deepEqual(pixel(filled, px, py), isInside ? FILL : pixel(before, px, py));
        assert.deepEqual(
          pixel(copied, px, py),
          isInside ? pixel(source, px - x, py - y) : pixel(before, px, py),
        );
      }
    }
  }
});

Deno.test("frameRect() surrounds a rectangle without touching it", () => {
  const picture = blankImage(12, 9);
  frameRect(picture, { x: 3, y: 2, width: 5, height: 4 }, INK);
  for (let y = 0; y < 9; y++) {
    for (let x = 0; x < 12; x++) {
      const isOuter = x >= 2 && x <= 8 && y >= 1 && y <= 6;
      const isInner = x >= 3 && x <= 7 && y >= 2 && y <= 5;
      assert.deepEqual(pixel(picture, x, y), isOuter && !isInner ? INK : [255, 255, 255], `${x}, ${y}`);
    }
  }
});

Deno.test("blit() at a negative place leaves what lies beyond the source as it was", () => {
  const picture = noise(4, 3);
  const part = blankImage(5, 3);
  blit(part, picture, -2, 1);
  assert.deepEqual(pixel(part, 0, 1), pixel(picture, 2, 0));
  assert.deepEqual(pixel(part, 1, 2), pixel(picture, 3, 1));
  assert.deepEqual(pixel(part, 0, 0), [255, 255, 255]);
  assert.deepEqual(pixel(part, 2, 1), [255, 255, 255]);
});

function pixel(picture: Image, x: number, y: number): number[] {
  const at = (y * picture.width + x) * 3;
  return [...picture.data.subarray(at, at + 3)];
}

/** Borders of everything that is not white; right and bottom are exclusive. */
function inkBox(picture: Image) {
  const box = { left: Infinity, top: Infinity, right: -1, bottom: -1 };
  for (let y = 0; y < picture.height; y++) {
    for (let x = 0; x < picture.width; x++) {
      if (pixel(picture, x, y).every((value) => value === 255)) continue;
      box.left = Math.min(box.left, x);
      box.top = Math.min(box.top, y);
      box.right = Math.max(box.right, x + 1);
      box.bottom = Math.max(box.bottom, y + 1);
    }
  }
  return box;
}

function noise(width: number, height: number): Image {
  const random = stream(3, "noise", width, height);
  return {
    width,
    height,
    data: Uint8Array.from({ length: width * height * 3 }, () => random.integer(0, 255)),
  };
}
