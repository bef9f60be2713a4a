/** COLMAP: a sparse model, `images/` and `masks/`. */
import { join, parse } from "node:path";
import type { Camera } from "../camera.ts";
import { type Matrix3, transpose } from "../objects/rotation.ts";
import { normalize, rotate } from "../../env/quaternion.ts";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { badCapture, type Capture, type CapturedView } from "./capture.ts";
import { readBinaryModel } from "./colmap_binary.ts";
import { type ColmapImage, type ColmapModel, lensOf } from "./colmap_model.ts";
import { readTextModel } from "./colmap_text.ts";
import { applyMask, hasAlpha } from "./masks.ts";
import { checkSize, readPhoto, readPhotoOf } from "./read_photo.ts";
import { fileExists, firstExisting, listFolder } from "./source_files.ts";

/**
 * Reads the model in `sparse/0`, `sparse` or the folder itself, binary before text. A photo's mask is
 * `<masks>/<photo>.png` or the same name with .png; black is background. Photos with alpha need none.
 *
 * @throws BenchError naming the file: no model, a camera with distortion, a missing photo, no folder at `masks`; later,
 *   when a photo is read, a missing mask, a damaged picture or one of another size
 */
export async function readColmap(folder: string, masks?: string): Promise<Capture> {
  const model = await readModel(folder);
  if (masks !== undefined) await listFolder(masks, "Name the folder of the masks");
  const maskFolder = masks ?? join(folder, "masks");
  if (model.images.length === 0) throw badCapture(model.imagesFile, null, "it lists no images");
  return {
    source: folder,
    views: await Promise.all(model.images.map((image) => readView(folder, maskFolder, model, image))),
    up: null,
    box: null,
  };
}

async function readModel(folder: string): Promise<ColmapModel> {
  for (const sub of ["sparse/0", "sparse", "."]) {
    const base = join(folder, sub);
    if (await fileExists(join(base, "cameras.bin"))) return await readBinaryModel(base);
    if (await fileExists(join(base, "cameras.txt"))) return await readTextModel(base);
  }
  throw badCapture(
    folder,
    null,
    "it has no sparse/0/cameras.bin or cameras.txt",
    "Name the folder of the COLMAP project",
  );
}

async function readView(
  folder: string,
  maskFolder: string,
  model: ColmapModel,
  image: ColmapImage,
): Promise<CapturedView> {
  const path = join(folder, "images", image.name);
  const field = `image ${image.id}`;
  if (!await fileExists(path)) throw badCapture(model.imagesFile, field, `there is no photo ${path}`);
  const camera: Camera = { ...poseOf(image, model.imagesFile), ...lensOf(model, image) };
  const { dir, name } = parse(image.name);
  const masks = [`${image.name}.png`, join(dir, `${name}.png`)].map((mask) => join(maskFolder, mask));
  const mask = await firstExisting(masks);
  return { name: path, camera, photo: () => readCutOut(path, mask ?? masks[0], camera) };
}

function poseOf({ id, quaternion, translation }: ColmapImage, file: string) {
  if (!(Math.hypot(...quaternion) > 0) || ![...quaternion, ...translation].every(Number.isFinite)) {
    throw badCapture(file, `image ${id}`, "its pose is not a rotation and a translation");
  }
  return { rotation: matrixOf(normalize(quaternion)), translation };
}

function matrixOf(quaternion: Quaternion): Matrix3 {
  const column = (axis: Vector3) => rotate(quaternion, axis);
  return transpose([column([1, 0, 0]), column([0, 1, 0]), column([0, 0, 1])]);
}

async function readCutOut(path: string, maskPath: string, camera: Camera) {
  const photo = await readPhotoOf(path, camera);
  if (!await fileExists(maskPath)) {
    if (hasAlpha(photo)) return photo;
    throw badCapture(
      path,
      null,
      `its mask ${maskPath} is missing`,
      "Put a picture there that is black off the object",
    );
  }
  const mask = await readPhoto(maskPath);
  checkSize(mask, camera.width, camera.height, maskPath);
  return applyMask(photo, mask);
}
