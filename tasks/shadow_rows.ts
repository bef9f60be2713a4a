/** ShadowBench's published JSON: poses. The only home of these key names. */
import { z } from "zod";

const vector3 = z.tuple([z.number(), z.number(), z.number()]);
const quaternion = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** Joint controls of both hands together. */
const POSE_ANGLES = 46;

/** The pose of both hands, right hand first. */
export const poseRowSchema = z.object({
  /** Joint angles in radians relative to the relaxed rest pose, 23 a hand in the documented alias order. */
  q: z.array(z.number()).length(POSE_ANGLES),
  /** Wrist anchors in metres: x right, y up, z toward the lamp. */
  positions: z.tuple([vector3, vector3]),
  /** Hand orientations (w, x, y, z). */
  quaternions: z.tuple([quaternion, quaternion]),
});
export type PoseRow = z.infer<typeof poseRowSchema>;
