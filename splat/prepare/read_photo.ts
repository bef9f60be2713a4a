/** Photo files: PNG or JPEG, told apart by their first bytes. */
import { BenchError } from "../../env/errors.ts";
import { decodeJpeg, isJpeg } from "../../env/jpeg.ts";
import { decodePng, type RgbaImage } from "../../env/png.ts";
import type { Camera } from "../camera.ts";
import { badCapture } from "./capture.ts";
import { readSource } from "./source_files.ts";

/** @throws BenchError naming the file when it is missing or damaged */
export async function readPhoto(path: string): Promise<RgbaImage> {
  const bytes = await readSource(path);
  try {
    return isJpeg(bytes) ? decodeJpeg(bytes) : decodePng(bytes);
  } catch (error) {
    if (!(error instanceof BenchError)) throw error;
    throw badCapture(path, null, error.explanation.why, "Photos are PNG or JPEG files");
  }
}

/** A photo that must have its camera's size. @throws BenchError naming the file */
export async function readPhotoOf(path: string, { width, height }: Camera): Promise<RgbaImage> {
  const photo = await readPhoto(path);
  checkSize(photo, width, height, path);
  return photo;
}

/** @throws BenchError naming the file of the picture that has another size */
export function checkSize(picture: RgbaImage, width: number, height: number, path: string): void {
  if (picture.width === width && picture.height === height) return;
  throw badCapture(
    path,
    null,
    `the picture has ${picture.width} × ${picture.height} pixels, its camera ${width} × ${height}`,
    "Pictures and cameras must be of one size",
  );
}
