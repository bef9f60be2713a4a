/** Whether scores are full or partial, and with which weights: the rules of `--metrics` and `--lpips-weights`. */
import { BenchError, EXIT } from "../../../env/errors.ts";
import type { LpipsWeights } from "./lpips_weights.ts";
import { type LpipsNet, SCORE_NET } from "./networks.ts";
import { cachedLpipsWeights, loadLpipsWeights } from "./weight_cache.ts";

export interface WeightChoice {
  /** `if_there`: full with weights, partial without. */
  metrics: "full" | "partial" | "if_there";
  /** The LPIPS of a recorded profile, which full scores must be made with again. */
  recorded?: { net: LpipsNet; sha256: string };
  /** A file named by the user; null for those that `bench fetch weights` keeps. */
  file: string | null;
  /** `cacheFolder()`, or null where there is none. */
  cache: string | null;
}

/**
 * The weights to score with; null for partial scores.
 *
 * @throws BenchError (exit code 3) when they are needed and missing; (2) for a file that cannot be used, or numbers
 *   other than the recorded ones
 */
export async function chooseWeights(choice: WeightChoice): Promise<LpipsWeights | null> {
  const { metrics, recorded, file, cache } = choice;
  if (metrics === "partial") return null;
  const net = recorded?.net ?? SCORE_NET;
  const weights = file !== null
    ? await loadLpipsWeights(net, file)
    : cache === null
    ? null
    : await cachedLpipsWeights(net, cache);
  if (weights === null) {
    if (metrics === "if_there") return null;
    throw new BenchError({
      what: "Cannot give full scores",
      why: `they need the weights of LPIPS with ${net}, and none have been fetched`,
      fix: `Run \`bench fetch weights${
        net === SCORE_NET ? "" : ` --net ${net}`
      }\`, name a file with --lpips-weights, or take PSNR and SSIM alone with --metrics partial`,
    }, EXIT.noDevice);
  }
  if (recorded === undefined || recorded.sha256 === weights.sha256) return weights;
  throw new BenchError({
    what: "Cannot repeat the recorded scores",
    why: `these weights of LPIPS have the sha256 ${weights.sha256}, recorded is ${recorded.sha256}`,
    fix: "Name the file that was used with --lpips-weights",
  });
}
