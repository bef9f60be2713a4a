/** An 8-bit sRGB picture; `data` is row-major `[height, width, 3]`. */
export interface Image {
  width: number;
  height: number;
  data: Uint8Array;
}

/** A picture of one colour. */
export function blankImage(
  width: number,
  height: number,
  [r, g, b]: readonly number[] = [255, 255, 255],
): Image {
  const data = new Uint8Array(width * height * 3);
  for (let at = 0; at < data.length; at += 3) data.set([r, g, b], at);
  return { width, height, data };
}

/** The same picture in pixels of its own, for somebody who may paint on it. */
export function copyImage({ width, height, data }: Image): Image {
  return { width, height, data: data.slice() };
}
