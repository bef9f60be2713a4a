/**
 * The scenes whose hidden metrics `fixture.json` holds: seeded Gaussians put before the photos of five tasks, and the
 * fits that earn 100 points.
 */
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import { PROCEDURAL_OBJECTS } from "../../../splat/objects/procedural.ts";
import type { Scene } from "../../../splat/scene.ts";
import { fitOf, FULL_FIT, type SplatTask } from "../../../splat/task.ts";

export const CASES: readonly { task: string; scene: (task: SplatTask) => Scene }[] = [
  { task: "table__sculpt", scene: () => [] },
  { task: "snowman__sculpt", scene: () => randomBlobScene(11) },
  { task: "rocket__sculpt", scene: () => randomBlobScene(12) },
  { task: "tree__sculpt", scene: () => randomBlobScene(13) },
  { task: "robot__sculpt", scene: () => randomBlobScene(14).slice(0, 37) },
  ...PROCEDURAL_OBJECTS.map((object) => ({
    task: `${object}__sculpt`,
    scene: (task: SplatTask) => fitOf(task, FULL_FIT)?.scene ?? [],
  })),
];
