/** Silhouettes as pictures: black on white. */
import { BenchError } from "../../env/errors.ts";
import { blankImage, type Image } from "../../env/image.ts";
import { compositeOnWhite, decodePng, encodePngStable } from "../../env/png.ts";
import { emptyMask, type Mask, maskAt, WORDS_PER_ROW } from "./mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "./stage.ts";

/** Darker than this, of 255, is shadow. */
const DARK = 128;

/** [384, 512, 3] */
export function maskImage(mask: Mask): Image {
  const image = blankImage(MASK_WIDTH, MASK_HEIGHT);
  for (let y = 0; y < MASK_HEIGHT; y++) {
    for (let x = 0; x < MASK_WIDTH; x++) {
      if (maskAt(mask, x, y)) image.data.fill(0, 3 * (y * MASK_WIDTH + x), 3 * (y * MASK_WIDTH + x) + 3);
    }
  }
  return image;
}

/**
 * What is dark in a picture.
 *
 * @throws BenchError for a picture of another size than 512 × 384
 */
export function maskOfImage({ width, height, data }: Image): Mask {
  if (width !== MASK_WIDTH || height !== MASK_HEIGHT) {
    throw new BenchError({
      what: "Cannot read a silhouette",
      why: `the picture has ${width} × ${height} pixels`,
      fix: `A silhouette has ${MASK_WIDTH} × ${MASK_HEIGHT}`,
    });
  }
  const mask = emptyMask();
  for (let pixel = 0; pixel < width * height; pixel++) {
    const grey = (data[3 * pixel] + data[3 * pixel + 1] + data[3 * pixel + 2]) / 3;
    if (grey >= DARK) continue;
    const x = pixel % width, y = Math.floor(pixel / width);
    mask[y * WORDS_PER_ROW + (x >> 5)] |= 1 << (x & 31);
  }
  return mask;
}

/** The silhouette as a base64 PNG. */
export function maskToBase64(mask: Mask): string {
  return encodePngStable(maskImage(mask)).toBase64();
}

/** The silhouette of a base64 PNG; transparent is light. Throws BenchError for what is none. */
export function maskFromBase64(base64: string): Mask {
  return maskOfImage(compositeOnWhite(decodePng(Uint8Array.fromBase64(base64))));
}
