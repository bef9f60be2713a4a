/** The ornaments of a plate. */
import type { Point } from "./ink.ts";
import { engrave, engraveConvex, engraveFrame, type Plate } from "./plate.ts";

/** A thick and a thin rule around the page, a diamond where the thin one turns. */
export function drawBorder(plate: Plate): void {
  frame(plate, OUTER.inset, OUTER.width);
  frame(plate, INNER.inset, INNER.width);
  const { width, height } = plate;
  const i = INNER.inset;
  for (const [x, y] of [[i, i], [width - i, i], [i, height - i], [width - i, height - i]]) {
    const box = [x - NOTCH, y - NOTCH, x + NOTCH, y + NOTCH] as const;
    engrave(plate, box, () => false);
    diamond(plate, [x, y], NOTCH - 3);
  }
}

/** A rule that thins out to both sides of a diamond. */
export function drawFlourish(plate: Plate, x: number, y: number): void {
  diamond(plate, [x, y], 5);
  for (const side of [-1, 1]) {
    const [near, far] = [x + side * 14, x + side * 120];
    engraveConvex(plate, [[near, y - 1.4], [far, y - 0.2], [far, y + 0.2], [near, y + 1.4]]);
  }
}

const OUTER = { inset: 20, width: 4 };
const INNER = { inset: 29, width: 1.4 };
const NOTCH = 11;

function frame(plate: Plate, inset: number, thickness: number): void {
  const [width, height] = [plate.width - 2 * inset, plate.height - 2 * inset];
  engraveFrame(plate, { x: inset, y: inset, width, height }, thickness);
}

function diamond(plate: Plate, [x, y]: Point, radius: number): void {
  engraveConvex(plate, [[x - radius, y], [x, y - radius], [x + radius, y], [x, y + radius]]);
}
