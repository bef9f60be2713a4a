import assert from "node:assert/strict";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { type Pose, SIDES, START_POSE } from "../../../shadow/pose.ts";
import { castShadow, castsShadow, snapPose } from "../../../shadow/stage/cast_shadow.ts";
import { rasterize } from "../../../shadow/stage/rasterize.ts";

const hands = await loadHands();

Deno.test("snapPose() of one hand is its part of the shadow, and castsShadow() whether there is any", () => {
  const alone = SIDES.map((side) => rasterize(snapPose(hands, START_POSE, [side])));
  assert.deepEqual(alone[0].map((word, i) => word | alone[1][i]), castShadow(hands, START_POSE));
  assert.notDeepEqual(alone[0], alone[1]);
  // The screen ends at x = 0.4; at half the lamp's height 0.2 is above its edge.
  const aside: Pose = { ...START_POSE, right: { ...START_POSE.right, position: [0.6, 0, 1.25] } };
  assert.deepEqual(SIDES.map((side) => castsShadow(hands, aside, side)), [false, true]);
  assert.deepEqual(SIDES.map((side) => castsShadow(hands, START_POSE, side)), [true, true]);
});
