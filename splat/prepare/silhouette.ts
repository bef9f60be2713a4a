/** Which pixels show the object, with any rectangle's answer at once. */
import type { Rectangle } from "../../env/draw.ts";
import type { RgbaImage } from "../../env/png.ts";

/** A pixel belongs to the object from half coverage on. */
const OBJECT_ALPHA = 128;

export class Silhouette {
  readonly width: number;
  readonly height: number;
  /** Smallest rectangle that holds every pixel of the object; null when there is none. */
  readonly box: Rectangle | null;
  /** Number of object pixels above and left of each pixel corner. [height + 1, width + 1] */
  readonly #sums: Uint32Array;

  /** @param photo whose alpha is 0 off the object */
  constructor({ width, height, data }: RgbaImage) {
    this.width = width;
    this.height = height;
    this.#sums = new Uint32Array((width + 1) * (height + 1));
    let [left, right, top, bottom] = [width, 0, height, 0];
    for (let y = 0; y < height; y++) {
      let inRow = 0;
      for (let x = 0; x < width; x++) {
        if (data[4 * (y * width + x) + 3] >= OBJECT_ALPHA) {
          inRow++;
          [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
          [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
        }
        this.#sums[(y + 1) * (width + 1) + x + 1] = this.#sums[y * (width + 1) + x + 1] + inRow;
      }
    }
    this.box = right > left ? { x: left, y: top, width: right - left, height: bottom - top } : null;
  }

  /** Whether the object reaches the picture's border, so that more of it may lie outside. */
  get isCut(): boolean {
    const { box, width, height } = this;
    return box !== null &&
      (box.x === 0 || box.y === 0 || box.x + box.width === width || box.y + box.height === height);
  }

  /** Number of object pixels in columns [left, right) and rows [top, bottom), which lie inside the picture. */
  count(left: number, top: number, right: number, bottom: number): number {
    const row = this.width + 1;
    return this.#sums[bottom * row + right] - this.#sums[top * row + right] -
      this.#sums[bottom * row + left] +
      this.#sums[top * row + left];
  }
}
