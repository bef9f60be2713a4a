/** Step sizes of a fit, by parameter and by step. */
import { PARAMETER_FLOATS, PARAMETER_PLACES } from "./parameters.ts";
import type { FitRecipe } from "./recipe.ts";

/** Adam's constants as 3D Gaussian splatting uses them. */
export const ADAM = { beta1: 0.9, beta2: 0.999, epsilon: 1e-15 } as const;

/** Step size by a float's place in its record. */
export function rateTable({ rates }: FitRecipe): Float32Array<ArrayBuffer> {
  const table = new Float32Array(PARAMETER_FLOATS);
  for (const place of PARAMETER_PLACES.mean) table[place] = rates.mean;
  for (const place of PARAMETER_PLACES.opacity) table[place] = rates.opacity;
  for (const place of PARAMETER_PLACES.logScale) table[place] = rates.logScale;
  for (const place of PARAMETER_PLACES.quaternion) table[place] = rates.quaternion;
  for (const place of PARAMETER_PLACES.color) table[place] = rates.color;
  return table;
}

/** By step: factor of the means' rate, of the others', and Adam's two corrections. */
export function scheduleTable({ steps, rateDecay, rateFloor }: FitRecipe): Float32Array<ArrayBuffer> {
  const table = new Float32Array(steps * 4);
  for (let step = 0; step < steps; step++) {
    const factor = rateDecay ** (step / steps);
    table[step * 4] = factor;
    table[step * 4 + 1] = Math.max(rateFloor, factor);
    table[step * 4 + 2] = 1 / (1 - ADAM.beta1 ** (step + 1));
    table[step * 4 + 3] = 1 / (1 - ADAM.beta2 ** (step + 1));
  }
  return table;
}
