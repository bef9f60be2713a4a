/** JPEG files to pictures. */
import { decode } from "jpeg-js";
import { BenchError } from "./errors.ts";
import type { RgbaImage } from "./png.ts";

/** Whether a file begins as JPEG files do. */
export const isJpeg = (bytes: Uint8Array): boolean => bytes[0] === 0xff && bytes[1] === 0xd8;

/**
 * Decodes baseline and progressive JPEG, gray, YCbCr or CMYK, as opaque RGBA. Half-size chroma is repeated, not
 * interpolated, so colours at sharp edges differ from libjpeg's; the orientation tag is ignored, as COLMAP does.
 *
 * @throws BenchError for bytes that are not a whole, undamaged JPEG
 */
export function decodeJpeg(bytes: Uint8Array): RgbaImage {
  try {
    const { width, height, data } = decode(bytes, {
      useTArray: true,
      tolerantDecoding: false,
      maxResolutionInMP: MOST_MEGAPIXELS,
      maxMemoryUsageInMB: MOST_MEGABYTES,
    });
    return { width, height, data };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new BenchError({ what: "Cannot decode JPEG", why, fix: "Save the picture again" }, undefined, {
      cause: error,
    });
  }
}

const MOST_MEGAPIXELS = 200;
/** The package counts several bytes a pixel for its tables. */
const MOST_MEGABYTES = 4096;
