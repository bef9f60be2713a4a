/** The paper of an old book: cream, darker toward the borders, a little uneven. */
import { stream } from "../../env/random.ts";
import type { Image } from "../../env/image.ts";
import { smoothStep } from "../smooth_step.ts";
import { BOOK } from "./palette.ts";

/** The same sheet every time. */
export function oldPaper(width: number, height: number): Image {
  const data = new Uint8Array(width * height * 3);
  const stains = stainField(width, height);
  for (let y = 0, pixel = 0; y < height; y++) {
    for (let x = 0; x < width; x++, pixel++) {
      const edge = Math.max(Math.abs(2 * x / width - 1), Math.abs(2 * y / height - 1));
      const age = Math.min(1, 0.55 * edge ** 6 + stains(x, y));
      for (let c = 0; c < 3; c++) {
        data[3 * pixel + c] = Math.round(BOOK.paper[c] + age * (BOOK.aged[c] - BOOK.paper[c]));
      }
    }
  }
  return { width, height, data };
}

/** Pixels between the points of the stain field. */
const STAIN = 128;
const STRENGTH = 0.2;

/** Random numbers on a coarse grid, smooth between. */
function stainField(width: number, height: number): (x: number, y: number) => number {
  const columns = Math.ceil(width / STAIN) + 1;
  const rows = Math.ceil(height / STAIN) + 1;
  const draws = stream(0, "old paper");
  const knots = Array.from({ length: rows * columns }, () => STRENGTH * draws.next());
  return (x, y) => {
    const [column, row] = [Math.floor(x / STAIN), Math.floor(y / STAIN)];
    const [s, t] = [smoothStep(x / STAIN - column), smoothStep(y / STAIN - row)];
    const at = row * columns + column;
    const upper = knots[at] + s * (knots[at + 1] - knots[at]);
    const lower = knots[at + columns] + s * (knots[at + columns + 1] - knots[at + columns]);
    return upper + t * (lower - upper);
  };
}
