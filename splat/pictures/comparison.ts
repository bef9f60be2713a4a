/** The answer to `render_views`: photo, render and difference of each view, side by side. */
import { type Color, drawText, fillRect, frameRect, type Rectangle, textWidth } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import { DIFFERENCE_COLORS, DIFFERENCE_GAIN, differenceImage } from "./difference.ts";
import { blankPage, commonSize, drawCaption, LINE_HEIGHT, LONGEST_SIDE, placePicture } from "./page.ts";

/** One view to compare; photo and render have one size. */
export interface Comparison {
  /** E.g. `view 0 · PSNR 21.3 dB · SSIM 0.871 · IoU 0.912`. */
  caption: string;
  photo: Image;
  render: Image;
}

/** Where the three pictures of a view lie. */
export interface ComparisonCells {
  photo: Rectangle;
  render: Rectangle;
  difference: Rectangle;
}

/**
 * One view a row, or two where one would make the page longer than vision models take unscaled; heads and a legend of
 * the difference colours on top.
 *
 * @throws BenchError for no views or pictures of different sizes
 */
export function comparisonPicture(entries: readonly Comparison[]): Image {
  const { width, height } = commonSize(entries.flatMap(({ photo, render }) => [photo, render]));
  const layout = chooseLayout(entries.length, width, height);
  const page = blankPage(layout.width, layout.height);
  drawLegend(page);
  comparisonCells(entries.length, width, height).forEach((cells, i) => {
    const { caption, photo, render } = entries[i];
    placePicture(page, cells.photo, photo);
    placePicture(page, cells.render, render);
    placePicture(page, cells.difference, differenceImage(photo, render));
    const above = { x: cells.photo.x, width: layout.viewWidth, height: LINE_HEIGHT };
    drawCaption(page, { ...above, y: cells.photo.y - CAPTION_GAP - LINE_HEIGHT }, caption);
    if (i >= layout.columns) return;
    for (const [head, { x }] of Object.entries(cells)) drawText(page, x, HEADS_TOP, head);
  });
  return page;
}

/** Where the pictures of each view lie, in order, so that a scripted policy can cut them out. */
export function comparisonCells(count: number, width: number, height: number): ComparisonCells[] {
  const { columns, viewWidth, pictureWidth } = chooseLayout(count, width, height);
  return Array.from({ length: count }, (_, i) => {
    const x = MARGIN + (i % columns) * (viewWidth + VIEW_GAP);
    const y = FIRST_ROW + Math.floor(i / columns) * rowHeight(height) + LINE_HEIGHT + CAPTION_GAP;
    const cell = (column: number) => ({ x: x + column * (pictureWidth + PICTURE_GAP), y, width, height });
    return { photo: cell(0), render: cell(1), difference: cell(2) };
  });
}

const MARGIN = 4;
const PICTURE_GAP = 3;
const VIEW_GAP = 12;
const CAPTION_GAP = 3;
const ROW_GAP = 8;
const LEGEND_TOP = 6;
const HEADS_TOP = LEGEND_TOP + LINE_HEIGHT + 8;
const FIRST_ROW = HEADS_TOP + LINE_HEIGHT + 6;
/** Small pictures lie this far apart, so that caption and legend fit on a line. */
const MIN_PICTURE_WIDTH = 220;

function chooseLayout(count: number, width: number, height: number) {
  const pictureWidth = Math.max(width, MIN_PICTURE_WIDTH);
  const viewWidth = 3 * pictureWidth + 2 * PICTURE_GAP;
  const layouts = Array.from({ length: count }, (_, i) => ({
    columns: i + 1,
    pictureWidth,
    viewWidth,
    width: 2 * MARGIN + (i + 1) * viewWidth + i * VIEW_GAP,
    height: FIRST_ROW + Math.ceil(count / (i + 1)) * rowHeight(height),
  }));
  const longest = (layout: { width: number; height: number }) => Math.max(layout.width, layout.height);
  const fits = layouts.find((layout) => longest(layout) <= LONGEST_SIDE);
  return fits ?? layouts.reduce((best, layout) => longest(layout) < longest(best) ? layout : best);
}

function rowHeight(height: number): number {
  return LINE_HEIGHT + CAPTION_GAP + height + ROW_GAP;
}

function drawLegend(page: Image): void {
  const entries: [string, Color][] = [
    ["missing", DIFFERENCE_COLORS.missing],
    ["extra", DIFFERENCE_COLORS.extra],
    ["wrong colour", DIFFERENCE_COLORS.color],
    ["equal", [255, 255, 255]],
  ];
  const title = `difference ×${DIFFERENCE_GAIN}:`;
  drawText(page, MARGIN, LEGEND_TOP, title);
  let x = MARGIN + textWidth(title) + LEGEND_GAP;
  for (const [name, color] of entries) {
    const swatch = { x, y: LEGEND_TOP, width: SWATCH, height: SWATCH };
    fillRect(page, swatch, color);
    frameRect(page, swatch, [0, 0, 0]);
    drawText(page, x + SWATCH + LABEL_GAP, LEGEND_TOP, name);
    x += SWATCH + LABEL_GAP + textWidth(name) + LEGEND_GAP;
  }
}

const SWATCH = 14;
const LABEL_GAP = 8;
const LEGEND_GAP = 18;
