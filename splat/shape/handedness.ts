/** Whether a build has the right handedness, or is the mirror image of the object. */
import type { Scene } from "../scene.ts";
import { mirrored } from "./mirror_scene.ts";

/** SplatScore of scenes of one task, in the order given. */
export type ScoreScenes = (scenes: readonly Scene[]) => Promise<number[]>;

/** Normals of the vertical planes, degrees from +X: two such mirrors differ by a turn about the vertical. */
const NORMALS_DEG = Array.from({ length: 8 }, (_, k) => 22.5 * k);

/** Points that a mirror image of the object itself must lose, or else the object is symmetric about that plane. */
const LEAST_ASYMMETRY = 5;

/** Points that a mirror image must win: twice the noise of a score, which is 0.3. */
const CLEARLY_BETTER = 0.6;

export interface MirrorResult {
  mirrored: boolean;
  /** Null where the object is symmetric about every plane. */
  mirrorIndex: number | null;
  bestMirroredScore: number;
}

/** Points that each mirror image of the fit loses: how far the object is from being symmetric. */
export async function asymmetries(fit: Scene, score: ScoreScenes): Promise<number[]> {
  const scores = await score(NORMALS_DEG.map((normal) => mirrored(fit, normal)));
  return scores.map((mirror) => 100 - mirror);
}

/**
 * gap_f = SplatScore(S) − SplatScore(A_f S) over the asymmetry a_f of the object, for each plane f with a_f ≥ 5: 1 for
 * the right handedness, 0 for none, below 0 for a mirror image. The index is that of the plane whose mirror image is
 * best for its asymmetry.
 *
 * @param own the score of the scene
 * @param asymmetry of the object, as `asymmetries` gives it
 */
export async function mirrorTest(
  scene: Scene,
  own: number,
  asymmetry: readonly number[],
  score: ScoreScenes,
): Promise<MirrorResult> {
  const scores = await score(NORMALS_DEG.map((normal) => mirrored(scene, normal)));
  const indices = scores.flatMap((mirror, plane) =>
    asymmetry[plane] >= LEAST_ASYMMETRY ? [(own - mirror) / asymmetry[plane]] : []
  );
  const best = Math.max(...scores);
  return {
    mirrored: best > own + CLEARLY_BETTER,
    mirrorIndex: indices.length === 0 ? null : Math.min(...indices),
    bestMirroredScore: best,
  };
}
