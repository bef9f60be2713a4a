/** A shape of any size onto the screen. */
import { BenchError } from "../../env/errors.ts";
import { DEFAULT_SCORE } from "../score/score_profile.ts";
import { type Mask, maskArea, maskWhere } from "../stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../stage/stage.ts";
import { type Bitmap, withoutPinholes, withoutSpecks } from "./parts.ts";

/**
 * The shape as large as fits in `size` of the screen's width and height, in the middle; but a side where the picture
 * cuts it off, as a forearm, lies at the same side of the screen.
 *
 * A pixel is shadow where at least half of it is covered. Holes too small to score are filled, and as small parts go.
 *
 * @param size in (0, 1]
 * @param name of the picture, for errors
 * @throws BenchError when the picture or the shape is too small to have an outline
 */
export function placeShape(bitmap: Bitmap, size: number, name: string): Mask {
  const box = boundingBox(bitmap);
  const longer = Math.max(box.right - box.left, box.bottom - box.top);
  if (longer < LEAST_SIDE) {
    throw tooSmall(
      name,
      `the silhouette is ${longer} pixels long, and at least ${LEAST_SIDE} make an outline`,
    );
  }
  // Picture pixels for one of the screen.
  const step = Math.max(
    (box.right - box.left) / (size * MASK_WIDTH),
    (box.bottom - box.top) / (size * MASK_HEIGHT),
  );
  const left = origin(box.left, box.right, bitmap.width, step, MASK_WIDTH);
  const top = origin(box.top, box.bottom, bitmap.height, step, MASK_HEIGHT);
  const cover = coverage(bitmap);
  const pixels = new Uint8Array(MASK_WIDTH * MASK_HEIGHT);
  for (let y = 0; y < MASK_HEIGHT; y++) {
    for (let x = 0; x < MASK_WIDTH; x++) {
      const [u, v] = [left + x * step, top + y * step];
      const covered = cover(u + step, v + step) - cover(u, v + step) - cover(u + step, v) + cover(u, v);
      // Half, less what the sums round.
      pixels[y * MASK_WIDTH + x] = covered >= (0.5 - 1e-9) * step * step ? 1 : 0;
    }
  }
  const { minPixels } = DEFAULT_SCORE.holes;
  const placed = { width: MASK_WIDTH, height: MASK_HEIGHT, pixels };
  const clean = withoutPinholes(withoutSpecks(placed, minPixels), minPixels);
  const mask = maskWhere((x, y) => clean.pixels[y * MASK_WIDTH + x] === 1);
  const area = maskArea(mask);
  if (area < LEAST_AREA) {
    throw tooSmall(
      name,
      `the silhouette covers ${area} pixels of the screen, and a target needs ${LEAST_AREA}`,
    );
  }
  return mask;
}

/** Pixels of the picture along the shape's longer side. */
const LEAST_SIDE = 48;
/** Pixels of the screen. */
const LEAST_AREA = 500;

/** Half-open. */
interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

function boundingBox({ width, height, pixels }: Bitmap): Box {
  let [left, right, top, bottom] = [width, 0, height, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if (pixels[y * width + x] === 0) continue;
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
  }
  return { left, right, top, bottom };
}

/** Where in the picture the screen begins, along one axis. */
function origin(from: number, to: number, pictureSide: number, step: number, screenSide: number): number {
  const cutBefore = from === 0, cutAfter = to === pictureSide;
  if (cutBefore === cutAfter) return (from + to - screenSide * step) / 2;
  return cutBefore ? from : to - screenSide * step;
}

/** Shape above and left of a point of the picture, in pixels; exact between pixel corners, too. */
function coverage({ width, height, pixels }: Bitmap): (x: number, y: number) => number {
  const row = width + 1;
  const sums = new Float64Array(row * (height + 1));
  for (let y = 0; y < height; y++) {
    for (let x = 0, inRow = 0; x < width; x++) {
      inRow += pixels[y * width + x];
      sums[(y + 1) * row + x + 1] = sums[y * row + x + 1] + inRow;
    }
  }
  return (x, y) => {
    const [u, v] = [Math.min(Math.max(x, 0), width), Math.min(Math.max(y, 0), height)];
    const i = Math.min(Math.floor(u), width - 1), j = Math.min(Math.floor(v), height - 1);
    const [s, t] = [u - i, v - j];
    const at = j * row + i;
    // Within a pixel the sums are bilinear.
    return (1 - t) * ((1 - s) * sums[at] + s * sums[at + 1]) +
      t * ((1 - s) * sums[at + row] + s * sums[at + row + 1]);
  };
}

function tooSmall(name: string, why: string): BenchError {
  return new BenchError({
    what: `Cannot make a target of ${name}`,
    why,
    fix: "Give a larger or less thin silhouette, or more of the screen by --size",
  });
}
