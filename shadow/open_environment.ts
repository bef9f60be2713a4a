/** ShadowBench as the command line opens it. */
import { shadowTaskSet } from "../tasks/data_tasks.ts";
import { type ShadowEnvironment, shadowEnvironment } from "./environment.ts";
import { chosenScore } from "./named_profile.ts";

export interface OpenOptions {
  device: string;
  /** The `profile` of a `run.json`, or null for the benchmark's own. */
  profile: unknown;
  /** GLB file of a hand; null for the default hand. */
  hand: string | null;
  /** Data set whose tasks ids and globs mean, instead of the embedded ones. */
  data?: string;
  /** How `bench baselines` searches. */
  search?: { evaluations: number; seed: number };
  notice: (line: string) => void;
}

/** @throws BenchError for a profile that does not exist, or a data set that cannot be read; a bad hand file is told of where it is first used */
export async function openShadowEnvironment(
  { device, profile, hand, data, search, notice }: OpenOptions,
): Promise<ShadowEnvironment> {
  return shadowEnvironment({
    device,
    scoreProfile: chosenScore(profile),
    tasks: await shadowTaskSet(data),
    search: { ...search, notice },
    ...(hand === null ? {} : { hand }),
  });
}
