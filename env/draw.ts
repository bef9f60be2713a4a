/** Drawing on pictures: rectangles, other pictures, captions. Everything clips at the borders. */
import { GLYPH, glyphRows } from "./font.ts";
import type { Image } from "./image.ts";

/** sRGB, 0 to 255. */
export type Color = readonly [number, number, number];

/** Pixels `x … x + width − 1`, `y … y + height − 1`. */
export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface TextStyle {
  color?: Color;
  /** Pixels a dot of the font: 2 makes capitals 14 pixels tall. */
  scale?: number;
  /** Filled behind the text where given. */
  background?: Color;
}

/** Width of a text in pixels, without the gap after its last character. */
export function textWidth(text: string, scale = TEXT_SCALE): number {
  const characters = [...text].length;
  return characters === 0 ? 0 : scale * (characters * GLYPH.advance - (GLYPH.advance - GLYPH.width));
}

/** Height of a line of text in pixels, descenders included. */
export const textHeight = (scale = TEXT_SCALE): number => scale * GLYPH.height;

/** Draws one line of text whose top left corner is (x, y). */
export function drawText(image: Image, x: number, y: number, text: string, style: TextStyle = {}): void {
  const { color = BLACK, scale = TEXT_SCALE, background } = style;
  if (background) {
    fillRect(image, { x, y, width: textWidth(text, scale), height: textHeight(scale) }, background);
  }
  [...text].forEach((character, i) => {
    const left = x + i * scale * GLYPH.advance;
    glyphRows(character).forEach((dots, row) => {
      for (let column = 0; column < dots.length; column++) {
        if (dots[column] !== "#") continue;
        fillRect(image, { x: left + column * scale, y: y + row * scale, width: scale, height: scale }, color);
      }
    });
  });
}

/**
 * Breaks a text into lines of at most `width` pixels, after a ` · ` where that works, else at any space. Words and
 * lines beyond what fits are cut with `…`.
 */
export function fitText(text: string, width: number, maxLines: number, scale = TEXT_SCALE): string[] {
  const lines = text.split(" · ").reduce<string[]>((done, part) => {
    const joined = done.length > 0 ? `${done[done.length - 1]} · ${part}` : part;
    return textWidth(joined, scale) <= width
      ? [...done.slice(0, -1), joined]
      : [...done, ...breakAtSpaces(part, width, scale)];
  }, []);
  const kept = lines.slice(0, maxLines);
  if (lines.length > maxLines) kept[maxLines - 1] += " …";
  return kept.map((line) => cutText(line, width, scale));
}

export function fillRect(image: Image, rectangle: Rectangle, color: Color): void {
  const left = Math.max(0, rectangle.x);
  const right = Math.min(image.width, rectangle.x + rectangle.width);
  const bottom = Math.min(image.height, rectangle.y + rectangle.height);
  for (let y = Math.max(0, rectangle.y); y < bottom; y++) {
    for (let x = left, at = (y * image.width + left) * 3; x < right; x++, at += 3) {
      image.data[at] = color[0];
      image.data[at + 1] = color[1];
      image.data[at + 2] = color[2];
    }
  }
}

/** A line of one pixel around the rectangle, outside it. */
export function frameRect(image: Image, { x, y, width, height }: Rectangle, color: Color): void {
  fillRect(image, { x: x - 1, y: y - 1, width: width + 2, height: 1 }, color);
  fillRect(image, { x: x - 1, y: y + height, width: width + 2, height: 1 }, color);
  fillRect(image, { x: x - 1, y, width: 1, height }, color);
  fillRect(image, { x: x + width, y, width: 1, height }, color);
}

/** Copies `source` so that its top left corner is at (x, y). */
export function blit(image: Image, source: Image, x: number, y: number): void {
  const left = Math.max(0, x);
  const right = Math.min(image.width, x + source.width);
  if (left >= right) return;
  const bottom = Math.min(image.height, y + source.height);
  for (let row = Math.max(0, y); row < bottom; row++) {
    const from = ((row - y) * source.width + left - x) * 3;
    const pixels = source.data.subarray(from, from + (right - left) * 3);
    image.data.set(pixels, (row * image.width + left) * 3);
  }
}

const TEXT_SCALE = 2;
const BLACK: Color = [0, 0, 0];

function breakAtSpaces(text: string, width: number, scale: number): string[] {
  return text.split(" ").reduce<string[]>((done, word) => {
    const joined = done.length > 0 ? `${done[done.length - 1]} ${word}` : word;
    return textWidth(joined, scale) <= width ? [...done.slice(0, -1), joined] : [...done, word];
  }, []);
}

function cutText(text: string, width: number, scale: number): string {
  if (textWidth(text, scale) <= width) return text;
  const characters = [...text];
  const fits = Math.floor((width / scale + GLYPH.advance - GLYPH.width) / GLYPH.advance);
  return fits < 1 ? "" : `${characters.slice(0, fits - 1).join("").trimEnd()}…`;
}
