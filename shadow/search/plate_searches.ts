/** Blind searches of several plates at once: they share submits, and go on where they were stopped. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { BenchError } from "../../env/errors.ts";
import { contentHash, sha256 } from "../../env/hash.ts";
import { openGpu } from "../../gpu/device.ts";
import { UnreadableFile, writing } from "../../tasks/file_errors.ts";
import { cacheFolder } from "../../tasks/cache_folder.ts";
import { readWhole, writeWhole } from "../../tasks/json_lines.ts";
import { PoseChecker } from "../collision/pose_checker.ts";
import type { Hands } from "../hand/hand_model.ts";
import type { Pose } from "../pose.ts";
import type { ScoreProfile } from "../score/score_profile.ts";
import { type ScoreRequest, ShadowRenderer } from "../score/shadow_renderer.ts";
import { scoreShadow, type ShadowScore, type Target } from "../score/shadow_score.ts";
import { castShadow } from "../stage/cast_shadow.ts";
import { GENERATION, ILLEGAL, PlateSearch, plateSearchSchema } from "./plate_search.ts";

export interface SearchOptions {
  /** Poses to try on each plate, in whole generations of 16. */
  readonly evaluations: number;
  readonly seed: number;
  /** Where searches are kept; it need not exist. */
  readonly folder: string;
  /** What legality and score depend on besides hand and profile, as a hash: other rules are another search. */
  readonly rules: string;
  /** A line for the person who waits. */
  readonly notice: (line: string) => void;
}

/** The options that are not given: 6,000 poses a plate, kept in the cache. */
export function searchOptions(given: Partial<SearchOptions> = {}): SearchOptions {
  const { evaluations = 6000, seed = 0, rules = "", notice = () => {} } = given;
  const { folder = join(cacheFolder(), "searches") } = given;
  return { evaluations, seed, folder, rules, notice };
}

/** What scores the poses: `ShadowRenderer` on a device, open while there is something to search. */
export interface PoseScorer {
  scoresOfMany(requests: readonly ScoreRequest[]): Promise<ShadowScore[][]>;
  close(): void;
}

/** @param device `auto`, `gpu`, `software`, or part of an adapter's name */
export async function openPoseScorer(
  device: string,
  hands: Hands,
  profile: ScoreProfile,
): Promise<PoseScorer> {
  const gpu = await openGpu(device);
  try {
    const renderer = await ShadowRenderer.open(gpu, hands, profile);
    return { scoresOfMany: (requests) => renderer.scoresOfMany(requests), close: () => gpu.close() };
  } catch (error) {
    gpu.close();
    throw error;
  }
}

interface Job {
  readonly name: string;
  readonly target: Target;
  readonly search: PlateSearch;
  readonly path: string;
  readonly stop: AbortSignal | null;
  done(best: Pose | null): void;
  failed(error: unknown): void;
}

/** Generations between two savings of a search: some seconds. */
const SAVED_EVERY = 25;
/** Poses between two lines of progress. */
const TOLD_EVERY = 2000;

export class PlateSearches {
  readonly #checker: PoseChecker;
  /** Under way; those of them whose next generation nobody works on. */
  readonly #jobs = new Set<Job>();
  readonly #ready: Job[] = [];
  #running = false;
  /** Whether searches are saved: not where the folder takes no files. */
  #keeping = true;
  /** Settles when a lane has brought its plates a generation further. */
  #turn = Promise.withResolvers<void>();

  constructor(
    private readonly hands: Hands,
    private readonly profile: ScoreProfile,
    private readonly options: SearchOptions,
    private readonly openScorer: (hands: Hands) => Promise<PoseScorer>,
  ) {
    this.#checker = new PoseChecker(hands);
  }

