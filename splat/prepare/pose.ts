/** Camera poses as files write them, to world-to-camera in OpenCV axes. */
import type { Camera } from "../camera.ts";
import { apply, type Matrix3, transpose } from "../objects/rotation.ts";
import { rotationFault } from "../rotation_fault.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { badCapture } from "./capture.ts";

export type Pose = Pick<Camera, "rotation" | "translation">;

/** A rigid motion's upper rows [R | t], from a matrix of 4 × 4 or 3 × 4. @throws BenchError for no rotation */
export function rigid(rows: readonly (readonly number[])[], file: string, field: string | null): Pose {
  const row = (i: number): Vector3 => [rows[i][0], rows[i][1], rows[i][2]];
  const rotation: Matrix3 = [row(0), row(1), row(2)];
  const fault = rotationFault(rotation);
  if (fault !== null) throw badCapture(file, field, fault);
  return { rotation, translation: [rows[0][3], rows[1][3], rows[2][3]] };
}

/** Camera-to-world to world-to-camera: Rᵀ and −Rᵀ t. */
export function inverse({ rotation, translation }: Pose): Pose {
  const turned = transpose(rotation);
  const [x, y, z] = apply(turned, translation);
  return { rotation: turned, translation: [-x, -y, -z] };
}

/** Camera-to-world with OpenGL's camera axes (y up, z back) to the same with OpenCV's (y down, z forward). */
export function openGlToOpenCv({ rotation, translation }: Pose): Pose {
  const flip = ([x, y, z]: Vector3): Vector3 => [x, -y, -z];
  return { rotation: [flip(rotation[0]), flip(rotation[1]), flip(rotation[2])], translation };
}
