/** One blind search for a pose that casts a plate: CMA-ES told the score of each pose, and nothing else. */
import { z } from "zod";
import { stream } from "../../env/random.ts";
import { poseRowSchema } from "../../tasks/shadow_rows.ts";
import { type Pose, poseFromRow, poseToRow } from "../pose.ts";
import { cmaConstants, CmaEs, type CmaState, initialCmaState } from "./cma_es.ts";
import { poseOfVector, START_VECTOR } from "./pose_vector.ts";

/** σ of the first generation, in ranges of a number. */
export const FIRST_STEP = 0.15;
/** The score of a pose that is not legal: below any other. */
export const ILLEGAL = -1;

/** Poses that a generation tries. */
export const GENERATION = cmaConstants(START_VECTOR.length).populationSize;

const numbers = z.array(z.number());

/** All of a search, as JSON, so that it can go on another day. */
export const plateSearchSchema = z.object({
  seed: z.number().int(),
  /** Poses tried so far, illegal ones included. */
  evaluations: z.number().int().nonnegative(),
  /** The best pose yet, and its score; null while none was legal. */
  best: z.object({ score: z.number(), pose: poseRowSchema }).nullable(),
  cma: z.object({
    generation: z.number().int(),
    mean: numbers,
    stepSize: z.number(),
    covariance: z.array(numbers),
    stepPath: numbers,
    covariancePath: numbers,
  }),
});
export type PlateSearchState = z.infer<typeof plateSearchSchema>;

/** A generation at a time: `propose` poses, have them scored, `learn`. */
export class PlateSearch {
  readonly #seed: number;
  readonly #cma: CmaEs;
  #evaluations: number;
  #best: { score: number; pose: Pose } | null;
  #candidates: readonly (readonly number[])[] = [];
  #poses: readonly Pose[] = [];

  /** Any integer is a seed; a state goes on as if the search had never stopped. */
  constructor(start: number | PlateSearchState) {
    const state = typeof start === "number" ? firstState(start) : start;
    this.#seed = state.seed;
    this.#evaluations = state.evaluations;
    this.#best = state.best && { score: state.best.score, pose: poseFromRow(state.best.pose) };
    this.#cma = new CmaEs(state.cma);
  }

  get evaluations(): number {
    return this.#evaluations;
  }

  /** The best legal pose yet; null while there was none. */
  get best(): { readonly score: number; readonly pose: Pose } | null {
    return this.#best;
  }

  /** The poses of the next generation. */
  propose(): readonly Pose[] {
    this.#candidates = this.#cma.sample(stream(this.#seed, "plate search", this.#evaluations));
    this.#poses = this.#candidates.map(poseOfVector);
    return this.#poses;
  }

  /** @param scores of the poses that were proposed, in their order; `ILLEGAL` for those that are */
  learn(scores: readonly number[]): void {
    this.#evaluations += scores.length;
    for (const [i, score] of scores.entries()) {
      if (score > (this.#best?.score ?? ILLEGAL)) this.#best = { score, pose: this.#poses[i] };
    }
    this.#cma.update(this.#candidates, scores.map((score) => -score));
  }

  state(): PlateSearchState {
    const best = this.#best;
    return {
      seed: this.#seed,
      evaluations: this.#evaluations,
      best: best && { score: best.score, pose: poseToRow(best.pose) },
      cma: jsonOf(this.#cma.state()),
    };
  }
}

function firstState(seed: number): PlateSearchState {
  return { seed, evaluations: 0, best: null, cma: jsonOf(initialCmaState(START_VECTOR, FIRST_STEP)) };
}

/** Arrays that may be changed, as schemas infer them. */
function jsonOf(state: CmaState): PlateSearchState["cma"] {
  return {
    ...state,
    mean: [...state.mean],
    covariance: state.covariance.map((row) => [...row]),
    stepPath: [...state.stepPath],
    covariancePath: [...state.covariancePath],
  };
}
