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

/** How a photo's surroundings were painted over, and the furthest that a channel may be from that colour. */
export const PAPER = {
  /** Lossless, or resized a little. */
  white: { channel: 255, tolerance: 5 },
  /** JPEG: black is not kept exactly. */
  black: { channel: 0, tolerance: 16 },
} as const;

/**
 * Alpha 0 for paper that the picture's border reaches, over steps to the four neighbours; the same colour inside the
 * object stays.
 */
export function clearPaper(
  photo: RgbaImage,
  { channel, tolerance }: { channel: number; tolerance: number },
): RgbaImage {
  const { width, height } = photo;
  const data = photo.data.slice();
  const isPaper = (pixel: number) => {
    const at = 4 * pixel;
    return data[at + 3] > 0 && [0, 1, 2].every((c) => Math.abs(data[at + c] - channel) <= tolerance);
  };
  const open: number[] = [];
  const visit = (pixel: number) => {
    if (!isPaper(pixel)) return;
    data[4 * pixel + 3] = 0;
    open.push(pixel);
  };
  for (let x = 0; x < width; x++) [x, (height - 1) * width + x].forEach(visit);
  for (let y = 0; y < height; y++) [y * width, y * width + width - 1].forEach(visit);
  for (let pixel = open.pop(); pixel !== undefined; pixel = open.pop()) {
    const x = pixel % width;
    if (x > 0) visit(pixel - 1);
    if (x < width - 1) visit(pixel + 1);
    if (pixel >= width) visit(pixel - width);
    if (pixel < width * (height - 1)) visit(pixel + width);
  }
  return { width, height, data };
}
