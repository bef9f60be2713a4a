/** What `rescore --shape` records of a final scene, under `shape` in an episode's `details`. */
import { z } from "zod";

export const splatShapeSchema = z.object({
  /** Whether some mirror image of the build scores clearly more than the build. */
  mirrored: z.boolean(),
  /** 1 for the right handedness, 0 for none, below 0 for the mirror image; null where the object is symmetric. */
  mirror_index: z.number().nullable(),
  /** The score of the best of the mirror images. */
  best_mirrored_score: z.number(),
  /** Factor that the build would have to be scaled by to score best: below 1 it is too big. */
  best_scale: z.number(),
  /** Silhouette's area over the photo's, mean over held-out views. */
  area_ratio: z.number(),
  /** Weighted RMS radius over that of the fit of 300 Gaussians. */
  radius_ratio: z.number(),
});
export type SplatShape = z.infer<typeof splatShapeSchema>;
