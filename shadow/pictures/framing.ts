/** Which part of a plane a picture shows. It changes in steps, so that pictures of small moves can be compared. */
import { BenchError } from "../../env/errors.ts";

/** Of what must be seen, metres on the plane, y up. */
export interface Bounds {
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** A point (a, b) of the plane is at pixel (x + scale a, y − scale b). */
export interface Framing {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** Pixels kept free at the borders: the upper holds the title, the lower coordinates. */
export const INSET = { top: 30, side: 8, bottom: 22 } as const;

/** Smallest and largest side of a picture, pixels; the kernels work on integers that hold twice the largest. */
export const PICTURE_SIDES = { least: 96, most: 1024 } as const;

/**
 * The closest framing of a fixed ladder that holds the bounds inside the insets, its centre on a grid of 5 cm (of more
 * when that is seen from further away).
 *
 * @throws BenchError for a size that cannot be drawn, or bounds that are not finite
 */
export function frameBounds({ left, right, bottom, top }: Bounds, width: number, height: number): Framing {
  check({ left, right, bottom, top }, width, height);
  const [clearWidth, clearHeight] = [width - 2 * INSET.side, height - INSET.top - INSET.bottom];
  for (let size = LEAST_WIDTH;; size *= LADDER) {
    const scale = Math.min(width / size, height / (0.75 * size));
    const step = size / 16;
    const centre = (low: number, high: number) => Math.round((low + high) / 2 / step) * step;
    const [a, b] = [centre(left, right), centre(bottom, top)];
    const fits = scale * Math.max(right - a, a - left) <= clearWidth / 2 &&
      scale * Math.max(top - b, b - bottom) <= clearHeight / 2;
    if (fits) return { scale, x: width / 2 - scale * a, y: INSET.top + clearHeight / 2 + scale * b };
  }
}

/** Metres across the closest framing, and how much wider each next one is. */
const LEAST_WIDTH = 0.8;
const LADDER = 1.15;

function check(bounds: Bounds, width: number, height: number): void {
  const { least, most } = PICTURE_SIDES;
  const drawable = (side: number) => Number.isInteger(side) && side >= least && side <= most;
  if (!drawable(width) || !drawable(height)) {
    throw new BenchError({
      what: "Cannot draw the hands",
      why: `a picture of ${width} × ${height} pixels`,
      fix: `Each side is ${least} to ${most}`,
    });
  }
  if (Object.values(bounds).every(Number.isFinite)) return;
  throw new BenchError({ what: "Cannot draw the hands", why: "a vertex is at no finite place" });
}
