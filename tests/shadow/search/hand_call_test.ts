import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { type Pose, SIDES, START_POSE } from "../../../shadow/pose.ts";
import { applyCall, callBetween, type HandCall, turnBetween } from "../../../shadow/search/hand_call.ts";
import { samplePose } from "../../../shadow/search/sample_pose.ts";
import { TOOL_BY_NAME } from "../../../shadow/tools/table.ts";
import type { ToolContext } from "../../../shadow/tools/tool.ts";

const hands = await loadHands();

/** What the model's own tool makes of a call, on a stage that allows everything. */
async function byTool(pose: Pose, { name, arguments: args }: HandCall): Promise<unknown> {
  const studio = { hands, move: () => null };
  const context = { pose, planned: true, studio, lastChange: null } as unknown as ToolContext;
  const result = await TOOL_BY_NAME.get(name)?.run(args, context);
  assert.ok(result !== undefined && "moved" in result, JSON.stringify(result));
  return result.moved?.pose;
}

/** Poses that differ from `from` in one hand's bend, place or orientation. */
function neighbours(from: Pose, to: Pose): Pose[] {
  return SIDES.flatMap((side) => [
    { ...from, [side]: { ...from[side], angles: to[side].angles } },
    { ...from, [side]: { ...from[side], position: to[side].position } },
    { ...from, [side]: { ...from[side], orientation: to[side].orientation } },
  ]);
}

Deno.test("applyCall() gives the very numbers that the tool of the same name gives", async () => {
  const draws = stream(1, "hand calls");
  let pose = START_POSE;
  for (let i = 0; i < 12; i++) {
    for (const next of neighbours(pose, samplePose(hands, SIDES, 30, draws))) {
      const call: HandCall = JSON.parse(JSON.stringify(callBetween(pose, next)));
      assert.deepEqual(applyCall(pose, call), await byTool(pose, call));
      pose = next;
    }
  }
});

Deno.test("callBetween() names the call that leads from one pose to the other", () => {
  const draws = stream(2, "hand calls");
  for (let i = 0; i < 20; i++) {
    const [from, to] = [0, 1].map(() => samplePose(hands, SIDES, 30, draws));
    for (const next of neighbours(from, to)) {
      const reached = applyCall(from, callBetween(from, next));
      for (const side of SIDES) {
        reached[side].angles.forEach((angle, k) => assert.ok(Math.abs(angle - next[side].angles[k]) < 1e-15));
        assert.deepEqual(reached[side].position, next[side].position);
        const cosine = reached[side].orientation.reduce(
          (sum, v, k) => sum + v * next[side].orientation[k],
          0,
        );
        assert.ok(Math.abs(Math.abs(cosine) - 1) < 1e-14);
      }
    }
  }
});

Deno.test("turnBetween() is the shorter turn, about an axis of the world", () => {
  const half = Math.SQRT1_2;
  const close = ({ axis, degrees }: ReturnType<typeof turnBetween>, wanted: number[], angle: number) => {
    axis.forEach((v, i) => assert.ok(Math.abs(v - wanted[i]) < 1e-15, `${axis}`));
    assert.ok(Math.abs(degrees - angle) < 1e-12, `${degrees}`);
  };
  close(turnBetween([1, 0, 0, 0], [half, 0, 0, half]), [0, 0, 1], 90);
  // The same orientation by the other quaternion.
  close(turnBetween([1, 0, 0, 0], [-half, 0, 0, -half]), [0, 0, 1], 90);
  // 270° one way are 90° the other.
  close(turnBetween([1, 0, 0, 0], [-half, half, 0, 0]), [-1, 0, 0], 90);
  // From a hand that lies on its side, a turn about its own axis is one about another of the world.
  close(turnBetween([half, 0, 0, half], [0.5, 0.5, 0.5, 0.5]), [0, 1, 0], 90);
  assert.equal(turnBetween([0, 1, 0, 0], [0, -1, 0, 0]).degrees, 0);
});
