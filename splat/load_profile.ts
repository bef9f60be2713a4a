/** The profile behind `--profile`: a name, a file, or what a run recorded. */
import { isProfileFile, readProfileFile } from "../tasks/profile_file.ts";
import { chosenProfile, DEFAULT_PROFILE, fileProfile, type SplatProfile } from "./named_profile.ts";

/**
 * @param chosen name of a render profile, path of a profile file, the `profile` of a `run.json`, or null for the defaults
 * @throws BenchError for what does not exist or is not known, naming the knob
 */
export async function loadProfile(chosen: unknown): Promise<SplatProfile> {
  if (typeof chosen !== "string" || !isProfileFile(chosen)) return chosenProfile(chosen);
  const { render = DEFAULT_PROFILE.render, metrics = DEFAULT_PROFILE.metrics, lpips } = await readProfileFile(
    chosen,
  );
  return fileProfile(chosen, lpips === undefined ? { render, metrics } : { render, metrics, lpips });
}
