/** The fits that come with a task: what earns 100, and the smaller one that stands between it and an empty scene. */
import type { Gpu } from "../../gpu/device.ts";
import type { GaussianRow } from "../../tasks/splat_rows.ts";
import type { FitRow } from "../../tasks/task_file.ts";
import { type Scene, sceneToRows } from "../scene.ts";
import type { View } from "../task.ts";
import { type FitProgress, fitScene } from "./fit_scene.ts";
import { DEFAULT_FIT, type FitRecipe, fitRecipeHash } from "./recipe.ts";

/**
 * The fits of a task. Plain descent earns 100; the small fit prunes and splits, which it needs more, since few
 * Gaussians that start in the wrong place never find theirs.
 */
export const TASK_FITS: readonly FitRecipe[] = [
  DEFAULT_FIT,
  { ...DEFAULT_FIT, gaussians: 64, relocate: "split" },
];

/** Decimals of a stored fit: 1e-4 of the cube's half side is 0.01 pixels of the standard rig. */
const DECIMALS = 4;

/** What a fit may be made with other than the recipes say; other scores come of it. */
export interface FitChanges {
  readonly seed?: number;
  readonly steps?: number;
}

/**
 * Makes the fits of `TASK_FITS` to the reference views.
 *
 * Scores are made from the numbers as they are stored, so that rounding them costs a score nothing.
 */
export async function fitTask(
  gpu: Gpu,
  reference: readonly View[],
  onProgress?: (gaussians: number, progress: FitProgress) => void,
  changes: FitChanges = {},
): Promise<FitRow[]> {
  const fits: FitRow[] = [];
  for (const { gaussians, ...rest } of TASK_FITS) {
    const recipe: FitRecipe = { gaussians, ...rest, ...changes };
    const { scene } = await fitScene(gpu, reference, recipe, (progress) => onProgress?.(gaussians, progress));
    fits.push({ gaussians, recipe_hash: fitRecipeHash(recipe), scene: roundedRows(scene) });
  }
  return fits;
}

function roundedRows(scene: Scene): GaussianRow[] {
  return sceneToRows(scene).map(({ id, pos, scale, quat, color, opacity, group }) => ({
    id,
    pos: [rounded(pos[0]), rounded(pos[1]), rounded(pos[2])],
    scale: [rounded(scale[0]), rounded(scale[1]), rounded(scale[2])],
    quat: [rounded(quat[0]), rounded(quat[1]), rounded(quat[2]), rounded(quat[3])],
    color: [rounded(color[0]), rounded(color[1]), rounded(color[2])],
    opacity: rounded(opacity),
    group,
  }));
}

/** Adding 0 turns −0 into 0, as JSON does. */
function rounded(value: number): number {
  return Number(value.toFixed(DECIMALS)) + 0;
}
