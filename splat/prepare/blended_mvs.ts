/** BlendedMVS as published: `cams/*_cam.txt`, world-to-camera in OpenCV axes, and photos masked with black. */
import { join } from "node:path";
import type { Camera } from "../camera.ts";
import { badCapture, type Capture, type CapturedView } from "./capture.ts";
import { clearPaper, hasAlpha, PAPER } from "./masks.ts";
import { toNumber } from "./number_file.ts";
import { type Pose, rigid } from "./pose.ts";
import { readPhoto, readPhotoOf } from "./read_photo.ts";
import { fileExists, listFolder, readSourceText } from "./source_files.ts";

/**
 * Reads every camera with its `blended_images/*_masked.jpg`.
 *
 * @throws BenchError naming the file: no cameras, bad numbers, a missing masked photo; later, when a photo is read, a
 *   damaged one, one of another size, or one without black around the object
 */
export async function readBlendedMvs(folder: string): Promise<Capture> {
  const cams = join(folder, "cams");
  const files = (await listFolder(cams, "The folder needs cams/ and blended_images/"))
    .filter((name) => name.endsWith("_cam.txt"));
  if (files.length === 0) throw badCapture(cams, null, "it holds no *_cam.txt");
  const found = await Promise.all(files.map(async (name) => {
    const id = name.slice(0, -"_cam.txt".length);
    const path = join(folder, "blended_images", `${id}_masked.jpg`);
    if (!await fileExists(path)) {
      throw badCapture(
        join(cams, name),
        null,
        `there is no masked photo ${path}`,
        "Restore it or drop the camera",
      );
    }
    return { path, lens: await readCam(join(cams, name)) };
  }));
  const { width, height } = await readPhoto(found[0].path);
  return {
    source: folder,
    views: found.map(({ path, lens }): CapturedView => {
      const camera = { ...lens, width, height };
      return { name: path, camera, photo: () => readCutOut(path, camera) };
    }),
    up: null,
    box: null,
  };
}

/** The word `extrinsic` and a matrix of 4 × 4, `intrinsic` and one of 3 × 3, then the range of depths. */
async function readCam(file: string): Promise<Pose & Pick<Camera, "fx" | "fy" | "cx" | "cy">> {
  const words = (await readSourceText(file)).split(/\s+/).filter((word) => word !== "");
  const matrix = (name: string, size: number) => {
    const start = words.indexOf(name) + 1;
    const values = words.slice(start, start + size * size);
    if (start === 0) throw badCapture(file, name, "the word is missing");
    if (values.length < size * size) {
      throw badCapture(file, name, `${size * size} numbers are needed, there are ${values.length}`);
    }
    const numbers = values.map((word) => toNumber(word, file, name));
    return Array.from({ length: size }, (_, i) => numbers.slice(i * size, (i + 1) * size));
  };
  const pose = rigid(matrix("extrinsic", 4), file, "extrinsic");
  const [[fx, , cx], [, fy, cy]] = matrix("intrinsic", 3);
  if (!(fx > 0 && fy > 0)) {
    throw badCapture(file, "intrinsic", `focal lengths ${fx} and ${fy} must be above 0`);
  }
  return { ...pose, fx, fy, cx, cy };
}

async function readCutOut(path: string, camera: Camera) {
  const cut = clearPaper(await readPhotoOf(path, camera), PAPER.black);
  if (hasAlpha(cut)) return cut;
  throw badCapture(path, null, "it has no black around the object", "Use the masked photos");
}
