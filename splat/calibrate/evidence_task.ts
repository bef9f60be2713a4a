/** What a task says about conventions: its photos, its scenes, and the numbers recorded of them. */
import type { Metrics } from "../../env/records.ts";
import type { Scene } from "../scene.ts";
import type { View } from "../task.ts";

export interface EvidenceTask {
  readonly id: string;
  readonly reference: readonly View[];
  readonly heldOut: readonly View[];
  /** Recorded of the empty scene; null where it is not. */
  readonly empty: Metrics | null;
  /** Fits to the reference views, largest first. */
  readonly fits: readonly Scene[];
  readonly scenes: readonly EvidenceScene[];
}

export interface EvidenceScene {
  /** Scenes of one origin were written with the same digits. */
  readonly origin: "task" | "episode";
  readonly scene: Scene;
  /** Means over the held-out views, those that are recorded. */
  readonly metrics: Metrics;
  /** Recorded partial score, where no metrics are; it needs a fit of the task. */
  readonly score: number | null;
}
