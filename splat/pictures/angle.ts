/** The answer to `render_angle`: one render from any side, with nothing to compare it to. */
import { fitText } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import { blankPage, drawCaption, LINE_HEIGHT, placePicture } from "./page.ts";

/**
 * A render under its whole caption, e.g. `azimuth 30° · elevation −10° · distance 3.0`, however many lines that takes.
 * The render lies `ANGLE_MARGIN` from the left and the bottom.
 */
export function anglePicture(caption: string, render: Image): Image {
  const width = Math.max(render.width, MIN_WIDTH);
  const band = fitText(caption, width, Infinity).length * LINE_HEIGHT;
  const top = ANGLE_MARGIN + band + CAPTION_GAP;
  const page = blankPage(width + 2 * ANGLE_MARGIN, top + render.height + ANGLE_MARGIN);
  placePicture(page, { x: ANGLE_MARGIN, y: top, width: render.width, height: render.height }, render);
  drawCaption(page, { x: ANGLE_MARGIN, y: ANGLE_MARGIN, width, height: band }, caption);
  return page;
}

export const ANGLE_MARGIN = 10;
const CAPTION_GAP = 3;
const MIN_WIDTH = 252;
