/** ShadowBench as the command line opens it. */
import { type ShadowEnvironment, shadowEnvironment } from "./environment.ts";
import { chosenScore } from "./named_profile.ts";

export interface OpenOptions {
  device: string;
  /** The `profile` of a `run.json`, or null for the benchmark's own. */
  profile: unknown;
  /** GLB file of a hand; null for the default hand. */
  hand: string | null;
  /** How `bench baselines` searches. */
  search?: { evaluations: number; seed: number };
  notice: (line: string) => void;
}

/** @throws BenchError for a profile that does not exist; a bad hand file is told of where it is first used */
export function openShadowEnvironment(
  { device, profile, hand, search, notice }: OpenOptions,
): ShadowEnvironment {
  return shadowEnvironment({
    device,
    scoreProfile: chosenScore(profile),
    search: { ...search, notice },
    ...(hand === null ? {} : { hand }),
  });
}
