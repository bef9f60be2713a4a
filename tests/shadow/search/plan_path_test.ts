import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { controlIndex, CONTROLS } from "../../../shadow/hand/controls.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { type HandPose, type Pose, SIDES, START_POSE } from "../../../shadow/pose.ts";
import { applyCall } from "../../../shadow/search/hand_call.ts";
import { type PlannedPath, planPath } from "../../../shadow/search/plan_path.ts";
import { parked, samplePose } from "../../../shadow/search/sample_pose.ts";

const hands = await loadHands();
const checker = new PoseChecker(hands);
const PATHS = Deno.env.get("BENCH_SOAK") ? 500 : 6;

/** Replays the calls with a checker that knows nothing of how they were found. */
function replay({ calls, reached }: PlannedPath, target: Pose): void {
  assert.ok(calls.length <= 60, `${calls.length} calls`);
  const fresh = new PoseChecker(hands);
  let pose = START_POSE;
  for (const call of JSON.parse(JSON.stringify(calls))) {
    const next = applyCall(pose, call);
    assert.equal(fresh.move(pose, next), null);
    const still = call.arguments.hand === "right" ? "left" : "right";
    assert.deepEqual(next[still], pose[still]);
    pose = next;
  }
  assert.deepEqual(pose, reached);
  for (const side of SIDES) {
    const [is, wanted] = [pose[side], target[side]];
    is.angles.forEach((angle, i) => assert.ok(Math.abs(angle - wanted.angles[i]) < 1e-12));
    is.position.forEach((v, i) => assert.ok(Math.abs(v - wanted.position[i]) < 1e-12));
    const sign = Math.sign(is.orientation.reduce((sum, v, i) => sum + v * wanted.orientation[i], 0));
    is.orientation.forEach((v, i) => assert.ok(Math.abs(sign * v - wanted.orientation[i]) < 1e-12));
  }
}

Deno.test("planPath() leads by legal calls of one hand each to exactly the pose, for random poses", () => {
  const draws = stream(3, "plan path test");
  for (let found = 0; found < PATHS;) {
    const shown = [["right"], ["left"], SIDES][found % 3] as typeof SIDES;
    const target = samplePose(hands, shown, draws.integer(1, 23 * shown.length), draws);
    if (checker.pose(target) !== null) continue;
    const path = planPath(checker, target);
    assert.ok(path !== null, `no path to ${JSON.stringify(target)}`);
    replay(path, target);
    found++;
  }
});

function handWith(degrees: Record<string, number>, rest: Omit<HandPose, "angles">): HandPose {
  const angles = CONTROLS.map(() => 0);
  for (const [name, value] of Object.entries(degrees)) {
    angles[controlIndex(name)] = value * Math.PI / 180;
  }
  return { angles, ...rest };
}

Deno.test("planPath() finds the way when hands have changed sides, one behind the other", () => {
  const target: Pose = {
    right: { ...START_POSE.right, position: [-0.12, -0.05, 1.1] },
    left: { ...START_POSE.left, position: [0.12, -0.05, 0.9] },
  };
  const path = planPath(checker, target);
  assert.ok(path !== null);
  replay(path, target);
});

Deno.test("planPath() leads close to the screen, fingers bent, and to the edges of the stage", () => {
  const target: Pose = {
    right: handWith({ "index.mcp": 50, "index.pip": 60, "index.dip": 30, "thumb.abd": 30 }, {
      position: [0.3, 0.2, 0.14],
      orientation: [0.8, 0, 0, 0.6],
    }),
    left: { ...parked("left"), position: [-1, -0.8, 2] },
  };
  const path = planPath(checker, target);
  assert.ok(path !== null);
  replay(path, target);
});

Deno.test("planPath() is null for a pose that hands may not be in", () => {
  const fist = Object.fromEntries(
    ["index", "middle", "ring", "little"].flatMap((finger) => [
      [`${finger}.mcp`, 78],
      [`${finger}.pip`, 92],
      [`${finger}.dip`, 45],
    ]),
  );
  const { position, orientation } = START_POSE.right;
  assert.equal(planPath(checker, { ...START_POSE, right: handWith(fist, { position, orientation }) }), null);
  assert.equal(planPath(checker, { ...START_POSE, right: { ...START_POSE.left } }), null);
});
