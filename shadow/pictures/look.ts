/** What `look` returns: target, shadow, their difference and the hands, a quarter of the picture each. */
import { blit, type Color, fillRect, type Rectangle } from "../../env/draw.ts";
import { BenchError } from "../../env/errors.ts";
import { blankImage, type Image } from "../../env/image.ts";
import { type Mask, maskAt } from "../stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../stage/stage.ts";
import { maskDifference, maskPicture } from "./mask_picture.ts";
import { MASK_TONES, PAGE } from "./palette.ts";
import { type Corner, drawTitle, titleBox, type TitleLine } from "./panel_title.ts";
import { type View, viewWords } from "./views.ts";

/** Pixels of a `look` picture. */
export const LOOK_SIZE = { width: 2 * MASK_WIDTH, height: 2 * MASK_HEIGHT } as const;

export type PanelName = "target" | "shadow" | "difference" | "hands";

/** Where each panel lies. Masks fill theirs pixel for pixel, but for titles and the seams between panels. */
export const LOOK_PANELS: Readonly<Record<PanelName, Rectangle>> = {
  target: panel(0, 0),
  shadow: panel(1, 0),
  difference: panel(0, 1),
  hands: panel(1, 1),
};

/** The four panels of one `look`. */
export interface Look {
  readonly target: Mask;
  readonly shadow: Mask;
  /** As `HandPainter.paint` makes it from `view`, as large as a panel. */
  readonly hands: Image;
  readonly view: View;
}

/** 1024 × 768. Throws BenchError for a picture of the hands of another size. */
export function lookPicture({ target, shadow, hands, view }: Look): Image {
  if (hands.width !== MASK_WIDTH || hands.height !== MASK_HEIGHT) {
    throw new BenchError({
      what: "Cannot draw the four panels",
      why: `the hands' picture is ${hands.width} × ${hands.height}, a panel ${MASK_WIDTH} × ${MASK_HEIGHT}`,
    });
  }
  const pictures: Record<PanelName, Image> = {
    target: maskPicture(target),
    shadow: maskPicture(shadow),
    difference: maskDifference(target, shadow),
    hands,
  };
  const titles: Record<PanelName, readonly TitleLine[]> = {
    ...MASK_TITLES,
    hands: [{ text: `HANDS ${viewWords(view)}`, color: PAGE.title }],
  };
  const corner = emptiestCorner(target);
  const page = blankImage(LOOK_SIZE.width, LOOK_SIZE.height);
  for (const name of PANEL_NAMES) {
    blit(page, pictures[name], LOOK_PANELS[name].x, LOOK_PANELS[name].y);
    // The painter leaves the upper border of the hands free.
    drawTitle(page, LOOK_PANELS[name], name === "hands" ? "top left" : corner, titles[name]);
  }
  fillRect(page, { x: MASK_WIDTH - 1, y: 0, width: 2, height: LOOK_SIZE.height }, PAGE.seam);
  fillRect(page, { x: 0, y: MASK_HEIGHT - 1, width: LOOK_SIZE.width, height: 2 }, PAGE.seam);
  return page;
}

/**
 * The corner for the titles of the mask panels: where they hide least of the target, so that it is the same for all of
 * an episode.
 */
export function emptiestCorner(target: Mask): Corner {
  const hidden = CORNERS.map((corner) => {
    const { x, y, width, height } = titleBox(LOOK_PANELS.target, corner, MASK_TITLES.difference);
    let count = 0;
    for (let row = y; row < y + height; row++) {
      for (let column = x; column < x + width; column++) count += Number(maskAt(target, column, row));
    }
    return count;
  });
  return CORNERS[hidden.indexOf(Math.min(...hidden))];
}

const CORNERS: readonly Corner[] = ["top left", "top right", "bottom left", "bottom right"];
const PANEL_NAMES: readonly PanelName[] = ["target", "shadow", "difference", "hands"];

/** The difference's is the largest. */
export const MASK_TITLES: Readonly<Record<Exclude<PanelName, "hands">, readonly TitleLine[]>> = {
  target: [line("TARGET")],
  shadow: [line("SHADOW")],
  difference: [
    line("DIFFERENCE"),
    line("red = missing", MASK_TONES.missing),
    line("blue = extra", MASK_TONES.extra),
  ],
};

function line(text: string, color: Color = PAGE.title): TitleLine {
  return { text, color };
}

function panel(column: number, row: number): Rectangle {
  return { x: column * MASK_WIDTH, y: row * MASK_HEIGHT, width: MASK_WIDTH, height: MASK_HEIGHT };
}
