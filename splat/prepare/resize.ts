/** Pictures to another size, on white: filters that weigh every pixel they shrink away. */
import { blankImage, type Image } from "../../env/image.ts";

export const RESIZE_FILTERS = ["area", "lanczos"] as const;
/** `area` is the exact mean over the new pixel; `lanczos` is sharper and rings a little. */
export type ResizeFilter = typeof RESIZE_FILTERS[number];

/** A square cut out of a picture, in whole pixels; it may reach beyond the picture. */
export interface Square {
  readonly left: number;
  readonly top: number;
  readonly side: number;
}

/** The part of a picture that a square shows, white where it reaches beyond. */
export function cutSquare(image: Image, { left, top, side }: Square): Image {
  const square = blankImage(side, side);
  const from = Math.max(0, left);
  const to = Math.min(image.width, left + side);
  for (let y = Math.max(0, top); y < Math.min(image.height, top + side) && from < to; y++) {
    const row = image.data.subarray((y * image.width + from) * 3, (y * image.width + to) * 3);
    square.data.set(row, ((y - top) * side + from - left) * 3);
  }
  return square;
}

/** Separable, in float64, across and then down; the result rounds to nearest. */
export function resize(image: Image, width: number, height: number, filter: ResizeFilter): Image {
  const across = taps(image.width, width, filter);
  const down = taps(image.height, height, filter);
  const rows = new Float64Array(image.height * width * 3);
  for (let y = 0; y < image.height; y++) {
    across.forEach(({ first, weights }, x) => {
      weights.forEach((weight, i) => {
        for (let c = 0; c < 3; c++) {
          rows[(y * width + x) * 3 + c] += weight * image.data[(y * image.width + first + i) * 3 + c];
        }
      });
    });
  }
  const data = new Uint8Array(width * height * 3);
  const sums = new Float64Array(width * 3);
  down.forEach(({ first, weights }, y) => {
    sums.fill(0);
    weights.forEach((weight, i) => {
      const row = (first + i) * width * 3;
      for (let at = 0; at < sums.length; at++) sums[at] += weight * rows[row + at];
    });
    sums.forEach((value, at) => data[y * width * 3 + at] = Math.min(255, Math.max(0, Math.round(value))));
  });
  return { width, height, data };
}

/** Which old pixels a new one is made of; the weights sum to 1. */
interface Taps {
  first: number;
  weights: number[];
}

/** Half width of Lanczos' window, in new pixels when shrinking. */
const LANCZOS = 3;

function taps(from: number, to: number, filter: ResizeFilter): Taps[] {
  const ratio = from / to;
  const stretch = Math.max(1, ratio);
  return Array.from({ length: to }, (_, i) => {
    const center = (i + 0.5) * ratio;
    const reach = filter === "area" ? ratio / 2 : LANCZOS * stretch;
    const first = Math.max(0, Math.floor(center - reach));
    const last = Math.min(from, Math.ceil(center + reach));
    const raw = Array.from({ length: last - first }, (_, j) => {
      const pixel = first + j;
      if (filter === "lanczos") return lanczos((pixel + 0.5 - center) / stretch);
      return Math.max(0, Math.min(pixel + 1, center + reach) - Math.max(pixel, center - reach));
    });
    const sum = raw.reduce((total, weight) => total + weight, 0);
    return { first, weights: raw.map((weight) => weight / sum) };
  });
}

/** sinc(x) sinc(x / 3) inside |x| < 3. */
function lanczos(x: number): number {
  if (x === 0) return 1;
  if (Math.abs(x) >= LANCZOS) return 0;
  const angle = Math.PI * x;
  return LANCZOS * Math.sin(angle) * Math.sin(angle / LANCZOS) / (angle * angle);
}
