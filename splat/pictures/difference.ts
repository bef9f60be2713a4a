/** The difference of a render and a photo as a picture that says what to mend. */
import type { Color } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";

/** Says in words what the picture shows. */
export const DIFFERENCE_NOTE =
  "Difference: white = equal; red = missing (only the photo shows the object there); blue = extra (only the render " +
  "shows something there); gray to black = wrong colour (both show something there, or both next to nothing). " +
  "Differences are drawn three times as strong as they are.";

/** The kinds of difference, and the colour that each tends to from white. */
export const DIFFERENCE_COLORS = {
  missing: [225, 0, 0],
  extra: [0, 80, 255],
  color: [0, 0, 0],
} as const satisfies Record<string, Color>;

/** How much stronger than measured differences are drawn; a third of the range is already full colour. */
export const DIFFERENCE_GAIN = 3;

/**
 * White where the pictures are equal, otherwise between white and the colour of the pixel's kind of difference, by the
 * largest difference of a channel. Both pictures have one size; white counts as background.
 */
export function differenceImage(photo: Image, render: Image): Image {
  const data = new Uint8Array(photo.data.length).fill(255);
  for (let at = 0; at < data.length; at += 3) {
    const largest = largestDifference(photo.data, render.data, at);
    if (largest === 0) continue;
    const strength = Math.min(1, DIFFERENCE_GAIN * largest / 255);
    const full = DIFFERENCE_COLORS[kindOfDifference(isObject(photo.data, at), isObject(render.data, at))];
    for (let c = 0; c < 3; c++) data[at + c] = Math.round(255 + strength * (full[c] - 255));
  }
  return { width: photo.width, height: photo.height, data };
}

/** Darkest channel below this is object, not paper: soft borders of Gaussians fade out about there for the eye. */
const PAPER_FROM = 240;

function kindOfDifference(inPhoto: boolean, inRender: boolean): keyof typeof DIFFERENCE_COLORS {
  if (inPhoto === inRender) return "color";
  return inPhoto ? "missing" : "extra";
}

function isObject(data: Uint8Array, at: number): boolean {
  return Math.min(data[at], data[at + 1], data[at + 2]) < PAPER_FROM;
}

function largestDifference(a: Uint8Array, b: Uint8Array, at: number): number {
  return Math.max(
    Math.abs(a[at] - b[at]),
    Math.abs(a[at + 1] - b[at + 1]),
    Math.abs(a[at + 2] - b[at + 2]),
  );
}
