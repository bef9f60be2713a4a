/** The shapes of final scenes: mirror test and build size of many scenes of one task. */
import { z } from "zod";
import { gaussianRowSchema } from "../../tasks/splat_rows.ts";
import type { SplatShape } from "../../tasks/splat_shape.ts";
import { pixelsOf } from "../rendered_view.ts";
import { type Scene, sceneFromRows } from "../scene.ts";
import type { Studio } from "../studio.ts";
import { fitOf, FULL_FIT, type SplatTask } from "../task.ts";
import { areaRatio, bestScale, photoArea, renderArea, rmsRadius } from "./build_size.ts";
import { asymmetries, mirrorTest, type ScoreScenes } from "./handedness.ts";

const sceneSchema = z.array(gaussianRowSchema);

/** Raised where a scene has no score, as the task has no fixed points. */
class NoScore extends Error {}

/**
 * In the order given; null for all where the task has no fit to measure by.
 *
 * @param states scenes as published rows
 */
export async function sceneShapes(
  task: SplatTask,
  studio: Studio,
  states: readonly unknown[],
): Promise<(SplatShape | null)[]> {
  const fit = fitOf(task, FULL_FIT);
  const nothing = states.map(() => null);
  if (fit === null) return nothing;
  const score: ScoreScenes = (scenes) =>
    Promise.all(scenes.map(async (scene) => {
      const { score } = await studio.score(scene);
      if (score === null) throw new NoScore();
      return score;
    }));
  try {
    const asymmetry = await asymmetries(fit.scene, score);
    const shapes: SplatShape[] = [];
    for (const state of states) {
      const scene = sceneFromRows(sceneSchema.parse(state));
      shapes.push(await sceneShape(task, studio, { scene, fit: fit.scene, asymmetry, score }));
    }
    return shapes;
  } catch (error) {
    if (error instanceof NoScore) return nothing;
    throw error;
  }
}

interface Measured {
  scene: Scene;
  fit: Scene;
  asymmetry: readonly number[];
  score: ScoreScenes;
}

async function sceneShape(
  { heldOut }: SplatTask,
  studio: Studio,
  { scene, fit, asymmetry, score }: Measured,
): Promise<SplatShape> {
  const cameras = heldOut.map(({ camera }) => camera);
  const [own] = await score([scene]);
  const mirror = await mirrorTest(scene, own, asymmetry, score);
  const views = await Promise.all(cameras.map((camera) => studio.fromCamera(scene, camera)));
  return {
    mirrored: mirror.mirrored,
    mirror_index: mirror.mirrorIndex,
    best_mirrored_score: mirror.bestMirroredScore,
    best_scale: await bestScale(scene, score),
    area_ratio: areaRatio(
      views.map((view) => renderArea(pixelsOf(view))),
      heldOut.map(({ photo }) => photoArea(photo)),
    ),
    radius_ratio: rmsRadius(scene, cameras) / rmsRadius(fit, cameras),
  };
}
