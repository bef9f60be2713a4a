/** Where the hands of a final pose are to each other: `hands` in an episode's `details`, which needs the hand's skin. */
import { z } from "zod";

export const shadowHandsSchema = z.object({
  /** Between the nearest points of the two skins, metres. */
  gap: z.number().nonnegative(),
  /** Whether the right and the left hand cast a shadow on the screen. */
  casting: z.tuple([z.boolean(), z.boolean()]),
});
export type ShadowHands = z.infer<typeof shadowHandsSchema>;
