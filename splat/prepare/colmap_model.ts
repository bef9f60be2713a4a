/** What a COLMAP sparse model says about cameras and images, whichever way it is written. */
import type { Camera } from "../camera.ts";
import type { Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { badCapture } from "./capture.ts";

export interface ColmapCamera {
  readonly id: number;
  /** `PINHOLE`, `OPENCV`, … */
  readonly model: string;
  readonly width: number;
  readonly height: number;
  readonly parameters: readonly number[];
}

/** World-to-camera, OpenCV axes. */
export interface ColmapImage {
  readonly id: number;
  readonly quaternion: Quaternion;
  readonly translation: Vector3;
  readonly cameraId: number;
  /** Path inside the folder of photos. */
  readonly name: string;
}

export interface ColmapModel {
  readonly camerasFile: string;
  readonly imagesFile: string;
  readonly cameras: ReadonlyMap<number, ColmapCamera>;
  readonly images: readonly ColmapImage[];
}

/** Models without distortion by their number of parameters. */
export const PINHOLES: Readonly<Record<string, number>> = { SIMPLE_PINHOLE: 3, PINHOLE: 4 };

/** The intrinsics of an image. @throws BenchError for an unknown camera or one with distortion */
export function lensOf(
  { cameras, camerasFile, imagesFile }: ColmapModel,
  { id, cameraId }: ColmapImage,
): Pick<Camera, "fx" | "fy" | "cx" | "cy" | "width" | "height"> {
  const camera = cameras.get(cameraId);
  if (camera === undefined) {
    throw badCapture(imagesFile, `image ${id}`, `its camera ${cameraId} is not in ${camerasFile}`);
  }
  const { model, parameters, width, height } = camera;
  checkPinhole(camera, camerasFile);
  const [fx, fy, cx, cy] = model === "PINHOLE" ? parameters : [parameters[0], ...parameters];
  if (!(fx > 0 && fy > 0) || !Number.isFinite(cx + cy)) {
    throw badCapture(camerasFile, `camera ${cameraId}`, `parameters ${parameters.join(" ")} are no pinhole`);
  }
  return { fx, fy, cx, cy, width, height };
}

/** @throws BenchError naming the tool that removes distortion */
export function checkPinhole({ id, model, parameters }: ColmapCamera, file: string): void {
  if (!Object.hasOwn(PINHOLES, model)) {
    throw badCapture(
      file,
      `camera ${id}`,
      `the model ${model} is not PINHOLE or SIMPLE_PINHOLE`,
      "Run `colmap image_undistorter` and use its output folder",
    );
  }
  if (parameters.length !== PINHOLES[model]) {
    throw badCapture(
      file,
      `camera ${id}`,
      `${model} has ${PINHOLES[model]} parameters, not ${parameters.length}`,
    );
  }
}
