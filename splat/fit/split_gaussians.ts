/** Where a fit under a fixed number of Gaussians spends them: the useless are moved to where the error is. */
import { rotate } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { PARAMETER_FLOATS } from "./parameters.ts";
import type { FitRecipe } from "./recipe.ts";

/** Share of the Gaussians that move at once. */
const SHARE = 0.03;
/** A split Gaussian's halves: distance of each from the centre and its scale, along the longest axis. */
const OFFSET = 0.5;
const SHRINK = 0.6;

/** One Gaussian and the parameters it goes on with. */
export interface Moved {
  readonly index: number;
  /** One `Parameters` record. */
  readonly parameters: Float32Array<ArrayBuffer>;
}

/**
 * Pairs the Gaussians that add least to the pictures with those that lie on most of the error, and splits the latter
 * along their longest axis: one half stays, the other takes the place of the former. Ties go by index.
 *
 * `parameters` are records [count, 16], `contributions` [count, 2]: Σ T alpha and Σ T alpha |d|.
 */
export function splitGaussians(
  parameters: Float32Array,
  contributions: Float32Array,
  { scales }: FitRecipe,
): Moved[] {
  const count = parameters.length / PARAMETER_FLOATS;
  const pairs = Math.min(Math.ceil(SHARE * count), Math.floor(count / 2));
  const order = (column: 0 | 1) =>
    Array.from({ length: count }, (_, index) => index)
      .sort((a, b) => contributions[2 * a + column] - contributions[2 * b + column] || a - b);
  const useless = order(0).slice(0, pairs);
  const wanted = order(1).reverse().filter((index) => !useless.includes(index)).slice(0, pairs);
  return wanted.flatMap((index, k) => {
    const record = parameters.subarray(index * PARAMETER_FLOATS, (index + 1) * PARAMETER_FLOATS);
    const [low, high] = halves(record, Math.log(scales[0]));
    return [{ index, parameters: low }, { index: useless[k], parameters: high }];
  });
}

function halves(
  record: Float32Array,
  leastLogScale: number,
): [Float32Array<ArrayBuffer>, Float32Array<ArrayBuffer>] {
  const logScales = [record[4], record[5], record[6]];
  const axis = logScales.indexOf(Math.max(...logScales));
  const length = Math.hypot(record[8], record[9], record[10], record[11]);
  const own: Vector3 = [Number(axis === 0), Number(axis === 1), Number(axis === 2)];
  const direction = rotate(
    [record[8] / length, record[9] / length, record[10] / length, record[11] / length],
    own,
  );
  const half = (sign: number) => {
    const moved = new Float32Array(record);
    const step = sign * OFFSET * Math.exp(logScales[axis]);
    direction.forEach((part, k) => moved[k] += step * part);
    moved[4 + axis] = Math.max(leastLogScale, logScales[axis] + Math.log(SHRINK));
    return moved;
  };
  return [half(-1), half(1)];
}