  /**
   * The best legal pose that the search of a plate finds, by score. One that was stopped goes on, and one that is
   * complete is read from its file, whose best pose is checked and scored again.
   *
   * @param name the task's id
   * @returns null where there is nothing to search with, `stop` was aborted before the end, or no pose was legal
   */
  async search(name: string, target: Target, stop: AbortSignal | null = null): Promise<Pose | null> {
    const path = join(this.options.folder, `${name}__${this.#recipeHash(target)}.json`);
    const search = await this.#kept(path, target) ?? new PlateSearch(this.options.seed);
    if (search.evaluations > 0) this.#tell(name, search);
    if (this.#isComplete(search)) return search.best?.pose ?? null;
    return await new Promise((done, failed) => {
      const job = { name, target, search, path, stop, done, failed };
      this.#jobs.add(job);
      this.#ready.push(job);
      if (!this.#running) this.#run();
    });
  }

  /** Two lanes: while the device scores the poses of one, the host makes those of the other. */
  async #run(): Promise<void> {
    this.#running = true;
    try {
      const scorer = await this.openScorer(this.hands);
      try {
        await Promise.all([this.#lane(scorer), this.#lane(scorer)]);
      } finally {
        scorer.close();
      }
    } catch (error) {
      for (const job of this.#jobs) job.failed(error);
      this.#jobs.clear();
      this.#ready.length = 0;
    } finally {
      this.#running = false;
      // Asked for after both lanes had ended.
      if (this.#ready.length > 0) this.#run();
    }
  }

  async #lane(scorer: PoseScorer): Promise<void> {
    while (this.#jobs.size > 0) {
      const own = this.#ready.splice(0, Math.ceil(this.#jobs.size / 2));
      if (own.length === 0) {
        await this.#turn.promise;
        continue;
      }
      await this.#generation(own, scorer);
      for (const job of own) {
        const ended = await this.#keep(job);
        if (!ended && this.#jobs.has(job)) this.#ready.push(job);
      }
      this.#turn.resolve();
      this.#turn = Promise.withResolvers();
    }
  }

  async #generation(jobs: readonly Job[], scorer: PoseScorer): Promise<void> {
    const proposed = jobs.map(({ search }) =>
      search.propose().map((pose) => ({ pose, legal: this.#checker.pose(pose) === null }))
    );
    const scores = await scorer.scoresOfMany(jobs.map(({ target }, i) => ({
      target,
      poses: proposed[i].flatMap(({ pose, legal }) => legal ? [pose] : []),
    })));
    for (const [i, { search }] of jobs.entries()) {
      const legal = scores[i].values();
      search.learn(proposed[i].map((one) => one.legal ? legal.next().value?.score ?? ILLEGAL : ILLEGAL));
    }
  }

  /** Saves a search now and then; whether it has come to its end. */
  async #keep(job: Job): Promise<boolean> {
    const { search, path, name } = job;
    const { evaluations } = search;
    const complete = this.#isComplete(search);
    const ended = complete || (job.stop?.aborted ?? false);
    if (ended || evaluations % (SAVED_EVERY * GENERATION) === 0) {
      await this.#save(path, search);
    }
    if (ended || Math.floor(evaluations / TOLD_EVERY) > Math.floor((evaluations - GENERATION) / TOLD_EVERY)) {
      this.#tell(name, search);
    }
    if (ended) {
      this.#jobs.delete(job);
      job.done(complete ? search.best?.pose ?? null : null);
    }
    return ended;
  }

  /** A cache that cannot be written costs time another day, and no result today. */
  async #save(path: string, search: PlateSearch): Promise<void> {
    if (!this.#keeping) return;
    try {
      await writing(this.options.folder, () => mkdir(this.options.folder, { recursive: true }));
      await writeWhole(path, JSON.stringify(search.state()));
    } catch (error) {
      if (!(error instanceof BenchError)) throw error;
      if (!this.#keeping) return;
      this.#keeping = false;
      const { what, why } = error.explanation;
      this.options.notice(
        `Searches are not kept. ${what}: ${why}. Set BENCH_CACHE to a folder that can be written`,
      );
    }
  }

  #isComplete({ evaluations }: PlateSearch): boolean {
    return evaluations + GENERATION > this.options.evaluations;
  }

  #tell(name: string, { evaluations, best }: PlateSearch): void {
    const score = best === null ? "none legal" : `best ${best.score.toFixed(1)}`;
    this.options.notice(`${name}: ${evaluations} of ${this.options.evaluations} poses tried, ${score}`);
  }

  /** A search on disk; null where there is none that can be used. */
  async #kept(path: string, target: Target): Promise<PlateSearch | null> {
    try {
      const state = await readWhole(path, plateSearchSchema);
      if (state === null) return null;
      const search = new PlateSearch(state);
      const fault = this.#faultOf(search, target);
      if (fault === null) return search;
      this.options.notice(`Cannot use ${path}: ${fault}. It is searched anew`);
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error;
      this.options.notice(`${error.message}. It is searched anew`);
    }
    return null;
  }

  /** What is wrong with the best pose of a file; null where it is legal and has its score, exactly. */
  #faultOf({ best }: PlateSearch, target: Target): string | null {
    if (best === null) return null;
    const fault = this.#checker.pose(best.pose);
    if (fault !== null) return `its best pose is not legal (${fault.text})`;
    const { score } = scoreShadow(target, castShadow(this.hands, best.pose), best.pose);
    return score === best.score ? null : `its best pose scores ${score}, and not ${best.score}`;
  }

  /** Another hand, target or way of searching is another file. */
  #recipeHash({ mask }: Target): string {
    const { seed, evaluations, rules } = this.options;
    const target = sha256(new Uint8Array(mask.buffer, mask.byteOffset, mask.byteLength));
    const { hash } = this.hands.right;
    const recipe = { seed, evaluations, rules, target, hand: hash, profile: this.profile };
    return contentHash(recipe).slice(0, 16);
  }
}
