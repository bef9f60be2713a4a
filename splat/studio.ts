/** Draws scenes for the model and scores them behind its back. */
import type { ScoredState } from "../env/environment.ts";
import type { ScoreKind } from "../env/records.ts";
import type { Scene } from "./scene.ts";
import type { Painter } from "./tools/tool.ts";

export interface Studio extends Painter {
  /** What its scores are made of. */
  readonly scoreKind: ScoreKind;
  /** Hidden metrics and score of a scene; equal scenes are rendered once. */
  score(scene: Scene): Promise<ScoredState>;
}
