/** COLMAP's text model: `cameras.txt` and `images.txt`. */
import { join } from "node:path";
import { badCapture } from "./capture.ts";
import type { ColmapCamera, ColmapImage, ColmapModel } from "./colmap_model.ts";
import { toNumber } from "./number_file.ts";
import { readSourceText } from "./source_files.ts";

/** @throws BenchError naming file and line */
export async function readTextModel(folder: string): Promise<ColmapModel> {
  const camerasFile = join(folder, "cameras.txt");
  const imagesFile = join(folder, "images.txt");
  const [cameras, images] = await Promise.all([readSourceText(camerasFile), readSourceText(imagesFile)]);
  return {
    camerasFile,
    imagesFile,
    cameras: new Map(readCameras(cameras, camerasFile).map((camera) => [camera.id, camera])),
    images: readImages(images, imagesFile),
  };
}

/** `CAMERA_ID MODEL WIDTH HEIGHT PARAMS…` */
function readCameras(text: string, file: string): ColmapCamera[] {
  return contentLines(text).filter(({ line }) => line.trim() !== "").map(({ line, field }) => {
    const [id, model, ...numbers] = line.trim().split(/\s+/);
    const [width, height, ...parameters] = numbers.map((word) => toNumber(word, file, field));
    if (parameters.length === 0) {
      throw badCapture(file, field, "it needs id, model, width, height and parameters");
    }
    return { id: toNumber(id, file, field), model, width, height, parameters };
  });
}

/** Two lines an image: `IMAGE_ID QW QX QY QZ TX TY TZ CAMERA_ID NAME`, then its points, which may be an empty line. */
function readImages(text: string, file: string): ColmapImage[] {
  return contentLines(text).filter((_, i) => i % 2 === 0).filter(({ line }) => line.trim() !== "").map(
    ({ line, field }) => {
      const words = line.trim().split(/\s+/);
      if (words.length < 10) {
        throw badCapture(file, field, "it needs id, quaternion, translation, camera and name");
      }
      const [id, w, x, y, z, tx, ty, tz, cameraId] = words.slice(0, 9).map((word) =>
        toNumber(word, file, field)
      );
      // The name is the rest of the line: it may hold spaces.
      const name = line.trim().replace(/^(\S+\s+){9}/, "");
      return { id, quaternion: [w, x, y, z], translation: [tx, ty, tz], cameraId, name };
    },
  );
}

function contentLines(text: string): { line: string; field: string }[] {
  return text.split(/\r?\n/).map((line, i) => ({ line, field: `line ${i + 1}` }))
    .filter(({ line }) => !line.startsWith("#"));
}
