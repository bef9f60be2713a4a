/** A printing plate: every sample is ink or paper, several samples a pixel, so that prints have smooth edges. */
import type { Color, Rectangle } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import type { Point } from "./ink.ts";

/** Samples a pixel along each side. */
export const FINENESS = 3;

/** Coordinates of all functions are pixels of the print. */
export interface Plate {
  readonly width: number;
  readonly height: number;
  /** 1 is ink. [FINENESS · height, FINENESS · width] */
  readonly ink: Uint8Array;
}

export function blankPlate(width: number, height: number): Plate {
  return { width, height, ink: new Uint8Array(width * height * FINENESS * FINENESS) };
}

/** Sets every sample of a box to what `inkAt` says of its centre; null leaves it. */
export function engrave(
  { width, height, ink }: Plate,
  [left, top, right, bottom]: readonly [number, number, number, number],
  inkAt: (x: number, y: number) => boolean | null,
): void {
  const first = (low: number) => Math.max(0, Math.floor(low * FINENESS));
  const [lastRow, lastColumn] = [
    Math.min(height * FINENESS, Math.ceil(bottom * FINENESS)),
    Math.min(width * FINENESS, Math.ceil(right * FINENESS)),
  ];
  for (let row = first(top); row < lastRow; row++) {
    for (let column = first(left); column < lastColumn; column++) {
      const inked = inkAt((column + 0.5) / FINENESS, (row + 0.5) / FINENESS);
      if (inked !== null) ink[row * width * FINENESS + column] = inked ? 1 : 0;
    }
  }
}

/** A convex polygon, corners in either order. */
export function engraveConvex(plate: Plate, corners: readonly Point[]): void {
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
  engrave(plate, [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)], (px, py) => {
    let [left, right] = [true, true];
    corners.forEach(([x, y], i) => {
      const [nextX, nextY] = corners[(i + 1) % corners.length];
      const side = (nextX - x) * (py - y) - (nextY - y) * (px - x);
      left &&= side >= 0;
      right &&= side <= 0;
    });
    return left || right ? true : null;
  });
}

/** A line with round ends. */
export function engraveLine(plate: Plate, [ax, ay]: Point, [bx, by]: Point, width: number): void {
  const reach = width / 2;
  const [dx, dy] = [bx - ax, by - ay];
  const squared = Math.max(dx * dx + dy * dy, 1e-12);
  const box = [
    Math.min(ax, bx) - reach,
    Math.min(ay, by) - reach,
    Math.max(ax, bx) + reach,
    Math.max(ay, by) + reach,
  ] as const;
  engrave(plate, box, (x, y) => {
    const along = Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / squared));
    return (x - ax - along * dx) ** 2 + (y - ay - along * dy) ** 2 <= reach * reach ? true : null;
  });
}

/** Lines along the border of a rectangle. */
export function engraveFrame(plate: Plate, { x, y, width, height }: Rectangle, thickness: number): void {
  const corners: Point[] = [[x, y], [x + width, y], [x + width, y + height], [x, y + height]];
  corners.forEach((corner, i) => engraveLine(plate, corners.at(i - 1) ?? corner, corner, thickness));
}

/** Prints on paper, whose colour may differ from place to place. */
export function printPlate(plate: Plate, paper: Image, ink: Color): Image {
  const { width, height } = plate;
  const data = new Uint8Array(width * height * 3);
  const most = FINENESS * FINENESS;
  for (let pixel = 0; pixel < width * height; pixel++) {
    const share = samplesOf(plate, pixel % width, Math.floor(pixel / width)) / most;
    for (let c = 0; c < 3; c++) {
      const behind = paper.data[3 * pixel + c];
      data[3 * pixel + c] = Math.round(behind + share * (ink[c] - behind));
    }
  }
  return { width, height, data };
}

function samplesOf({ width, ink }: Plate, x: number, y: number): number {
  let sum = 0;
  for (let j = 0; j < FINENESS; j++) {
    const at = ((y * FINENESS + j) * width + x) * FINENESS;
    for (let i = 0; i < FINENESS; i++) sum += ink[at + i];
  }
  return sum;
}
