/** What every command shares: the benchmarks, options and their words. */
import { InvalidArgumentError } from "commander";
import type { EnvironmentDefinition } from "../env/environment.ts";
import { BenchError, EXIT } from "../env/errors.ts";
import type { ScoreKind } from "../env/records.ts";
import type { BaselineTables } from "../eval/baselines_command.ts";
import type { OpenEnvironment } from "../eval/replay_stage.ts";
import type { Summarize } from "../eval/summarize.ts";

export interface EnvironmentOptions {
  /** `auto`, `gpu`, `software`, or part of an adapter's name. */
  device: string;
  /** A profile's name or file, the `profile` of a `run.json`, or null for the benchmark's own. */
  profile: unknown;
  /** Null for what is possible. */
  metrics: ScoreKind | null;
  /** File of LPIPS weights; null for those fetched before. */
  lpipsWeights: string | null;
  /** GLB file of a hand; null for the default hand. */
  hand: string | null;
  /** Data set whose tasks ids and globs mean, instead of the embedded ones. */
  data?: string;
  /** The blind search among the baselines; where it is asked for. */
  search?: { evaluations: number; seed: number };
}

/** What the commands work with. */
export interface CliContext {
  /** Benchmarks by the word on the command line. */
  environments: Readonly<Record<string, (options: EnvironmentOptions) => Promise<EnvironmentDefinition>>>;
  /** The benchmarks that a data set is of; BenchError where nothing says so. */
  benchmarksOf(data: string): Promise<readonly string[]>;
  loadSummarize(): Promise<Summarize>;
  loadBaselineTables(): Promise<BaselineTables>;
}

export async function openEnvironment(
  environments: CliContext["environments"],
  name: string,
  options: EnvironmentOptions,
): Promise<EnvironmentDefinition> {
  if (Object.hasOwn(environments, name)) return await environments[name](options);
  throw new BenchError({
    what: `Cannot run the benchmark ${JSON.stringify(name)}`,
    why: "there is no such benchmark",
    fix: `There is ${Object.keys(environments).join(" and ")}`,
  });
}

/** Opens what recorded episodes are played and scored on. */
export function recordedEnvironment(
  environments: CliContext["environments"],
  { device, metrics, lpipsWeights, hand }: Pick<
    EnvironmentOptions,
    "device" | "metrics" | "lpipsWeights" | "hand"
  >,
): OpenEnvironment {
  return (name, profile, recorded, data) =>
    openEnvironment(environments, name, {
      device,
      profile,
      metrics: metrics ?? recorded,
      lpipsWeights,
      hand,
      data: data ?? undefined,
    });
}

/** An option's reader as commander wants it. */
export function checked<Value>(
  read: (text: string, before?: Value) => Value,
): (text: string, before?: Value) => Value {
  return (text, before) => {
    try {
      return read(text, before);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };
}

/** Trouble with the infrastructure leaves results missing, which is graver than a result that is too low. */
export function gravest(codes: readonly number[]): number {
  return Math.max(...codes, EXIT.fine);
}

export const FORCE_HELP = "replace files that are there already";
export const METRICS_HELP = "full (PSNR, SSIM, LPIPS) or partial (PSNR, SSIM) (default: ";
export const PROFILE_HELP =
  "conventions: a name, e.g. inria, or a file of `bench calibrate` (default: torch)";
export const HAND_HELP = "GLB file of another right hand (ShadowBench)";
export const DATA_HELP =
  "data set whose tasks are meant: a folder, a file or hf://org/name (default: embedded)";
export const WEIGHTS_HELP = "LPIPS weights (default: those of `bench fetch weights`)";
