/**
 * A profile as a file: the conventions behind numbers, a section for each kind. Calibration writes it, `--profile` reads
 * it; what a section holds is checked by those who use it.
 */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import { reading, writing } from "./file_errors.ts";
import { readOrNull, writeWhole } from "./json_lines.ts";

const profileFileSchema = z.strictObject({
  schema_version: z.literal(1),
  /** `RenderProfile` and `MetricProfile` of SplatBench, and which LPIPS full scores are made with. */
  render: z.unknown().optional(),
  metrics: z.unknown().optional(),
  lpips: z.unknown().optional(),
  /** Recipe of the 95% intervals. */
  intervals: z.unknown().optional(),
});
export type ProfileSections = Omit<z.infer<typeof profileFileSchema>, "schema_version">;

/** Whether what stands after `--profile` is a file, not a name. */
export function isProfileFile(chosen: string): boolean {
  return chosen.endsWith(".json") || /[/\\]/.test(chosen);
}

/** @throws BenchError for a file that is missing or no profile */
export async function readProfileFile(path: string): Promise<ProfileSections> {
  const sections = await readOrNothing(path);
  if (sections !== null) return sections;
  throw new BenchError({
    what: `Cannot use the profile ${path}`,
    why: "there is no such file",
    fix: "Write one with `bench calibrate`, or name a profile",
  });
}

/**
 * Writes sections into a profile; those that the file has besides stay.
 *
 * @throws BenchError where the file is something else, or cannot be written
 */
export async function writeProfileFile(path: string, sections: ProfileSections): Promise<void> {
  const before = await readOrNothing(path);
  const text = JSON.stringify({ schema_version: 1, ...before, ...sections }, null, 2);
  await writing(path, () => writeWhole(path, text + "\n"));
}

async function readOrNothing(path: string): Promise<ProfileSections | null> {
  const bytes = await reading(path, () => readOrNull(path));
  if (bytes === null) return null;
  const parsed = profileFileSchema.safeParse(jsonOrNull(bytes));
  if (parsed.success) {
    const { schema_version: _, ...sections } = parsed.data;
    return sections;
  }
  const [{ path: place, message }] = parsed.error.issues;
  throw new BenchError({
    what: `Cannot use the profile ${path}`,
    why: `${place.join(".") || "it"}: ${message}`,
    fix: "Name a file that `bench calibrate` wrote",
  });
}

function jsonOrNull(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
