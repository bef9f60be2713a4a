/** The `intervals` section of a profile file: a bootstrap recipe. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import { readProfileFile } from "../tasks/profile_file.ts";
import { type BootstrapRecipe, DEFAULT_RECIPE, DRAW_NAMES } from "./bootstrap.ts";

const intervalsSchema = z.strictObject({
  draw: z.enum(DRAW_NAMES),
  /** A whole number as text: seeds may be longer than a JSON number is exact. */
  seed: z.string().regex(/^\d+$/),
  resamples: z.number().int().positive(),
  shape: z.enum(["rows", "columns"]),
  generator: z.enum(["per-interval", "shared"]),
});

/** The recipe as a section. */
export function intervalsSection({ draw, seed, resamples, shape, generator }: BootstrapRecipe) {
  return { draw, seed: String(seed), resamples, shape, generator };
}

/**
 * The recipe of a profile file; ours where it has no such section.
 *
 * @throws BenchError for a file that is missing or no profile, naming the knob that is not known
 */
export async function profileRecipe(path: string): Promise<BootstrapRecipe> {
  const { intervals } = await readProfileFile(path);
  if (intervals === undefined) return DEFAULT_RECIPE;
  const parsed = intervalsSchema.safeParse(intervals);
  if (parsed.success) return { ...parsed.data, seed: BigInt(parsed.data.seed) };
  const [{ path: place, message }] = parsed.error.issues;
  throw new BenchError({
    what: `Cannot use the profile ${path}`,
    why: `${["intervals", ...place].join(".")}: ${message}`,
    fix: "Mend the file, or write it again with `bench calibrate intervals`",
  });
}
