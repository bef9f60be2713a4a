/** Silhouettes as pictures, pixel for pixel. */
import type { Color } from "../../env/draw.ts";
import type { Image } from "../../env/image.ts";
import { type Mask, maskAt } from "../stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../stage/stage.ts";
import { MASK_TONES } from "./palette.ts";

/** Black on cream, 512 × 384. */
export function maskPicture(mask: Mask, ink: Color = MASK_TONES.ink, paper: Color = MASK_TONES.paper): Image {
  return picture((x, y) => maskAt(mask, x, y) ? ink : paper);
}

/** Where a shadow is not as the target: red is missing, blue extra, gray common to both. 512 × 384 */
export function maskDifference(target: Mask, shadow: Mask): Image {
  const { missing, extra, common, neither } = MASK_TONES;
  return picture((x, y) =>
    maskAt(target, x, y)
      ? (maskAt(shadow, x, y) ? common : missing)
      : (maskAt(shadow, x, y) ? extra : neither)
  );
}

function picture(colorAt: (x: number, y: number) => Color): Image {
  const data = new Uint8Array(MASK_WIDTH * MASK_HEIGHT * 3);
  for (let y = 0, at = 0; y < MASK_HEIGHT; y++) {
    for (let x = 0; x < MASK_WIDTH; x++, at += 3) {
      const color = colorAt(x, y);
      for (let c = 0; c < 3; c++) data[at + c] = color[c];
    }
  }
  return { width: MASK_WIDTH, height: MASK_HEIGHT, data };
}
