/** Every choice that the published score formula leaves open, as one value that is hashed into each score. */
import { z } from "zod";

const radius = z.int().min(1).max(16);
const degrees = z.number().min(0).max(180);

export const ScoreProfile = z.strictObject({
  outline: z.strictObject({
    /** Pixels, Euclidean, inclusive: how far outlines may lie apart in each of the three F values. */
    radii: z.tuple([radius, radius, radius]),
    /** A pixel is outline when one of its 4 or 8 neighbours is light. */
    neighbours: z.union([z.literal(4), z.literal(8)]),
    /** What lies beyond the screen: "same" as the pixel itself, so that a cropped arm has no edge there, or "light". */
    border: z.enum(["same", "light"]),
  }),
  /** Holes are light parts of the target, connected by edges, that do not touch the screen's border. */
  holes: z.strictObject({
    /** Smaller ones do not count, pixels. */
    minPixels: z.int().min(1),
    /** Of the open shares of several holes: every hole the same, or by pixels. */
    mean: z.enum(["holes", "pixels"]),
  }),
  /** The wrist-position step of RULA: 1 neutral, 2 slightly flexed or extended, 3 beyond, 1 more when bent sideways. */
  wrists: z.strictObject({
    /** Flexion or extension up to this, inclusive, is neutral. */
    neutralDeg: degrees,
    /** Up to this, inclusive, it is slight. */
    slightDeg: degrees,
    /** Bent toward thumb or little finger by more than this counts. */
    bentDeg: degrees,
  }),
  /** Each look into the book multiplies the score by this. */
  peekFactor: z.number().min(0).max(1),
  /** Least IoU, outline F and hole share of a solved plate. */
  solvedAt: z.number().min(0).max(1),
});

export type ScoreProfile = z.infer<typeof ScoreProfile>;

export const DEFAULT_SCORE: ScoreProfile = {
  outline: { radii: [1, 2, 4], neighbours: 4, border: "same" },
  holes: { minPixels: 16, mean: "holes" },
  wrists: { neutralDeg: 1, slightDeg: 15, bentDeg: 5 },
  peekFactor: 0.94,
  solvedAt: 0.95,
};
