/** Host-visible structs of the renderer, declared once, and how scenes and cameras are packed into them. */
import { struct } from "../../gpu/struct_layout.ts";
import { BenchError } from "../../env/errors.ts";
import type { Camera } from "../camera.ts";
import type { Vector3 } from "../../env/vector3.ts";
import type { Scene } from "../scene.ts";
import type { RenderProfile } from "./profile.ts";

/** One Gaussian of a scene. `_low` holds what float32 rounded away, so that float64 scenes are drawn as they are. */
export const GAUSSIAN = struct("Gaussian", {
  mean: "vec3f",
  opacity: "f32",
  mean_low: "vec3f",
  scale: "vec3f",
  scale_low: "vec3f",
  quaternion: "vec4f",
  quaternion_low: "vec4f",
  color: "vec3f",
});

/** One view of one scene: a row of the job table. */
export const VIEW = struct("View", {
  /** World-to-camera rotation by rows. */
  axis_x: "vec3f",
  axis_x_low: "vec3f",
  axis_y: "vec3f",
  axis_y_low: "vec3f",
  axis_z: "vec3f",
  axis_z_low: "vec3f",
  /** Place of the camera in the world. */
  eye: "vec3f",
  eye_low: "vec3f",
  /** fx, fy, cx, cy in pixels. */
  lens: "vec4f",
  lens_low: "vec4f",
  /** Limits of X/Z and Y/Z in the Jacobian: least x, least y, most x, most y. */
  limits: "vec4f",
  limits_low: "vec4f",
  /** Where the scene starts in the Gaussian buffer, and how many it has. */
  first: "u32",
  count: "u32",
  /** Always 0, but no compiler knows: see double_float_lib.wgsl. */
  zero: "u32",
});

/** What all kernels of a batch share: an array of one. */
export const FRAME = struct("Frame", {
  width: "u32",
  height: "u32",
  /** Gaussian slots a view has: the most that any scene of the batch holds. */
  slots: "u32",
  /** Words of 32 bits that hold one bit a slot. */
  words: "u32",
});

/** A projected Gaussian, 64 bytes; lives on the device only. `splat_lib.wgsl` says what it means. */
export const SPLAT = struct("Splat", {
  anchor: "vec2f",
  offset: "vec2f",
  root: "vec3f",
  opacity: "f32",
  color: "vec3f",
  cut: "f32",
  reach: "vec4f",
});

/** Bytes of `array<Gaussian>`: the scenes one behind the other. */
export function packScenes(scenes: readonly Scene[]): Uint8Array<ArrayBuffer> {
  return GAUSSIAN.pack(
    scenes.flat().map(({ mean, opacity, scale, quaternion, color }) => ({
      mean,
      opacity,
      mean_low: low3(mean),
      scale,
      scale_low: low3(scale),
      quaternion,
      quaternion_low: low4(quaternion),
      color,
    })),
  );
}

/** One row of the job table, packed by `VIEW.pack`. Throws BenchError when the camera's rotation has no inverse. */
export function viewRow(camera: Camera, first: number, count: number, profile: RenderProfile) {
  const { rotation: [x, y, z], fx, fy, cx, cy } = camera;
  const eye = eyeOf(camera);
  const lens = [fx, fy, cx, cy] as const;
  const limits = jacobianLimits(camera, profile);
  return {
    axis_x: x,
    axis_x_low: low3(x),
    axis_y: y,
    axis_y_low: low3(y),
    axis_z: z,
    axis_z_low: low3(z),
    eye,
    eye_low: low3(eye),
    lens,
    lens_low: low4(lens),
    limits,
    limits_low: low4(limits),
    first,
    count,
    zero: 0,
  };
}

/**
 * −R⁻¹ t. Depths near the eye are differences of nearly equal numbers; taking them in world space keeps them exact.
 * The inverse, not the transpose: published matrices are rounded and so not quite orthonormal.
 */
function eyeOf({ rotation: [a, b, c], translation: t }: Camera): Vector3 {
  const [bc, ca, ab] = [cross(b, c), cross(c, a), cross(a, b)];
  const determinant = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
  if (!(Math.abs(determinant) > 1e-6)) {
    throw new BenchError({
      what: "Cannot draw from this camera",
      why: `its rotation R has determinant ${determinant}, wanted 1`,
      fix: "R is a world-to-camera rotation matrix, by rows",
    });
  }
  const along = (k: 0 | 1 | 2) => -(bc[k] * t[0] + ca[k] * t[1] + ab[k] * t[2]) / determinant;
  return [along(0), along(1), along(2)];
}

function jacobianLimits(
  { fx, fy, cx, cy, width, height }: Camera,
  { jacobianClamp }: RenderProfile,
): readonly [number, number, number, number] {
  const [tanX, tanY] = [width / (2 * fx), height / (2 * fy)];
  switch (jacobianClamp) {
    case "none":
      return [-1e30, -1e30, 1e30, 1e30];
    case "sym1.3":
      return [-1.3 * tanX, -1.3 * tanY, 1.3 * tanX, 1.3 * tanY];
    case "asym0.3":
      return [
        -cx / fx - 0.3 * tanX,
        -cy / fy - 0.3 * tanY,
        (width - cx) / fx + 0.3 * tanX,
        (height - cy) / fy + 0.3 * tanY,
      ];
  }
}

function cross(a: Vector3, b: Vector3): Vector3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function low(value: number): number {
  return value - Math.fround(value);
}

function low3([x, y, z]: Vector3): Vector3 {
  return [low(x), low(y), low(z)];
}

function low4([x, y, z, w]: readonly [number, number, number, number]): [number, number, number, number] {
  return [low(x), low(y), low(z), low(w)];
}
