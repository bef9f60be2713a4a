/** Pictures drawn by formula, for tests. */
import type { RgbaImage } from "../../../env/png.ts";
import type { Bitmap } from "../../../shadow/prepare/parts.ts";

/** RGBA of each pixel. */
export function drawn(
  width: number,
  height: number,
  at: (x: number, y: number) => readonly number[],
): RgbaImage {
  const data = new Uint8Array(4 * width * height);
  for (let i = 0; i < width * height; i++) data.set(at(i % width, Math.floor(i / width)), 4 * i);
  return { width, height, data };
}

export const BLACK = [0, 0, 0, 255];
export const WHITE = [255, 255, 255, 255];
export const CLEAR = [0, 0, 0, 0];

/** Rows of `#` for shape and anything else for ground. */
export function bitmap(...rows: string[]): Bitmap {
  const pixels = Uint8Array.from(rows.join(""), (character) => character === "#" ? 1 : 0);
  return { width: rows[0].length, height: rows.length, pixels };
}

export function rowsOf({ width, height, pixels }: Bitmap): string[] {
  return Array.from(
    { length: height },
    (_, y) =>
      Array.from(pixels.subarray(y * width, (y + 1) * width), (value) => value === 1 ? "#" : ".").join(""),
  );
}
