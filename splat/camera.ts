/** Pinhole cameras: OpenCV axes (x right, y down, z forward), world-to-camera. */
import type { CameraRow } from "../tasks/splat_rows.ts";
import type { Vector3 } from "../env/vector3.ts";
import { dot } from "../env/vector3.ts";

/** A pinhole camera; a world point p is at R p + t in camera space, and pixel centres are at +0.5. */
export interface Camera {
  /** World-to-camera rotation, row-major [3, 3]. */
  readonly rotation: readonly [Vector3, Vector3, Vector3];
  /** World-to-camera translation. */
  readonly translation: Vector3;
  /** Focal lengths in pixels. */
  readonly fx: number;
  readonly fy: number;
  /** Principal point in pixels from the left and top border of the image. */
  readonly cx: number;
  readonly cy: number;
  /** Picture size in pixels. */
  readonly width: number;
  readonly height: number;
}

/** Where a camera that looks at the origin stands. */
export interface Orbit {
  /** Degrees from +X towards +Y. */
  azimuthDeg: number;
  /** Degrees above the horizontal plane. */
  elevationDeg: number;
  /** World units from the origin. */
  distance: number;
  /** Horizontal field of view in degrees. */
  fovDeg: number;
}

/** The camera of a published row and a picture size. */
export function cameraFromRow(row: CameraRow, width: number, height: number): Camera {
  const { R, t, fx, fy, cx, cy } = row;
  return { rotation: R, translation: t, fx, fy, cx, cy, width, height };
}

/** A camera as published JSON. */
export function cameraToRow({ rotation, translation, fx, fy, cx, cy }: Camera): CameraRow {
  return {
    R: [[...rotation[0]], [...rotation[1]], [...rotation[2]]],
    t: [...translation],
    fx,
    fy,
    cx,
    cy,
  };
}

/** Camera on an orbit, +Z up in a picture of `width` × `height` square pixels; principal point in the centre. */
export function orbitCamera(orbit: Orbit, width: number, height: number): Camera {
  const azimuth = orbit.azimuthDeg * Math.PI / 180;
  const elevation = orbit.elevationDeg * Math.PI / 180;
  const [sa, ca, se, ce] = [Math.sin(azimuth), Math.cos(azimuth), Math.sin(elevation), Math.cos(elevation)];
  // Rows are the camera's axes in world space. Straight up and down stay well defined: right never needs a cross product.
  const right: Vector3 = [-sa, ca, 0];
  const down: Vector3 = [se * ca, se * sa, -ce];
  const forward: Vector3 = [-ce * ca, -ce * sa, -se];
  const eye: Vector3 = [
    -orbit.distance * forward[0],
    -orbit.distance * forward[1],
    -orbit.distance * forward[2],
  ];
  const focal = 0.5 * width / Math.tan(orbit.fovDeg * Math.PI / 360);
  return {
    rotation: [right, down, forward],
    translation: [-dot(right, eye), -dot(down, eye), -dot(forward, eye)],
    fx: focal,
    fy: focal,
    cx: width / 2,
    cy: height / 2,
    width,
    height,
  };
}

/** The camera's place in world space: −Rᵀ t. */
export function cameraEye({ rotation, translation }: Camera): Vector3 {
  const along = (axis: 0 | 1 | 2) =>
    -(rotation[0][axis] * translation[0] + rotation[1][axis] * translation[1] +
      rotation[2][axis] * translation[2]);
  return [along(0), along(1), along(2)];
}

/** The orbit around the origin that a camera stands on; exact for cameras that look at the origin. */
export function cameraOrbit(camera: Camera): Orbit {
  const [x, y, z] = cameraEye(camera);
  const distance = Math.hypot(x, y, z);
  const azimuth = Math.atan2(y, x) * 180 / Math.PI;
  return {
    azimuthDeg: azimuth < 0 ? azimuth + 360 : azimuth,
    elevationDeg: distance === 0 ? 0 : Math.asin(z / distance) * 180 / Math.PI,
    distance,
    fovDeg: 2 * Math.atan(0.5 * camera.width / camera.fx) * 180 / Math.PI,
  };
}
