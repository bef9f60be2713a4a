/** The sheet of reference photos: the opening picture, and the answer to `view_references`. */
import type { Rectangle } from "../../env/draw.ts";
import { BenchError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import { blankPage, commonSize, drawCaption, LINE_HEIGHT, placePicture } from "./page.ts";

/**
 * Photos in a grid of at most four columns, each under its caption, e.g. `view 0 · azimuth 45° · elevation 20°`.
 *
 * @throws BenchError for no photos, photos of different sizes, or a caption too few or too many
 */
export function referenceSheet(photos: readonly Image[], captions: readonly string[]): Image {
  const { width, height } = commonSize(photos);
  if (captions.length !== photos.length) {
    throw new BenchError({
      what: "Cannot draw the reference sheet",
      why: `it has ${photos.length} photos and ${captions.length} captions`,
    });
  }
  const { columns, rows, cellWidth, cellHeight } = grid(photos.length, width, height);
  const page = blankPage(columns * cellWidth + MARGIN, rows * cellHeight + MARGIN);
  sheetCells(photos.length, width, height).forEach((cell, i) => {
    placePicture(page, cell, photos[i]);
    drawCaption(page, {
      x: cell.x,
      y: cell.y - BAND - CAPTION_GAP,
      width: cellWidth - MARGIN,
      height: BAND,
    }, captions[i]);
  });
  return page;
}

/** Where each photo of a sheet lies, in order, so that a scripted policy can cut them out. */
export function sheetCells(count: number, width: number, height: number): Rectangle[] {
  const { columns, cellWidth, cellHeight } = grid(count, width, height);
  return Array.from({ length: count }, (_, i) => ({
    x: MARGIN + (i % columns) * cellWidth,
    y: MARGIN + Math.floor(i / columns) * cellHeight + BAND + CAPTION_GAP,
    width,
    height,
  }));
}

const MAX_COLUMNS = 4;
const MARGIN = 10;
/** A line each for view, azimuth and elevation where they fit no other way. */
const BAND = 3 * LINE_HEIGHT;
const CAPTION_GAP = 3;
/** Small photos get cells wide enough for `view 0 · azimuth 315°` on one line. */
const MIN_CELL_WIDTH = 252;

/** Rows as full as they can be: five photos lie 3 + 2. Cell sizes include the margin on their left and top. */
function grid(count: number, width: number, height: number) {
  const rows = Math.ceil(count / MAX_COLUMNS);
  return {
    rows,
    columns: Math.ceil(count / rows),
    cellWidth: Math.max(width, MIN_CELL_WIDTH) + MARGIN,
    cellHeight: BAND + CAPTION_GAP + height + MARGIN,
  };
}
