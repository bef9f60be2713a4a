/** Silhouettes pixel by pixel: whether a point lies in a polygon by the parity of the edges left of it, in big integers. */
import { MASK_HEIGHT, MASK_WIDTH } from "../../../shadow/stage/stage.ts";

export type Corner = readonly [number, number];

/** Whether the centre of a pixel lies in a polygon of the sub-pixel grid (1/16 pixel, origin mid-screen, y down). */
export function centreInside(polygon: readonly Corner[], column: number, row: number): boolean {
  const x = BigInt(16 * column + 8 - 8 * MASK_WIDTH);
  const y = BigInt(16 * row + 8 - 8 * MASK_HEIGHT);
  const crossings = polygon.filter(([x1, y1], i) => {
    const [x0, y0] = polygon[(i + polygon.length - 1) % polygon.length];
    if ((y0 <= y) === (y1 <= y)) return false;
    // The sign of (x, y)'s distance from the edge, drawn downward: not left of it.
    const cross = (x - BigInt(x0)) * BigInt(y1 - y0) - (y - BigInt(y0)) * BigInt(x1 - x0);
    return y1 > y0 ? cross >= 0n : cross <= 0n;
  });
  return crossings.length % 2 === 1;
}
