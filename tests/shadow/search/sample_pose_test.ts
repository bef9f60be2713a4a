import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { controlIndex } from "../../../shadow/hand/controls.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { SIDES } from "../../../shadow/pose.ts";
import { rangeFault } from "../../../shadow/rules.ts";
import { JOINTS, parked, samplePose } from "../../../shadow/search/sample_pose.ts";
import { castShadow } from "../../../shadow/stage/cast_shadow.ts";
import { maskArea } from "../../../shadow/stage/mask.ts";

const hands = await loadHands();
const POSES = Deno.env.get("BENCH_SOAK") ? 5000 : 300;

Deno.test("samplePose() keeps to every range, and bends as many joints as asked", () => {
  const draws = stream(1, "sample test");
  for (let i = 0; i < POSES; i++) {
    const bent = draws.integer(1, 2 * JOINTS + 1);
    const pose = samplePose(hands, SIDES, bent, draws);
    assert.equal(rangeFault(pose), null);
    const away = SIDES.flatMap((side) => pose[side].angles.filter((angle) => angle !== 0));
    assert.equal(away.length, bent);
  }
});

Deno.test("samplePose() is legal for at least 94 % of one hand's poses, 12 joints bent", () => {
  const draws = stream(2, "sample test");
  const checker = new PoseChecker(hands);
  let legal = 0;
  for (let i = 0; i < POSES; i++) {
    if (checker.pose(samplePose(hands, [SIDES[i % 2]], 12, draws)) === null) legal++;
  }
  assert.ok(legal >= 0.94 * POSES, `${legal} of ${POSES}`);
});

Deno.test("samplePose() couples a finger's end to its middle: 0.55 PIP ± 8°", () => {
  const draws = stream(3, "sample test");
  for (let i = 0; i < POSES; i++) {
    const { right: { angles } } = samplePose(hands, ["right"], JOINTS, draws);
    const degrees = (name: string) => angles[controlIndex(name)] * 180 / Math.PI;
    for (const finger of ["index", "middle", "ring", "little"]) {
      const off = degrees(`${finger}.dip`) - 0.55 * degrees(`${finger}.pip`);
      assert.ok(Math.abs(off) <= 8.5, `${off}`);
    }
  }
});

Deno.test("samplePose() parks the hand that is not shown where its shadow misses the screen", () => {
  const mask = castShadow(hands, { right: parked("right"), left: parked("left") });
  assert.equal(maskArea(mask), 0);
  const { left } = samplePose(hands, ["right"], 5, stream(4, "sample test"));
  assert.deepEqual(left, parked("left"));
});
