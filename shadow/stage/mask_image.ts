/** Silhouettes as files hold them: pictures, black on white. */
import { BenchError } from "../../env/errors.ts";
import type { Image } from "../../env/image.ts";
import { compositeOnWhite, decodePng, encodePngStable } from "../../env/png.ts";
import { maskPicture } from "../pictures/mask_picture.ts";
import { type Mask, maskWhere } from "./mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "./stage.ts";

/** The silhouette as a base64 PNG. */
export function maskToBase64(mask: Mask): string {
  return encodePngStable(maskPicture(mask, [0, 0, 0], [255, 255, 255])).toBase64();
}

/** The silhouette of a base64 PNG; transparent is light. Throws BenchError for what is none. */
export function maskFromBase64(base64: string): Mask {
  return maskOfImage(compositeOnWhite(decodePng(Uint8Array.fromBase64(base64))));
}

/** Darker than this, of 255, is shadow. */
const DARK = 128;

/**
 * What is dark in a picture.
 *
 * @throws BenchError for a picture of another size than 512 × 384
 */
function maskOfImage({ width, height, data }: Image): Mask {
  if (width !== MASK_WIDTH || height !== MASK_HEIGHT) {
    throw new BenchError({
      what: "Cannot read a silhouette",
      why: `the picture has ${width} × ${height} pixels`,
      fix: `A silhouette has ${MASK_WIDTH} × ${MASK_HEIGHT}`,
    });
  }
  return maskWhere((x, y) => {
    const at = 3 * (y * width + x);
    return data[at] + data[at + 1] + data[at + 2] < 3 * DARK;
  });
}
