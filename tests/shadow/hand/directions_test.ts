import assert from "node:assert/strict";
import { fromAxisAngle, rotate } from "../../../env/quaternion.ts";
import { add, subtract, unit, type Vector3 } from "../../../env/vector3.ts";
import { handDirections, jointPositions } from "../../../shadow/hand/directions.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { START_POSE } from "../../../shadow/pose.ts";
import { FINGERS } from "../../../shadow/hand/controls.ts";
import { anglesOf } from "../../support/shadow_poses.ts";

const hands = await loadHands();

function assertNear(actual: Vector3, expected: Vector3, tolerance = 1e-12) {
  assert.ok(Math.hypot(...subtract(actual, expected)) < tolerance, `${actual} is not ${expected}`);
}

Deno.test("handDirections() says fingers up, palm to the screen, at the start; and turns with the hand", () => {
  for (const [model, pose] of [[hands.right, START_POSE.right], [hands.left, START_POSE.left]] as const) {
    const { fingers, palm } = handDirections(model, pose);
    assertNear(fingers, [0, 1, 0]);
    assertNear(palm, [0, 0, -1]);
    const turned = handDirections(model, { ...pose, orientation: fromAxisAngle([1, 0, 0], 90) });
    assertNear(turned.fingers, [0, 0, 1]);
    assertNear(turned.palm, [0, 1, 0]);
  }
});

Deno.test("handDirections() bends fingers and palm with the wrist, and the thumb's last part with its hinge", () => {
  const { right } = hands;
  const bent = handDirections(right, { ...START_POSE.right, angles: anglesOf({ "wrist.flex": 60 }) });
  assertNear(bent.fingers, [0, 0.5, -Math.sqrt(0.75)]);
  assertNear(bent.palm, [0, -Math.sqrt(0.75), -0.5]);
  // Flexion is bent sideways as a whole: its depth stays, the rest of it turns toward the thumb.
  const both = handDirections(right, {
    ...START_POSE.right,
    angles: anglesOf({ "wrist.flex": 60, "wrist.bend": 18 }),
  });
  const bend = 18 * Math.PI / 180;
  assertNear(both.fingers, [-0.5 * Math.sin(bend), 0.5 * Math.cos(bend), -Math.sqrt(0.75)]);
  const curled = { ...START_POSE.right, angles: anglesOf({ "thumb.ip": 40 }) };
  const before = handDirections(right, START_POSE.right).thumb, after = handDirections(right, curled).thumb;
  const cosine = before[0] * after[0] + before[1] * after[1] + before[2] * after[2];
  assert.ok(Math.abs(Math.acos(cosine) - 40 * Math.PI / 180) < 1e-9);
  const { thumb: [, , ip, tip] } = jointPositions(right, curled);
  assertNear(unit(subtract(tip, ip)), after);
});

Deno.test("jointPositions() keeps every bone's length, the wrist at its anchor, and chains in step", () => {
  const angles = anglesOf(
    Object.fromEntries(FINGERS.flatMap((finger) => [
      [`${finger}.mcp`, 50],
      [`${finger}.pip`, 60],
      [`${finger}.dip`, 30],
      [`${finger}.spread`, 5],
    ])),
  );
  const pose = { angles, position: [0.1, -0.2, 0.9], orientation: fromAxisAngle([1, 2, 3], 70) } as const;
  const { joints } = hands.right;
  const moved = jointPositions(hands.right, pose);
  assertNear(moved.wrist, pose.position);
  assertNear(moved.elbow, add(pose.position, rotate(pose.orientation, joints.elbow)));
  const lengths = (chain: readonly Vector3[]) =>
    chain.slice(1).map((joint, i) => Math.hypot(...subtract(joint, chain[i])));
  for (const finger of FINGERS) {
    const before = lengths(joints.fingers[finger]), after = lengths(moved.fingers[finger]);
    assert.ok(after.every((length, i) => Math.abs(length - before[i]) < 1e-12));
    // 140 degrees of curl in all: the last part points back to the palm.
    const [, mcp, , dip, tip] = moved.fingers[finger];
    const { palm, fingers } = handDirections(hands.right, pose);
    const last = subtract(tip, dip);
    const along = last.reduce((sum, x, k) => sum + x * fingers[k], 0);
    const palmward = subtract(tip, mcp).reduce((sum, x, k) => sum + x * palm[k], 0);
    assert.ok(along < 0 && palmward > 0.02, finger);
  }
});
