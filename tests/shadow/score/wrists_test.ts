import assert from "node:assert/strict";
import { ALIASES, CONTROLS } from "../../../shadow/hand/controls.ts";
import { type HandPose, START_POSE } from "../../../shadow/pose.ts";
import { DEFAULT_SCORE } from "../../../shadow/score/score_profile.ts";
import { wristShare, wristStep } from "../../../shadow/score/wrists.ts";

const RULE = DEFAULT_SCORE.wrists;

/** Flexion and side bend in degrees, and the wrist position of the RULA worksheet, step 3. */
const WORKSHEET = [
  // +1: in a neutral position.
  [0, 0, 1],
  [0.5, 0, 1],
  // +2: 15° of flexion or extension.
  [5, 0, 2],
  [-5, 0, 2],
  [15, 0, 2],
  [-15, 0, 2],
  // +3: beyond 15°.
  [15.1, 0, 3],
  [-15.1, 0, 3],
  [60, 0, 3],
  [-55, 0, 3],
  // One more when bent from the midline, to either side.
  [0, 18, 2],
  [0, -25, 2],
  [10, 10, 3],
  [-40, -25, 4],
  [40, 18, 4],
  // Our bounds of neutral and of the midline, inclusive.
  [1, 0, 1],
  [-1, 0, 1],
  [1.01, 0, 2],
  [0, 5, 1],
  [0, -5, 1],
  [0, 5.01, 2],
] as const;

Deno.test("wristStep() is the wrist position of the RULA worksheet", () => {
  for (const [flex, bend, step] of WORKSHEET) {
    assert.equal(wristStep(hand(flex, bend), RULE), step, `flexed ${flex}°, bent ${bend}°`);
  }
});

Deno.test("wristShare() goes by the worse wrist, from 1 for neutral to 0", () => {
  for (const [flex, bend, step] of WORKSHEET) {
    for (
      const pose of [
        { right: hand(flex, bend), left: hand(0, 0) },
        { right: hand(0, 0), left: hand(flex, bend) },
        { right: hand(flex, bend), left: hand(flex, bend) },
      ]
    ) {
      assert.equal(wristShare(pose, RULE), [1, 2 / 3, 1 / 3, 0][step - 1]);
    }
  }
});

Deno.test("wristStep() looks at flexion and bend alone", () => {
  const angles = CONTROLS.map(({ name, max }) => name === "wrist.flex" || name === "wrist.bend" ? 0 : max);
  assert.equal(wristStep({ ...START_POSE.left, angles }, RULE), 1);
});

function hand(flex: number, bend: number): HandPose {
  const angles = CONTROLS.map(() => 0);
  angles[ALIASES.indexOf("wrist.flex")] = flex * Math.PI / 180;
  angles[ALIASES.indexOf("wrist.bend")] = bend * Math.PI / 180;
  return { ...START_POSE.right, angles };
}
