/** What all pictures for the model share: gray paper, so that white photos have visible borders, and black captions. */
import { blit, type Color, drawText, fitText, frameRect, type Rectangle } from "../../env/draw.ts";
import { BenchError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";

/**
 * Vision models scale down pictures whose longer side exceeds this, and small captions with them. Layouts stay within
 * it where they can.
 */
export const LONGEST_SIDE = 1568;

/** Height of a line of caption in pixels. */
export const LINE_HEIGHT = 20;

export function blankPage(width: number, height: number): Image {
  return { width, height, data: new Uint8Array(width * height * 3).fill(PAPER) };
}

/** Writes a caption whose last line ends just above `band`'s lower border; what does not fit is cut with `…`. */
export function drawCaption(page: Image, band: Rectangle, caption: string): void {
  const lines = fitText(caption, band.width, Math.floor(band.height / LINE_HEIGHT));
  const top = band.y + band.height - lines.length * LINE_HEIGHT;
  lines.forEach((line, i) => drawText(page, band.x, top + i * LINE_HEIGHT, line));
}

/** Copies a picture into its cell, pixel for pixel, with a line around it. */
export function placePicture(page: Image, cell: Rectangle, picture: Image): void {
  blit(page, picture, cell.x, cell.y);
  frameRect(page, cell, FRAME);
}

/**
 * The size that all pictures of one page have.
 *
 * @throws BenchError when there is none
 */
export function commonSize(pictures: readonly Image[]): { width: number; height: number } {
  if (pictures.length === 0) throw new BenchError({ what: "Cannot lay out pictures", why: "there are none" });
  const { width, height } = pictures[0];
  const other = pictures.find((picture) => picture.width !== width || picture.height !== height);
  if (other !== undefined) {
    throw new BenchError({
      what: "Cannot lay out pictures",
      why: `one is ${other.width} × ${other.height}, the first is ${width} × ${height}`,
      fix: "Bring all views of a task to one size",
    });
  }
  return { width, height };
}

/** A gray, all three channels. */
const PAPER = 228;
const FRAME: Color = [96, 96, 96];
