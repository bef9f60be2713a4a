/**
 * CMA-ES: minimises a function that is only asked for values, by sampling from a normal distribution whose mean, step
 * size and covariance learn from the better half of each population.
 *
 * Hansen, The CMA Evolution Strategy: A Tutorial (arXiv 1604.00772), with its default constants and positive weights:
 * rank-one and rank-µ updates, cumulative step-size adaptation.
 */
import type { Stream } from "../../env/random.ts";
import { symmetricEigen } from "../../env/symmetric_eigen.ts";

/** The defaults for n dimensions. */
export interface CmaConstants {
  /** λ: candidates a generation. */
  readonly populationSize: number;
  /** Positive, of sum 1, best first. [µ] */
  readonly weights: readonly number[];
  /** µ_eff: how many equally weighted parents the weights are worth. */
  readonly effectiveParents: number;
  /** c_σ and d_σ of the step size's path. */
  readonly stepRate: number;
  readonly stepDamping: number;
  /** c_c of the covariance's path, c_1 of its rank-one and c_µ of its rank-µ update. */
  readonly pathRate: number;
  readonly rankOneRate: number;
  readonly rankMuRate: number;
  /** χ_n: about the mean length of a standard normal vector. */
  readonly normalLength: number;
}

/** All that a search needs to go on; plain JSON. */
export interface CmaState {
  readonly generation: number;
  /** [n] */
  readonly mean: readonly number[];
  /** σ */
  readonly stepSize: number;
  /** C. [n][n] */
  readonly covariance: readonly (readonly number[])[];
  /** p_σ and p_c. [n] */
  readonly stepPath: readonly number[];
  readonly covariancePath: readonly number[];
}

/** The state before the first generation. */
export function initialCmaState(mean: readonly number[], stepSize: number): CmaState {
  const zeros = mean.map(() => 0);
  const covariance = mean.map((_, i) => mean.map((_, j) => i === j ? 1 : 0));
  return { generation: 0, mean, stepSize, covariance, stepPath: zeros, covariancePath: zeros };
}

/** One search, a generation at a time: `sample`, ask for the candidates' values, `update`. */
export class CmaEs {
  readonly constants: CmaConstants;
  readonly #n: number;
  #generation: number;
  #stepSize: number;
  readonly #mean: Float64Array;
  readonly #covariance: Float64Array;
  readonly #stepPath: Float64Array;
  readonly #covariancePath: Float64Array;
  /** Unit eigenvectors of C as rows, and the square roots of its eigenvalues. */
  #axes: Float64Array;
  #deviations: Float64Array;

