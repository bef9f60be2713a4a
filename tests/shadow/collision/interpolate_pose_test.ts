import assert from "node:assert/strict";
import { fromAxisAngle, type Quaternion } from "../../../env/quaternion.ts";
import { interpolatePose } from "../../../shadow/collision/interpolate_pose.ts";
import { type Pose, START_POSE } from "../../../shadow/pose.ts";
import { turnDeg } from "../../../shadow/rules.ts";

const END: Pose = {
  right: {
    angles: START_POSE.right.angles.map((_, i) => i / 100),
    position: [0.2, 0.05, 1.1],
    orientation: fromAxisAngle([1, 2, 3], 40),
  },
  left: START_POSE.left,
};

Deno.test("interpolatePose() is exact at both ends and leaves a hand that stays as it is", () => {
  assert.equal(interpolatePose(START_POSE, END, 0), START_POSE);
  assert.equal(interpolatePose(START_POSE, END, 1), END);
  assert.equal(interpolatePose(START_POSE, END, 0.3).left, START_POSE.left);
});

Deno.test("interpolatePose() bends and moves linearly and turns at constant speed about one axis", () => {
  for (const t of [0.1, 0.25, 0.5, 0.9]) {
    const { right } = interpolatePose(START_POSE, END, t);
    right.angles.forEach((angle, i) => assert.ok(Math.abs(angle - t * i / 100) < 1e-15));
    const place = [0.13 + 0.07 * t, -0.05 + 0.1 * t, 1 + 0.1 * t];
    right.position.forEach((x, i) => assert.ok(Math.abs(x - place[i]) < 1e-15));
    const want = fromAxisAngle([1, 2, 3], 40 * t);
    right.orientation.forEach((x, i) => assert.ok(Math.abs(x - want[i]) < 1e-15));
  }
});

Deno.test("interpolatePose() turns the short way where the quaternions have opposite signs", () => {
  const [w, x, y, z] = END.right.orientation;
  const opposite: Quaternion = [-w, -x, -y, -z];
  const far: Pose = { ...END, right: { ...END.right, orientation: opposite } };
  const halfway = interpolatePose(START_POSE, far, 0.5).right.orientation;
  assert.ok(Math.abs(turnDeg(START_POSE.right.orientation, halfway) - 20) < 1e-9);
});
