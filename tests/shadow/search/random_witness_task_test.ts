import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { taskFromFile } from "../../../shadow/load_task.ts";
import { START_POSE } from "../../../shadow/pose.ts";
import { prepareTarget, scoreShadow } from "../../../shadow/score/shadow_score.ts";
import { applyCall, type HandCall } from "../../../shadow/search/hand_call.ts";
import { isShape, randomWitnessTask } from "../../../shadow/search/random_witness_task.ts";
import { castShadow } from "../../../shadow/stage/cast_shadow.ts";
import { maskArea, maskAt, maskWhere } from "../../../shadow/stage/mask.ts";

const hands = await loadHands();
const TASKS = Deno.env.get("BENCH_SOAK") ? 200 : 3;

Deno.test("randomWitnessTask() is solved by its witness, along a path of legal calls", async () => {
  const checker = new PoseChecker(hands);
  for (let seed = 0; seed < TASKS; seed++) {
    const count = seed % 2 === 0 ? 2 : 1;
    const difficulty = 1 + (7 * seed + 5) % (23 * count);
    const file = await randomWitnessTask(seed, { hands: count, difficulty }, hands);
    const { witness, target, targetSvg } = taskFromFile(JSON.parse(JSON.stringify(file)), "test");
    assert.ok(witness !== null);
    let pose = START_POSE;
    for (const call of witness.path) {
      const next = applyCall(pose, call as unknown as HandCall);
      assert.equal(checker.move(pose, next), null);
      pose = next;
    }
    assert.deepEqual(pose, witness.pose);
    const score = scoreShadow(prepareTarget(target), castShadow(hands, pose), pose);
    assert.ok(score.solved && score.iou === 1 && score.outlineF === 1 && score.holes === 1);
    const angles = [...pose.right.angles, ...pose.left.angles];
    assert.equal(angles.filter((angle) => Math.abs(angle) > 1e-9).length, difficulty);
    assert.ok(targetSvg.startsWith("<svg"));
    const area = maskArea(target);
    assert.ok(area >= 4000 && area <= 60000, `${area} pixels`);
  }
});

Deno.test("randomWitnessTask() depends on seed and options alone", async () => {
  const options = { hands: 1, difficulty: 8 } as const;
  const first = await randomWitnessTask(5, options);
  assert.equal(first.task_id, "random__h1_d8_s5");
  assert.deepEqual(await randomWitnessTask(5, options, hands), first);
  assert.deepEqual(
    await randomWitnessTask(5),
    await randomWitnessTask(5, { hands: 2, difficulty: 8 }, hands),
  );
  assert.notDeepEqual((await randomWitnessTask(6, options, hands)).target, first.target);
  assert.notDeepEqual((await randomWitnessTask(5, { hands: 1, difficulty: 9 }, hands)).target, first.target);
});

Deno.test("isShape() refuses what is small, large, a blob, or mostly beyond the screen", () => {
  const cross = (x: number, y: number, arm: number, width: number) =>
    maskWhere((u, v) =>
      Math.abs(u - x) <= arm && Math.abs(v - y) <= width || Math.abs(v - y) <= arm && Math.abs(u - x) <= width
    );
  assert.equal(isShape(cross(256, 192, 100, 15)), true);
  assert.equal(isShape(cross(256, 192, 50, 8)), false, "1,500 pixels or so");
  assert.equal(isShape(cross(256, 192, 191, 90)), false, "over 60,000");
  assert.equal(isShape(maskWhere((u, v) => Math.hypot(u - 256, v - 192) < 90)), false, "a disc");
  // The same shape, half of it beyond the screen: a long straight edge there.
  const cut = cross(0, 192, 150, 30);
  assert.ok(maskArea(cut) > 4000 && maskAt(cut, 0, 192));
  assert.equal(isShape(cut), false, "cut in half");
});

Deno.test("randomWitnessTask() says which option is wrong", async () => {
  for (
    const [seed, difficulty, why] of [[1.5, 3, /seed is 1.5/], [1, 0, /difficulty is 0/], [
      1,
      24,
      /from 1 to 23/,
    ]] as const
  ) {
    await assert.rejects(
      randomWitnessTask(seed, { hands: 1, difficulty }, hands),
      (error) => error instanceof BenchError && why.test(error.message),
    );
  }
});
