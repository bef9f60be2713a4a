/** The shape in a picture: which pixels are silhouette. */
import { BenchError } from "../../env/errors.ts";
import type { RgbaImage } from "../../env/png.ts";
import { type Bitmap, connectedParts, withoutSpecks } from "./parts.ts";

export interface ShapeOptions {
  /** Gray value, 0 to 255: what is at most as light is dark. Null for Otsu's. */
  readonly threshold: number | null;
  /** Whether the shape is the dark or the light part; null for the one that less of the picture's border has. */
  readonly shape: "dark" | "light" | null;
}

export interface Shape {
  readonly bitmap: Bitmap;
  /** How it was told from the ground, in words. */
  readonly how: string;
}

/**
 * The shape: where a part of the picture is transparent, what is opaque and not white (an eye that is painted white is
 * a hole), or just opaque where all is white. Else what is dark; or light, if most of the picture's border is dark.
 *
 * Parts smaller than a hundredth of the largest are dust and left out.
 *
 * @param name of the picture, for errors
 * @throws BenchError when nothing stands out
 */
export function findShape(picture: RgbaImage, options: ShapeOptions, name: string): Shape {
  const { pixels, how } = shapePixels(picture, options, name);
  const { width, height } = picture;
  const covered = share(pixels, (value) => value === 1);
  if (covered < LEAST_SHARE || covered > 1 - LEAST_SHARE) {
    throw noShape(name, `${how} is ${covered < LEAST_SHARE ? "nothing" : "all"} of the picture`);
  }
  return { bitmap: withoutDust({ width, height, pixels }), how };
}

function noShape(name: string, why: string): BenchError {
  return new BenchError({
    what: `Cannot find a silhouette in ${name}`,
    why,
    fix: "A silhouette is one shade on a ground of another; --threshold and --shape choose them by hand",
  });
}

function shapePixels(
  picture: RgbaImage,
  { threshold, shape }: ShapeOptions,
  name: string,
): { pixels: Uint8Array; how: string } {
  const byHand = threshold !== null || shape !== null;
  const opaque = perPixel(picture, (_, alpha) => alpha >= 128 ? 1 : 0);
  if (!byHand && share(opaque, (value) => value === 0) >= LEAST_SHARE) {
    const colored = perPixel(picture, (luma, alpha) => alpha >= 128 && luma <= LIGHTEST ? 1 : 0);
    return share(colored, (value) => value === 1) >= LEAST_SHARE
      ? { pixels: colored, how: "what is opaque and not white" }
      : { pixels: opaque, how: "what is opaque" };
  }
  const gray = perPixel(picture, (luma, alpha) => Math.round((luma * alpha + 255 * (255 - alpha)) / 255));
  const limit = threshold ?? otsuThreshold(gray);
  if (limit < 0) throw noShape(name, `all of the picture is of one gray, ${gray[0]}`);
  const dark = gray.map((value) => value <= limit ? 1 : 0);
  return (shape ?? (isMostlyDark(dark, picture) ? "light" : "dark")) === "dark"
    ? { pixels: dark, how: `what is dark (gray up to ${limit})` }
    : { pixels: dark.map((value) => 1 - value), how: `what is light (gray over ${limit})` };
}

/** A picture has transparent ground, or a shape, only if they take more of it than this. */
const LEAST_SHARE = 0.0005;
/** Lighter than this is white. */
const LIGHTEST = 240;
/** Of the largest part's area. */
const DUST = 0.01;

/** A value of each pixel, from ITU-R BT.601 luma and alpha, both 0 to 255. [height, width] */
function perPixel({ data }: RgbaImage, value: (luma: number, alpha: number) => number): Uint8Array {
  return Uint8Array.from({ length: data.length / 4 }, (_, i) => {
    const luma = 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2];
    return value(luma, data[4 * i + 3]);
  });
}

/** Otsu's threshold: the gray value that splits the histogram into two classes farthest apart; −1 for one value alone. */
export function otsuThreshold(gray: Uint8Array): number {
  const counts = new Float64Array(256);
  gray.forEach((value) => counts[value]++);
  const total = counts.reduce((sum, count, value) => sum + count * value, 0);
  let [best, bestAt, darker, darkerSum] = [0, -1, 0, 0];
  for (let at = 0; at < 255; at++) {
    darker += counts[at];
    darkerSum += counts[at] * at;
    const lighter = gray.length - darker;
    if (darker === 0 || lighter === 0) continue;
    const between = darker * lighter * (darkerSum / darker - (total - darkerSum) / lighter) ** 2;
    if (between > best) [best, bestAt] = [between, at];
  }
  return bestAt;
}

/** Whether more than half of the frame of border pixels is dark: then the shape is the light part. */
function isMostlyDark(dark: Uint8Array, { width, height }: RgbaImage): boolean {
  const border = dark.filter((_, i) => {
    const x = i % width, y = Math.floor(i / width);
    return x === 0 || y === 0 || x === width - 1 || y === height - 1;
  });
  return share(border, (value) => value === 1) > 0.5;
}

function withoutDust(bitmap: Bitmap): Bitmap {
  const { areas } = connectedParts(bitmap, 1);
  return withoutSpecks(bitmap, DUST * areas.reduce((most, area) => Math.max(most, area), 0));
}

function share(values: Uint8Array, is: (value: number) => boolean): number {
  return values.reduce((count, value) => count + (is(value) ? 1 : 0), 0) / values.length;
}
