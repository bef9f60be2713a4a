/** NeRF-Synthetic: `transforms_{train,val,test}.json` and RGBA photos; OpenGL cameras, world +Z up. */
import { join } from "node:path";
import { z } from "zod";
import { fieldName } from "../../tasks/task_json.ts";
import type { Camera } from "../camera.ts";
import { badCapture, type Capture, type CapturedView } from "./capture.ts";
import { hasAlpha } from "./masks.ts";
import { inverse, openGlToOpenCv, type Pose, rigid } from "./pose.ts";
import { readPhoto, readPhotoOf } from "./read_photo.ts";
import { fileExists, readSourceText } from "./source_files.ts";

/**
 * Reads the frames of every split that is there, in the order train, val, test. All photos have the first one's size.
 *
 * @throws BenchError naming file and field: no or bad JSON, no frames, a missing photo; later, when a photo is read,
 *   a damaged one, one of another size, or one without alpha
 */
export async function readNerfSynthetic(folder: string): Promise<Capture> {
  const frames = (await Promise.all(SPLITS.map((split) => readSplit(folder, split)))).flat();
  if (frames.length === 0) {
    throw badCapture(
      folder,
      null,
      "it has no transforms_train.json, transforms_val.json or transforms_test.json",
      "Name the folder of one object, e.g. nerf_synthetic/lego",
    );
  }
  const { width, height } = await readPhoto(frames[0].path);
  return {
    source: folder,
    views: frames.map(({ path, pose, angleX }): CapturedView => {
      const focal = 0.5 * width / Math.tan(angleX / 2);
      const camera = { ...pose, fx: focal, fy: focal, cx: width / 2, cy: height / 2, width, height };
      return { name: path, camera, photo: () => readCutOut(path, camera) };
    }),
    up: [0, 0, 1],
    box: null,
  };
}

const SPLITS = ["train", "val", "test"];

const row = z.tuple([z.number(), z.number(), z.number(), z.number()]);
const transformsSchema = z.object({
  /** Horizontal field of view, radians. */
  camera_angle_x: z.number().positive().lt(Math.PI),
  frames: z.array(z.object({
    file_path: z.string().min(1),
    /** Camera-to-world. */
    transform_matrix: z.tuple([row, row, row, row]),
  })).min(1),
});

interface Frame {
  path: string;
  pose: Pose;
  angleX: number;
}

/** No frames where the split's file does not exist. */
async function readSplit(folder: string, split: string): Promise<Frame[]> {
  const file = join(folder, `transforms_${split}.json`);
  if (!await fileExists(file)) return [];
  const { camera_angle_x, frames } = parseTransforms(await readSourceText(file), file);
  return await Promise.all(frames.map(async ({ file_path, transform_matrix }, i) => {
    const name = /\.(png|jpe?g)$/i.test(file_path) ? file_path : `${file_path}.png`;
    const path = join(folder, name);
    if (!await fileExists(path)) {
      throw badCapture(
        file,
        `frames[${i}].file_path`,
        `there is no photo ${path}`,
        "Restore it or drop the frame",
      );
    }
    const pose = inverse(openGlToOpenCv(rigid(transform_matrix, file, `frames[${i}].transform_matrix`)));
    return { path, pose, angleX: camera_angle_x };
  }));
}

function parseTransforms(text: string, file: string): z.infer<typeof transformsSchema> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw badCapture(file, null, `not valid JSON (${error instanceof Error ? error.message : error})`);
  }
  const parsed = transformsSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw badCapture(file, fieldName(issue.path), issue.message);
}

async function readCutOut(path: string, camera: Camera) {
  const photo = await readPhotoOf(path, camera);
  if (hasAlpha(photo)) return photo;
  throw badCapture(
    path,
    null,
    "it has no transparent pixel that shows where the object ends",
    "Keep the RGBA photos",
  );
}
