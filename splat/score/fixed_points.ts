/** The 0 and the 100 of each task, measured once: kept in memory and, across processes, in the cache folder. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { contentHash, imageKey } from "../../env/hash.ts";
import type { ScoreKind } from "../../env/records.ts";
import { readOrNull, writeWhole } from "../../tasks/json_lines.ts";
import { cameraToRow } from "../camera.ts";
import { sceneToRows } from "../scene.ts";
import type { SplatTask, TaskFit } from "../task.ts";
import { type FixedPoints, SCORE_METRICS } from "./splat_score.ts";

const FOLDER = "fixed_points";

/** Everything that the fixed points of a task depend on, as one hash. */
export function fixedPointsKey(task: SplatTask, fit: TaskFit, conventions: unknown): string {
  return contentHash({
    fit: sceneToRows(fit.scene),
    photos: task.heldOut.map(({ photo }) => imageKey(photo)),
    cameras: task.heldOut.map(({ camera }) => cameraToRow(camera)),
    conventions,
  });
}

export class FixedPointStore {
  readonly #known = new Map<string, Promise<FixedPoints>>();

  /** @param cache the cache folder; null keeps them in memory alone */
  constructor(private readonly kind: ScoreKind, private readonly cache: string | null) {}

  /** The fixed points of a key, measured unless they are known; a failure is not kept. */
  get(key: string, measure: () => Promise<FixedPoints>): Promise<FixedPoints> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const points = this.#find(key, measure);
    this.#known.set(key, points);
    points.catch(() => this.#known.delete(key));
    return points;
  }

  async #find(key: string, measure: () => Promise<FixedPoints>): Promise<FixedPoints> {
    const stored = this.cache === null ? null : await this.#read(join(this.cache, FOLDER, `${key}.json`));
    if (stored !== null) return stored;
    const points = await measure();
    if (this.cache !== null) await this.#write(this.cache, key, points);
    return points;
  }

  /** Null for a file that is missing or damaged: it is measured and written again. */
  async #read(path: string): Promise<FixedPoints | null> {
    try {
      const bytes = await readOrNull(path);
      return bytes === null ? null : this.#schema().parse(JSON.parse(new TextDecoder().decode(bytes)));
    } catch {
      return null;
    }
  }

  async #write(cache: string, key: string, points: FixedPoints): Promise<void> {
    try {
      await mkdir(join(cache, FOLDER), { recursive: true });
      await writeWhole(join(cache, FOLDER, `${key}.json`), JSON.stringify(points) + "\n");
    } catch {
      // A cache that cannot be written costs time, never a score.
    }
  }

  #schema() {
    const metrics = z.strictObject(
      Object.fromEntries(SCORE_METRICS[this.kind].map((metric) => [metric, z.number()])),
    );
    return z.strictObject({ empty: metrics, fit: metrics });
  }
}
