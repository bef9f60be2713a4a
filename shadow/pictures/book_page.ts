/** A page in the manner of old books of hand shadows: the shadow on the wall, the hands that cast it, and the title. */
import type { Rectangle } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import type { Hands } from "../hand/hand_model.ts";
import { skinHand } from "../hand/skin.ts";
import { type Pose, SIDES } from "../pose.ts";
import { type Mask, maskAt } from "../stage/mask.ts";
import { LAMP_Z, MASK_HEIGHT, MASK_WIDTH, SCREEN_HEIGHT, SCREEN_WIDTH } from "../stage/stage.ts";
import { ART, drawnSkin, engraveHands, type Sitter } from "./engraving.ts";
import type { Bounds, Framing } from "./framing.ts";
import { LOOK_SIZE } from "./look.ts";
import { BOOK } from "./palette.ts";
import { oldPaper } from "./paper.ts";
import { blankPlate, engrave, engraveFrame, FINENESS, type Plate, printPlate } from "./plate.ts";
import { drawBorder, drawFlourish } from "./plate_border.ts";
import { drawTitleLine, titleWidth } from "./title_lettering.ts";
import { parallelCamera } from "./views.ts";

/** What a page shows. */
export interface Page {
  readonly title: string;
  readonly shadow: Mask;
  /** The pose that casts the shadow; null for a plate of which none is known. */
  readonly drawing: { readonly hands: Hands; readonly pose: Pose } | null;
}

/** 1024 × 768. Hands that cast no shadow on the screen are left out. */
export function bookPage({ title, shadow, drawing }: Page): Image {
  const plate = blankPlate(LOOK_SIZE.width, LOOK_SIZE.height);
  const sitters = drawing === null ? [] : sittersOf(drawing.hands, drawing.pose);
  if (sitters.length > 0) {
    engraveWall(plate, shadow, PAGE.wall, PAGE.sheet);
    placeHands(plate, sitters);
  } else {
    engraveWall(plate, shadow, PAGE_ALONE.wall, PAGE_ALONE.sheet);
    drawTitleLine(plate, [CENTRE, NOTE.base], NOTE.text, NOTE.height);
  }
  drawBorder(plate);
  const fits = Math.min(TITLE.height, TITLE.height * TITLE.width / titleWidth(title, TITLE.height));
  drawTitleLine(plate, [CENTRE, TITLE.base], title, fits);
  drawFlourish(plate, CENTRE, FLOURISH_Y);
  return printPlate(plate, oldPaper(LOOK_SIZE.width, LOOK_SIZE.height), BOOK.ink);
}

const CENTRE = LOOK_SIZE.width / 2;
/** The wall, and the lit sheet on it that the shadow fills: beside hands, and without. */
const PAGE = {
  wall: { x: 44, y: 44, width: 936, height: 604 },
  sheet: { x: 74, y: 62, width: 560, height: 420 },
};
const PAGE_ALONE = {
  wall: { x: 44, y: 44, width: 936, height: 548 },
  sheet: { x: 176, y: 62, width: 672, height: 504 },
};
const HANDS: Rectangle = { x: 500, y: 196, width: 474, height: 448 };
const TITLE = { base: 708, height: 34, width: 860 };
const NOTE = { base: 632, height: 19, text: "No drawing of the hands exists." };
const FLOURISH_Y = 727;

/** As from beside the lamp, so that the hands lie to the right of their shadow and below it. */
const ANGLE = { azimuth: -24, elevation: 10 };

/** The wall's lines: pixels from one to the next, their slope, and the share that is ink beside the sheet and far off. */
const WALL_LINES = { spacing: 5, slope: 0.16, near: 0.1, far: 0.42 };

