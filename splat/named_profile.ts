/** The conventions behind an environment's numbers: chosen by a name, or as a run recorded them. */
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import {
  DEFAULT_RENDER_PROFILE,
  type RenderProfile,
  renderProfile,
  renderProfileSchema,
} from "./render/profile.ts";
import { DEFAULT_METRICS, MetricProfile } from "./score/metric_profile.ts";

/** `profile` of `run.json`. */
const recordedSchema = z.strictObject({ render: renderProfileSchema, metrics: MetricProfile });

/**
 * The profiles to open an environment with.
 *
 * @param chosen name of a render profile, the `profile` of a `run.json`, or null for the defaults
 * @throws BenchError for a name that does not exist, or naming the knob of a recorded profile that is not known
 */
export function chosenProfiles(
  chosen: unknown,
): { renderProfile: RenderProfile; metricProfile: MetricProfile } {
  if (chosen === null || typeof chosen === "string") {
    const render = chosen === null ? DEFAULT_RENDER_PROFILE : renderProfile(chosen);
    return { renderProfile: render, metricProfile: DEFAULT_METRICS };
  }
  const recorded = recordedSchema.safeParse(chosen);
  if (recorded.success) return { renderProfile: recorded.data.render, metricProfile: recorded.data.metrics };
  const [{ path, message }] = recorded.error.issues;
  throw new BenchError({
    what: "Cannot use the profile that the run recorded",
    why: `${path.join(".") || "it"}: ${message}`,
    fix: "Replay with the release that recorded it, or name a profile with --profile",
  });
}
