/** SplatBench as the command line opens it: from options to profiles, weights and a cache. */
import { BenchError } from "../env/errors.ts";
import { cacheFolder } from "../tasks/cache_folder.ts";
import { splatTaskSet } from "../tasks/data_tasks.ts";
import { type SplatEnvironment, splatEnvironment } from "./environment.ts";
import { loadProfile } from "./load_profile.ts";
import { chooseWeights } from "./score/lpips/choose_weights.ts";

export interface OpenOptions {
  device: string;
  /** A profile's name or file, the `profile` of a `run.json`, or null for the benchmark's own. */
  profile: unknown;
  /** Null for what the weights that are there allow. */
  metrics: "full" | "partial" | null;
  /** File of LPIPS weights; null for those fetched before. */
  lpipsWeights: string | null;
  /** Data set whose tasks ids and globs mean, instead of the embedded ones. */
  data?: string;
  notice(line: string): void;
}

/**
 * @throws BenchError for a profile that does not exist, a data set that cannot be read, (exit code 3) when weights are needed and missing
 */
export async function openSplatEnvironment(options: OpenOptions): Promise<SplatEnvironment> {
  const { device, notice } = options;
  const { render, metrics, lpips } = await loadProfile(options.profile);
  const choice = options.metrics ?? "if_there";
  const cache = cacheFolderOrNull();
  const weights = await chooseWeights({
    metrics: choice,
    recorded: lpips,
    file: options.lpipsWeights,
    cache,
  });
  if (weights === null && choice === "if_there") {
    notice("No LPIPS weights: scores are partial, of PSNR and SSIM alone; `bench fetch weights` gets them");
  }
  const environment = splatEnvironment({
    device,
    renderProfile: render,
    metricProfile: metrics,
    lpipsWeights: weights,
    tasks: await splatTaskSet(options.data),
    cache,
    notice,
  });
  return {
    ...environment,
    // Measured beside the environment, whose fingerprint it does not change.
    shapes: async (info, states) => {
      const { sceneShapes } = await import("./shape/scene_shapes.ts");
      const { task, studio } = await environment.studio(info);
      return await sceneShapes(task, studio, states);
    },
  };
}

/** Without a place to keep things, everything still runs. */
function cacheFolderOrNull(): string | null {
  try {
    return cacheFolder();
  } catch (error) {
    if (error instanceof BenchError) return null;
    throw error;
  }
}