/** A lit sheet with the shadow, on a wall whose lines swell with the distance from it. */
function engraveWall(plate: Plate, shadow: Mask, wall: Rectangle, sheet: Rectangle): void {
  const { x: left, y: top, width, height } = wall;
  const { spacing, slope, near, far } = WALL_LINES;
  const dark = smoothMask(shadow);
  engrave(plate, [left, top, left + width, top + height], (x, y) => {
    const [dx, dy] = [x - sheet.x - sheet.width / 2, y - sheet.y - sheet.height / 2];
    if (Math.abs(dx) < sheet.width / 2 && Math.abs(dy) < sheet.height / 2) {
      return dark((x - sheet.x) / sheet.width, (y - sheet.y) / sheet.height);
    }
    const away = Math.hypot(dx / sheet.width, dy / sheet.height) - 0.5;
    const line = (y + slope * x) / spacing;
    return Math.abs(line - Math.round(line)) * 2 < Math.min(far, near + (far - near) * away);
  });
  engraveFrame(plate, sheet, FRAME);
}

const FRAME = 1.2;

/** Whether the mask is dark at shares of its width and height, the steps of its outline smoothed. */
function smoothMask(mask: Mask): (u: number, v: number) => boolean {
  const inside = (value: number, most: number) => Math.min(most - 1, Math.max(0, value));
  const at = (x: number, y: number) => Number(maskAt(mask, inside(x, MASK_WIDTH), inside(y, MASK_HEIGHT)));
  const row = (x: number, y: number) => at(x - 1, y) + 2 * at(x, y) + at(x + 1, y);
  const blurred = Float32Array.from({ length: MASK_WIDTH * MASK_HEIGHT }, (_, i) => {
    const [x, y] = [i % MASK_WIDTH, Math.floor(i / MASK_WIDTH)];
    return (row(x, y - 1) + 2 * row(x, y) + row(x, y + 1)) / 16;
  });
  const tone = (x: number, y: number) => blurred[inside(y, MASK_HEIGHT) * MASK_WIDTH + inside(x, MASK_WIDTH)];
  return (u, v) => {
    const [x, y] = [u * MASK_WIDTH - 0.5, v * MASK_HEIGHT - 0.5];
    const [i, j] = [Math.floor(x), Math.floor(y)];
    const upper = tone(i, j) + (x - i) * (tone(i + 1, j) - tone(i, j));
    const lower = tone(i, j + 1) + (x - i) * (tone(i + 1, j + 1) - tone(i, j + 1));
    return upper + (y - j) * (lower - upper) >= 0.5;
  };
}

/** The hands whose shadow reaches the screen. */
function sittersOf(hands: Hands, pose: Pose): Sitter[] {
  return SIDES.map((side) => ({ model: hands[side], skin: skinHand(hands[side], pose[side]) }))
    .filter(({ skin }) => reachesScreen(skin));
}

function reachesScreen(skin: Float64Array): boolean {
  for (let at = 0; at < skin.length; at += 3) {
    const w = 1 - skin[at + 2] / LAMP_Z;
    if (Math.abs(skin[at]) <= w * SCREEN_WIDTH / 2 && Math.abs(skin[at + 1]) <= w * SCREEN_HEIGHT / 2) {
      return true;
    }
  }
  return false;
}

function placeHands(plate: Plate, sitters: readonly Sitter[]): void {
  const { x: left, y: top, width, height } = HANDS;
  const camera = parallelCamera(ANGLE, sitters.map(drawnSkin), width, height, fill);
  const art = engraveHands(sitters, camera);
  engrave(plate, [left, top, left + width, top + height], (x, y) => {
    const [column, row] = [Math.floor((x - left) * FINENESS), Math.floor((y - top) * FINENESS)];
    const found = art[row * width * FINENESS + column];
    return found === ART.clear ? null : found === ART.ink;
  });
}

/** Pixels a metre at most: a single finger need not fill the page. */
const MOST_SCALE = 1500;
const MARGIN = 4;

function fill({ left, right, bottom, top }: Bounds, width: number, height: number): Framing {
  const scale = Math.min(
    MOST_SCALE,
    (width - 2 * MARGIN) / (right - left),
    (height - 2 * MARGIN) / (top - bottom),
  );
  return { scale, x: width / 2 - scale * (left + right) / 2, y: height / 2 + scale * (bottom + top) / 2 };
}
