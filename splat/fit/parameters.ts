/** What a fit descends on: unbounded numbers behind the Gaussians' bounded ones. */
import { struct } from "../../gpu/struct_layout.ts";
import type { Gaussian, Scene } from "../scene.ts";

/**
 * One Gaussian as 14 free numbers: scale = exp(log_scale), opacity and colour = 1 / (1 + exp(−x)), the quaternion of
 * any length. Gradients and Adam's moments have the same layout.
 */
export const PARAMETERS = struct("Parameters", {
  mean: "vec3f",
  opacity: "f32",
  log_scale: "vec3f",
  quaternion: "vec4f",
  color: "vec3f",
});

/** Floats of one `Parameters`, two of them padding. */
export const PARAMETER_FLOATS = PARAMETERS.byteLength / 4;

/** Where each of the 14 numbers lies among the floats. */
export const PARAMETER_PLACES = {
  mean: [0, 1, 2],
  opacity: [3],
  logScale: [4, 5, 6],
  quaternion: [8, 9, 10, 11],
  color: [12, 13, 14],
} as const;

/** Bytes of `array<Parameters>` for a scene. Opacities and colours of 0 and 1 are moved to where a logit exists. */
export function packParameters(scene: Scene): Uint8Array<ArrayBuffer> {
  return PARAMETERS.pack(
    scene.map(({ mean, scale, quaternion, color, opacity }) => ({
      mean,
      opacity: logit(opacity),
      log_scale: [Math.log(scale[0]), Math.log(scale[1]), Math.log(scale[2])] as const,
      quaternion,
      color: [logit(color[0]), logit(color[1]), logit(color[2])] as const,
    })),
  );
}

/** The scene behind parameters; identities from 1 up. */
export function sceneFromParameters(bytes: ArrayBuffer): Scene {
  const floats = new Float32Array(bytes);
  return Array.from({ length: floats.length / PARAMETER_FLOATS }, (_, index): Gaussian => {
    const p = floats.subarray(index * PARAMETER_FLOATS, (index + 1) * PARAMETER_FLOATS);
    const length = Math.hypot(p[8], p[9], p[10], p[11]);
    return {
      id: index + 1,
      mean: [p[0], p[1], p[2]],
      scale: [Math.exp(p[4]), Math.exp(p[5]), Math.exp(p[6])],
      quaternion: [p[8] / length, p[9] / length, p[10] / length, p[11] / length],
      color: [sigmoid(p[12]), sigmoid(p[13]), sigmoid(p[14])],
      opacity: sigmoid(p[3]),
      group: null,
    };
  });
}

export const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

function logit(value: number): number {
  const inside = Math.min(1 - 1e-3, Math.max(1e-3, value));
  return Math.log(inside / (1 - inside));
}
