/** The five scenes whose hidden metrics `fixture.json` holds: seeded Gaussians put before the photos of five tasks. */
import { randomBlobScene } from "../../../splat/objects/blobs.ts";
import type { Scene } from "../../../splat/scene.ts";

export const CASES: readonly { task: string; scene: () => Scene }[] = [
  { task: "table__sculpt", scene: () => [] },
  { task: "snowman__sculpt", scene: () => randomBlobScene(11) },
  { task: "rocket__sculpt", scene: () => randomBlobScene(12) },
  { task: "tree__sculpt", scene: () => randomBlobScene(13) },
  { task: "robot__sculpt", scene: () => randomBlobScene(14).slice(0, 37) },
];
