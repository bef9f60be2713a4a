/**
 * The integer grid of the silhouette: 1/16 pixel, origin in the middle of the screen, x right, y down. Corners are
 * integers of at most 2¹⁴, so 1,024 pixels from the middle and three times the screen and more: differences fit 15 bits,
 * their products 30, and every device computes the same.
 */
import { MASK_HEIGHT, MASK_WIDTH, PIXELS_PER_METRE } from "./stage.ts";

export const SUB_PIXEL_BITS = 4;
const SUB_PIXELS = 1 << SUB_PIXEL_BITS;

/** Metres on the screen to the grid. */
export const UNITS_PER_METRE = PIXELS_PER_METRE * SUB_PIXELS;

/** Largest coordinate; shadows are clipped here, far outside the screen. */
export const GUARD = 1 << 14;

/** Edges of the screen, on the grid. */
export const HALF_WIDTH = MASK_WIDTH * SUB_PIXELS / 2;
export const HALF_HEIGHT = MASK_HEIGHT * SUB_PIXELS / 2;

/** The first column whose centre is not left of `x`; may lie outside the mask. */
export function columnFrom(x: number): number {
  return (x + HALF_WIDTH + SUB_PIXELS / 2 - 1) >> SUB_PIXEL_BITS;
}

/** The first row whose centre is not above `y`; may lie outside the mask. */
export function rowFrom(y: number): number {
  return (y + HALF_HEIGHT + SUB_PIXELS / 2 - 1) >> SUB_PIXEL_BITS;
}

/** y of a row's centre. */
export function rowCentre(row: number): number {
  return row * SUB_PIXELS + SUB_PIXELS / 2 - HALF_HEIGHT;
}
