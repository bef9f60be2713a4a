/** What every reader gives: photos of one object with the cameras that took them. */
import { BenchError } from "../../env/errors.ts";
import type { RgbaImage } from "../../env/png.ts";
import type { Camera } from "../camera.ts";
import type { Bounds } from "../objects/bounds.ts";
import type { Vector3 } from "../../env/vector3.ts";

export interface CapturedView {
  /** The photo's file, as errors name it. */
  readonly name: string;
  /** In the capture's own world; its size is the photo's. */
  readonly camera: Camera;
  /** Reads the photo; alpha is 0 off the object. Throws BenchError when the file is missing, damaged or of other size. */
  photo(): Promise<RgbaImage>;
}

export interface Capture {
  /** Folder or name, as errors name it. */
  readonly source: string;
  readonly views: readonly CapturedView[];
  /** Unit vector in the capture's world, or null when the cameras have to tell. */
  readonly up: Vector3 | null;
  /** A box that the object is known to lie in, or null. */
  readonly box: Bounds | null;
}

/** An error about one field of one file: "Cannot read FILE: FIELD: WHY. FIX". */
export function badCapture(file: string, field: string | null, why: string, fix?: string): BenchError {
  return new BenchError({
    what: `Cannot read ${file}`,
    why: field === null ? why : `${field}: ${why}`,
    ...(fix === undefined ? {} : { fix }),
  });
}
