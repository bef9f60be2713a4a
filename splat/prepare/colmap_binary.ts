/** COLMAP's binary model: `cameras.bin` and `images.bin`, little-endian. */
import { join } from "node:path";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { badCapture } from "./capture.ts";
import {
  checkPinhole,
  type ColmapCamera,
  type ColmapImage,
  type ColmapModel,
  PINHOLES,
} from "./colmap_model.ts";
import { readSource } from "./source_files.ts";

/** @throws BenchError naming the file when it is cut off, or a camera has distortion */
export async function readBinaryModel(folder: string): Promise<ColmapModel> {
  const camerasFile = join(folder, "cameras.bin");
  const imagesFile = join(folder, "images.bin");
  const [cameras, images] = await Promise.all([readSource(camerasFile), readSource(imagesFile)]);
  return {
    camerasFile,
    imagesFile,
    cameras: new Map(readCameras(new Cursor(cameras, camerasFile), camerasFile)),
    images: readImages(new Cursor(images, imagesFile)),
  };
}

/** By id in the file; the two pinholes come first. */
const MODELS = [
  "SIMPLE_PINHOLE",
  "PINHOLE",
  "SIMPLE_RADIAL",
  "RADIAL",
  "OPENCV",
  "OPENCV_FISHEYE",
  "FULL_OPENCV",
  "FOV",
  "SIMPLE_RADIAL_FISHEYE",
  "RADIAL_FISHEYE",
  "THIN_PRISM_FISHEYE",
];
/** An observed point: two doubles and a point's id. */
const POINT_BYTES = 24;

/** count, then id (u32), model (i32), width and height (u64), parameters (f64). */
function* readCameras(cursor: Cursor, file: string): Generator<[number, ColmapCamera]> {
  const count = cursor.uint64();
  for (let i = 0; i < count; i++) {
    const id = cursor.uint32();
    const number = cursor.uint32();
    const model = MODELS[number] ?? `number ${number}`;
    const [width, height] = [cursor.uint64(), cursor.uint64()];
    const parameters = Array.from({ length: PINHOLES[model] ?? 0 }, () => cursor.float64());
    const camera = { id, model, width, height, parameters };
    // Where the next camera begins is only known for these.
    checkPinhole(camera, file);
    yield [id, camera];
  }
}

/** count, then id (u32), quaternion and translation (f64), camera (u32), name (ending in 0), points. */
function readImages(cursor: Cursor): ColmapImage[] {
  const count = cursor.uint64();
  const images: ColmapImage[] = [];
  for (let i = 0; i < count; i++) {
    const id = cursor.uint32();
    const next = () => cursor.float64();
    const quaternion: Quaternion = [next(), next(), next(), next()];
    const translation: Vector3 = [next(), next(), next()];
    images.push({ id, quaternion, translation, cameraId: cursor.uint32(), name: cursor.text() });
    cursor.skip(POINT_BYTES * cursor.uint64());
  }
  return images;
}

/** Reads forward, and never past the end. */
class Cursor {
  #at = 0;
  readonly #view: DataView;

  constructor(private readonly bytes: Uint8Array, private readonly file: string) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  uint32(): number {
    return this.#view.getUint32(this.skip(4), true);
  }

  uint64(): number {
    return Number(this.#view.getBigUint64(this.skip(8), true));
  }

  float64(): number {
    return this.#view.getFloat64(this.skip(8), true);
  }

  text(): string {
    const end = this.bytes.indexOf(0, this.#at);
    const start = this.skip((end < 0 ? this.bytes.length : end) - this.#at + 1);
    return new TextDecoder().decode(this.bytes.subarray(start, end));
  }

  /** Returns where the skipped bytes began. */
  skip(count: number): number {
    const start = this.#at;
    if (!(start + count <= this.bytes.length)) {
      throw badCapture(this.file, null, `it is cut off after ${this.bytes.length} bytes`);
    }
    this.#at += count;
    return start;
  }
}
