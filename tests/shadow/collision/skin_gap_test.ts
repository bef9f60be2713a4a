import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import { type Pose, START_POSE } from "../../../shadow/pose.ts";
import { skinDistance } from "../../reference/skin_contacts.ts";
import { randomPose } from "../../support/shadow_poses.ts";

const POSES = Deno.env.get("BENCH_SOAK") ? 300 : 24;

const hands = await loadHands();
const checker = new PoseChecker(hands);

Deno.test(`skinGap() equals three-mesh-bvh on ${POSES} seeded poses, from hands that meet to hands far apart`, () => {
  const draw = stream(7, "skin gap");
  let [met, near] = [0, 0];
  for (let k = 0; k < POSES; k++) {
    const pose = randomPose(draw, [0.2, 0.4, 0.8][k % 3]);
    const gap = checker.gap(pose);
    assert.ok(Math.abs(gap - skinDistance(hands, pose)) < 1e-9, `pose ${k}: ${gap}`);
    if (gap === 0) met += 1;
    else if (gap < 0.05) near += 1;
  }
  assert.ok(met > 2 && near > 2, `${met} poses in which hands meet, ${near} in which they are near`);
});

Deno.test("skinGap() of mirrored hands is twice the distance of a hand from the mirror, and the same either way", () => {
  const { right, left } = START_POSE;
  const lowest = Math.min(...skinHand(hands.right, right).filter((_, i) => i % 3 === 0));
  assert.ok(lowest > 0);
  assert.ok(Math.abs(checker.gap(START_POSE) - 2 * lowest) < 1e-12);
  const [x, y, z] = right.position;
  const further: Pose = { right: { ...right, position: [x + 0.1, y, z] }, left };
  assert.ok(Math.abs(checker.gap(further) - 2 * lowest - 0.1) < 1e-12);
});
