/** The conventions behind an environment's numbers: chosen by a name, or as a run recorded them. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import {
  DEFAULT_RENDER_PROFILE,
  type RenderProfile,
  renderProfile,
  renderProfileSchema,
} from "./render/profile.ts";
import type { LpipsWeights } from "./score/lpips/lpips_weights.ts";
import { lpipsNetSchema } from "./score/lpips/networks.ts";
import { DEFAULT_METRICS, MetricProfile } from "./score/metric_profile.ts";

/** `profile` of `run.json`: everything that decides a score besides program and device. */
const recordedSchema = z.strictObject({
  render: renderProfileSchema,
  metrics: MetricProfile,
  /** Which LPIPS full scores are made with; partial ones have none. */
  lpips: z.strictObject({ net: lpipsNetSchema, version: z.literal("0.1"), sha256: z.string() }).optional(),
});
export type SplatProfile = z.infer<typeof recordedSchema>;

export const DEFAULT_PROFILE: SplatProfile = { render: DEFAULT_RENDER_PROFILE, metrics: DEFAULT_METRICS };

/** The profile that a run records. */
export function splatProfile(
  render: RenderProfile,
  metrics: MetricProfile,
  weights: LpipsWeights | null,
): SplatProfile {
  if (weights === null) return { render, metrics };
  return { render, metrics, lpips: { net: weights.net, version: "0.1", sha256: weights.sha256 } };
}

/**
 * The profile to open an environment with.
 *
 * @param chosen name of a render profile, the `profile` of a `run.json`, or null for the defaults
 * @throws BenchError for a name that does not exist, or naming the knob of a recorded profile that is not known
 */
export function chosenProfile(chosen: unknown): SplatProfile {
  if (chosen === null) return DEFAULT_PROFILE;
  if (typeof chosen === "string") return { ...DEFAULT_PROFILE, render: renderProfile(chosen) };
  return checked(chosen, {
    what: "Cannot use the profile that the run recorded",
    fix: "Replay with the release that recorded it, or name a profile with --profile",
  });
}

/** The profile that a file holds; throws BenchError naming the file and the knob that is not known. */
export function fileProfile(path: string, content: unknown): SplatProfile {
  return checked(content, {
    what: `Cannot use the profile ${path}`,
    fix: "Mend the file, or write it again with `bench calibrate`",
  });
}

function checked(profile: unknown, { what, fix }: { what: string; fix: string }): SplatProfile {
  const recorded = recordedSchema.safeParse(profile);
  if (recorded.success) return recorded.data;
  const [{ path, message }] = recorded.error.issues;
  throw new BenchError({ what, why: `${path.join(".") || "it"}: ${message}`, fix });
}
