/** Fits a scene of Gaussians to photos by gradient descent. */
import { stream } from "../../env/random.ts";
import type { Gpu } from "../../gpu/device.ts";
import type { Scene } from "../scene.ts";
import type { View } from "../task.ts";
import { LOSS_PERIOD } from "./fit_buffers.ts";
import { FitPass } from "./fit_pass.ts";
import type { FitState } from "./fit_state.ts";
import { initialScene } from "./initial_scene.ts";
import { sceneFromParameters } from "./parameters.ts";
import type { FitRecipe } from "./recipe.ts";
import { splitGaussians } from "./split_gaussians.ts";

export interface FitProgress {
  /** Steps done, of how many. */
  readonly step: number;
  readonly steps: number;
  /** Mean over the steps since the last report. */
  readonly loss: number;
}

/**
 * Fits exactly `recipe.gaussians` Gaussians to views, and the loss of the result over all of them.
 *
 * Everything stays on the device; losses come back, and `onProgress` is called, every 100 steps. The same recipe and
 * views on the same adapter give the same scene, bit for bit. Throws BenchError for no views, photos of unlike sizes or
 * ones smaller than the SSIM window.
 */
export async function fitScene(
  gpu: Gpu,
  views: readonly View[],
  recipe: FitRecipe,
  onProgress?: (progress: FitProgress) => void,
): Promise<{ scene: Scene; loss: number }> {
  const pass = await FitPass.create(gpu, recipe);
  const state = pass.open(views, initialScene(views, recipe));
  try {
    const order = batchOrder(state.batches, recipe);
    for (let done = 0; done < recipe.steps;) {
      const batches = order.slice(done, done + LOSS_PERIOD);
      const losses = await submitSteps(gpu, state, batches);
      done += batches.length;
      if (recipe.relocate === "split" && relocates(done, recipe)) await relocate(gpu, state, recipe);
      onProgress?.({ step: done, steps: recipe.steps, loss: mean(losses) });
    }
    return await finish(gpu, state);
  } finally {
    state.destroy();
  }
}

/** Rounds over all batches, each shuffled on its own (Fisher–Yates). */
function batchOrder(batches: number, { seed, steps }: FitRecipe): number[] {
  const draw = stream(seed, "fit order of views");
  const order: number[] = [];
  while (order.length < steps) {
    const round = Array.from({ length: batches }, (_, k) => k);
    for (let left = batches; left > 1; left--) {
      const pick = draw.integer(0, left);
      [round[left - 1], round[pick]] = [round[pick], round[left - 1]];
    }
    order.push(...round);
  }
  return order.slice(0, steps);
}

async function submitSteps(gpu: Gpu, state: FitState, batches: readonly number[]): Promise<Float32Array> {
  const commands = batches.flatMap((batch) => state.step(batch));
  const [bytes] = await gpu.submit("fit", commands, [state.losses]);
  return new Float32Array(bytes, 0, batches.length);
}

/** Gaussians move from 5 % to 75 % of the run; what is left settles them. */
function relocates(step: number, { steps }: FitRecipe): boolean {
  return step >= 0.05 * steps && step <= 0.75 * steps;
}

async function relocate(gpu: Gpu, state: FitState, recipe: FitRecipe): Promise<void> {
  const [parameters, contributions] = await gpu.submit("contributions", state.measureContributions(), [
    state.parameters,
    state.contributions,
  ]);
  const moved = splitGaussians(new Float32Array(parameters), new Float32Array(contributions), recipe);
  for (const { index, parameters } of moved) state.replace(index, parameters);
}

/** The scene, and its loss over all views. */
async function finish(gpu: Gpu, state: FitState): Promise<{ scene: Scene; loss: number }> {
  const [bytes] = await gpu.submit("fitted parameters", [], [state.parameters]);
  const losses: number[] = [];
  for (let first = 0; first < state.batches; first += LOSS_PERIOD) {
    const count = Math.min(LOSS_PERIOD, state.batches - first);
    const commands = Array.from({ length: count }, (_, k) => [
      ...state.forward(first + k),
      ...state.record(first + k),
    ]).flat();
    const [bytes] = await gpu.submit("loss of the fit", [state.restartRecord(), ...commands], [state.losses]);
    losses.push(...new Float32Array(bytes, 0, count));
  }
  return { scene: sceneFromParameters(bytes), loss: mean(losses) };
}

function mean(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}