  constructor(state: CmaState) {
    this.#n = state.mean.length;
    this.constants = cmaConstants(this.#n);
    this.#generation = state.generation;
    this.#stepSize = state.stepSize;
    this.#mean = Float64Array.from(state.mean);
    this.#covariance = Float64Array.from(state.covariance.flat());
    this.#stepPath = Float64Array.from(state.stepPath);
    this.#covariancePath = Float64Array.from(state.covariancePath);
    [this.#axes, this.#deviations] = principalAxes(this.#covariance, this.#n);
  }

  /** The candidates of the next generation: m + σ B D z with z standard normal. [λ][n] */
  sample(draws: Stream): number[][] {
    const n = this.#n;
    return Array.from({ length: this.constants.populationSize }, () => {
      const candidate = [...this.#mean];
      for (let axis = 0; axis < n; axis++) {
        const along = this.#stepSize * this.#deviations[axis] * draws.normal();
        for (let i = 0; i < n; i++) candidate[i] += along * this.#axes[axis * n + i];
      }
      return candidate;
    });
  }

  /**
   * Learns from a generation.
   *
   * @param candidates those of `sample`, in any order
   * @param values of the candidates, smaller is better; equal ones rank in the order given
   */
  update(candidates: readonly (readonly number[])[], values: readonly number[]): void {
    const { weights } = this.constants;
    const ranked = candidates.map((_, i) => i).sort((a, b) => values[a] - values[b] || a - b);
    // y of the parents: steps from the mean in units of σ.
    const steps = weights.map((_, rank) =>
      candidates[ranked[rank]].map((x, i) => (x - this.#mean[i]) / this.#stepSize)
    );
    const step = this.#mean.map((_, i) => weights.reduce((sum, w, rank) => sum + w * steps[rank][i], 0));
    for (let i = 0; i < this.#n; i++) this.#mean[i] += this.#stepSize * step[i];
    this.#generation++;
    this.#followPaths(step, steps);
    [this.#axes, this.#deviations] = principalAxes(this.#covariance, this.#n);
  }

  state(): CmaState {
    const n = this.#n;
    return {
      generation: this.#generation,
      mean: [...this.#mean],
      stepSize: this.#stepSize,
      covariance: Array.from({ length: n }, (_, i) => [...this.#covariance.subarray(i * n, (i + 1) * n)]),
      stepPath: [...this.#stepPath],
      covariancePath: [...this.#covariancePath],
    };
  }

  /** Both paths, then what they drive: covariance and step size. */
  #followPaths(step: Float64Array, steps: readonly (readonly number[])[]): void {
    const { effectiveParents, stepRate, stepDamping, pathRate, normalLength } = this.constants;
    const n = this.#n;
    const white = this.#whitened(step);
    const stepGain = Math.sqrt(stepRate * (2 - stepRate) * effectiveParents);
    for (let i = 0; i < n; i++) this.#stepPath[i] = (1 - stepRate) * this.#stepPath[i] + stepGain * white[i];
    const length = Math.hypot(...this.#stepPath);
    // A step size that is far too small must not be mistaken for a long axis: the rank-one update waits for it.
    const settled = Math.sqrt(1 - (1 - stepRate) ** (2 * this.#generation));
    const stalls = length / settled >= (1.4 + 2 / (n + 1)) * normalLength;
    const pathGain = stalls ? 0 : Math.sqrt(pathRate * (2 - pathRate) * effectiveParents);
    for (let i = 0; i < n; i++) {
      this.#covariancePath[i] = (1 - pathRate) * this.#covariancePath[i] + pathGain * step[i];
    }
    this.#adaptCovariance(steps, stalls);
    this.#stepSize *= Math.exp(stepRate / stepDamping * (length / normalLength - 1));
  }

  #adaptCovariance(steps: readonly (readonly number[])[], stalls: boolean): void {
    const { weights, pathRate, rankOneRate, rankMuRate } = this.constants;
    const n = this.#n;
    const lost = stalls ? rankOneRate * pathRate * (2 - pathRate) : 0;
    const kept = 1 - rankOneRate - rankMuRate + lost;
    const path = this.#covariancePath;
    for (let i = 0; i < n; i++) {
      for (let j = 0; j <= i; j++) {
        let rankMu = 0;
        for (let rank = 0; rank < weights.length; rank++) {
          rankMu += weights[rank] * steps[rank][i] * steps[rank][j];
        }
        const value = kept * this.#covariance[i * n + j] + rankOneRate * path[i] * path[j] +
          rankMuRate * rankMu;
        this.#covariance[i * n + j] = this.#covariance[j * n + i] = value;
      }
    }
  }

  /** C^(−1/2) v. */
  #whitened(v: Float64Array): Float64Array {
    const n = this.#n;
    const white = new Float64Array(n);
    for (let axis = 0; axis < n; axis++) {
      let along = 0;
      for (let i = 0; i < n; i++) along += this.#axes[axis * n + i] * v[i];
      along /= this.#deviations[axis];
      for (let i = 0; i < n; i++) white[i] += along * this.#axes[axis * n + i];
    }
    return white;
  }
}

/** Table 1 of the tutorial, without negative weights. */
export function cmaConstants(n: number): CmaConstants {
  const populationSize = 4 + Math.floor(3 * Math.log(n));
  const raw = Array.from(
    { length: Math.floor(populationSize / 2) },
    (_, rank) => Math.log((populationSize + 1) / 2) - Math.log(rank + 1),
  );
  const sum = raw.reduce((total, weight) => total + weight, 0);
  const weights = raw.map((weight) => weight / sum);
  const parents = 1 / weights.reduce((total, weight) => total + weight * weight, 0);
  const stepRate = (parents + 2) / (n + parents + 5);
  const rankOneRate = 2 / ((n + 1.3) ** 2 + parents);
  return {
    populationSize,
    weights,
    effectiveParents: parents,
    stepRate,
    stepDamping: 1 + 2 * Math.max(0, Math.sqrt((parents - 1) / (n + 1)) - 1) + stepRate,
    pathRate: (4 + parents / n) / (n + 4 + 2 * parents / n),
    rankOneRate,
    rankMuRate: Math.min(1 - rankOneRate, 2 * (parents - 2 + 1 / parents) / ((n + 2) ** 2 + parents)),
    normalLength: Math.sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n)),
  };
}

/** Axes and deviations of the distribution; rounding may leave an eigenvalue at or below 0. */
function principalAxes(covariance: Float64Array, n: number): [Float64Array, Float64Array] {
  const { values, vectors } = symmetricEigen(covariance, n);
  return [vectors, values.map((value) => Math.sqrt(Math.max(value, LEAST_VARIANCE)))];
}

const LEAST_VARIANCE = 1e-20;
