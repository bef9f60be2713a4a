/**
 * The layout of the NSVF data sets (pre-masked Tanks and Temples, BlendedMVS, Synthetic-NSVF): `rgb/*.png` on white,
 * `pose/*.txt` camera-to-world in OpenCV axes, `intrinsics.txt`, `bbox.txt`.
 */
import { join, parse } from "node:path";
import type { Camera } from "../camera.ts";
import type { Bounds } from "../objects/bounds.ts";
import { badCapture, type Capture, type CapturedView } from "./capture.ts";
import { clearPaper, hasAlpha, PAPER } from "./masks.ts";
import { readMatrix4, readNumberRows, sizes } from "./number_file.ts";
import { inverse, rigid } from "./pose.ts";
import { readPhoto, readPhotoOf } from "./read_photo.ts";
import { fileExists, listFolder } from "./source_files.ts";

/**
 * Reads every view, sorted by name, which puts train (`0_…`) before validation and test.
 *
 * @throws BenchError naming the file: a photo without its pose or the other way round, bad numbers, no photos; later,
 *   when a photo is read, a damaged one or one of another size
 */
export async function readNsvf(folder: string): Promise<Capture> {
  const stems = await pairedStems(folder);
  const path = (stem: string) => join(folder, "rgb", `${stem}.png`);
  const { width, height } = await readPhoto(path(stems[0]));
  const intrinsics = await readIntrinsics(join(folder, "intrinsics.txt"));
  return {
    source: folder,
    views: await Promise.all(stems.map(async (stem): Promise<CapturedView> => {
      const file = join(folder, "pose", `${stem}.txt`);
      const pose = inverse(rigid(await readMatrix4(file), file, null));
      const camera = { ...pose, ...intrinsics, width, height };
      return { name: path(stem), camera, photo: () => readCutOut(path(stem), camera) };
    })),
    up: null,
    box: await readBox(join(folder, "bbox.txt")),
  };
}

async function pairedStems(folder: string): Promise<string[]> {
  const named = async (sub: string, extension: string) =>
    (await listFolder(join(folder, sub), "The folder needs rgb/, pose/ and intrinsics.txt"))
      .filter((name) => name.toLowerCase().endsWith(extension))
      .map((name) => parse(name).name);
  const [photos, poses] = await Promise.all([named("rgb", ".png"), named("pose", ".txt")]);
  const lonely = photos.find((stem) => !poses.includes(stem));
  if (lonely !== undefined) {
    throw badCapture(join(folder, "rgb", `${lonely}.png`), null, `its camera pose/${lonely}.txt is missing`);
  }
  const unseen = poses.find((stem) => !photos.includes(stem));
  if (unseen !== undefined) {
    throw badCapture(join(folder, "pose", `${unseen}.txt`), null, `its photo rgb/${unseen}.png is missing`);
  }
  if (photos.length === 0) throw badCapture(join(folder, "rgb"), null, "it holds no .png photo");
  return photos;
}

/** A matrix of pixels, or one line that begins with focal length, cx and cy. */
async function readIntrinsics(file: string): Promise<Pick<Camera, "fx" | "fy" | "cx" | "cy">> {
  const rows = await readNumberRows(file);
  const [first, second] = rows;
  const isMatrix = rows.length >= 3 && rows.slice(0, 3).every((row) => row.length === rows[0].length) &&
    (first.length === 3 || first.length === 4);
  const found = isMatrix
    ? { fx: first[0], fy: second[1], cx: first[2], cy: second[2] }
    : first?.length >= 3
    ? { fx: first[0], fy: first[0], cx: first[1], cy: first[2] }
    : null;
  if (found === null) {
    throw badCapture(
      file,
      null,
      `a matrix of 3 × 3 or 4 × 4 is needed, its rows have ${sizes(rows)} numbers`,
    );
  }
  if (!(found.fx > 0 && found.fy > 0)) {
    throw badCapture(file, null, `the focal lengths ${found.fx} and ${found.fy} must be above 0`);
  }
  return found;
}

/** `xmin ymin zmin xmax ymax zmax [voxel size]`; null where the file does not exist. */
async function readBox(file: string): Promise<Bounds | null> {
  if (!await fileExists(file)) return null;
  const rows = await readNumberRows(file);
  const [a, b, c, d, e, f] = rows[0] ?? [];
  if (!(a < d && b < e && c < f)) {
    throw badCapture(
      file,
      null,
      "six numbers are needed, three lower limits and three upper ones above them",
    );
  }
  return { low: [a, b, c], high: [d, e, f] };
}

async function readCutOut(path: string, camera: Camera) {
  const photo = await readPhotoOf(path, camera);
  if (hasAlpha(photo)) return photo;
  const cut = clearPaper(photo, PAPER.white);
  if (hasAlpha(cut)) return cut;
  throw badCapture(path, null, "it has neither alpha nor white around the object", "Use the masked photos");
}
