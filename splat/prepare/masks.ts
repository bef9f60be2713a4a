/** Where a photo shows the object: its alpha, from a mask or from plain paper around it. */
import type { RgbaImage } from "../../env/png.ts";

/** Alpha from a mask of the same size: its own alpha where it has any, else how bright it is. */
export function applyMask(photo: RgbaImage, mask: RgbaImage): RgbaImage {
  const data = photo.data.slice();
  const byAlpha = hasAlpha(mask);
  for (let at = 0; at < data.length; at += 4) {
    const brightest = Math.max(mask.data[at], mask.data[at + 1], mask.data[at + 2]);
    data[at + 3] = byAlpha ? mask.data[at + 3] : brightest;
  }
  return { ...photo, data };
}

/** Whether any pixel is less than opaque. */
export function hasAlpha({ data }: RgbaImage): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] < 255) return true;
  return false;
}

/** Paper that a photo's surroundings were painted over with. */
export interface Paper {
  /** Value of all three channels. */
  readonly channel: number;
  /** Furthest that a channel of paper may be from it. */
  readonly tolerance: number;
  /** Whether gaps inside the object count, too: blocks of 3 × 3 pixels of exactly this colour and what surrounds them. */
  readonly gaps: boolean;
}

export const PAPER = {
  /** Lossless, or resized a little. Gaps look the same either way, and the object may be white itself. */
  white: { channel: 255, tolerance: 5, gaps: false },
  /** JPEG blurs its edge. Gaps must go, or they would stay black on white. */
  black: { channel: 0, tolerance: 16, gaps: true },
} as const;

/** Alpha 0 for paper that the picture's border reaches over steps to the four neighbours, and for gaps. */
export function clearPaper(photo: RgbaImage, { channel, tolerance, gaps }: Paper): RgbaImage {
  const { width, height } = photo;
  const data = photo.data.slice();
  const isWithin = (pixel: number, most: number) =>
    [0, 1, 2].every((c) => Math.abs(photo.data[4 * pixel + c] - channel) <= most);
  const open: number[] = [];
  const visit = (pixel: number) => {
    if (data[4 * pixel + 3] === 0 || !isWithin(pixel, tolerance)) return;
    data[4 * pixel + 3] = 0;
    open.push(pixel);
  };
  for (let x = 0; x < width; x++) [x, (height - 1) * width + x].forEach(visit);
  for (let y = 0; y < height; y++) [y * width, y * width + width - 1].forEach(visit);
  for (let y = 1; y < height - 1 && gaps; y++) {
    for (let x = 1; x < width - 1; x++) {
      const around = [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dx) => (y + dy) * width + x + dx));
      if (isWithin(y * width + x, 0) && around.every((pixel) => isWithin(pixel, 0))) visit(y * width + x);
    }
  }
  for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
    const x = pixel % width;
    if (x > 0) visit(pixel - 1);
    if (x < width - 1) visit(pixel + 1);
    if (pixel >= width) visit(pixel - width);
    if (pixel < width * (height - 1)) visit(pixel + width);
  }
  return { width, height, data };
}
