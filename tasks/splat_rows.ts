/** SplatBench's published JSON: Gaussians, cameras, and nothing else. The only home of these key names. */
import { z } from "zod";

const vector3 = z.tuple([z.number(), z.number(), z.number()]);

/** A Gaussian: centre, standard deviations along its own axes, quaternion (w, x, y, z), sRGB in [0, 1]. */
export const gaussianRowSchema = z.object({
  id: z.number().int(),
  pos: vector3,
  scale: vector3,
  quat: z.tuple([z.number(), z.number(), z.number(), z.number()]),
  color: vector3,
  opacity: z.number(),
  group: z.string().nullable(),
});
export type GaussianRow = z.infer<typeof gaussianRowSchema>;

/** A camera: OpenCV world-to-camera `R`, `t` and pinhole intrinsics in pixels; the picture size is the photo's. */
export const cameraRowSchema = z.object({
  R: z.tuple([vector3, vector3, vector3]),
  t: vector3,
  fx: z.number().positive(),
  fy: z.number().positive(),
  cx: z.number(),
  cy: z.number(),
});
export type CameraRow = z.infer<typeof cameraRowSchema>;
