import assert from "node:assert/strict";
import { fromAxisAngle } from "../../../env/quaternion.ts";
import { contactMesh } from "../../../shadow/collision/contact_mesh.ts";
import { interpolatePose } from "../../../shadow/collision/interpolate_pose.ts";
import { PosedSkin } from "../../../shadow/collision/posed_skin.ts";
import { walkMotion } from "../../../shadow/collision/walk_motion.ts";
import { SEGMENTS } from "../../../shadow/hand/hand_model.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import { type Pose, START_POSE } from "../../../shadow/pose.ts";
import { posed } from "../../support/shadow_poses.ts";

const hands = await loadHands();
const skins = {
  right: new PosedSkin(contactMesh(hands.right)),
  left: new PosedSkin(contactMesh(hands.left)),
};

/** As the rules say. */
const STEP_METRES = 0.0025;

const ALL_45 = { "index.mcp": 45, "index.pip": 45, "index.dip": 45, "wrist.flex": 45, "forearm.roll": -45 };
const MOTIONS: Record<string, Pose> = {
  "15 cm": posed("right", {}, { position: [0.28, -0.05, 1] }),
  "a turn of 45°": posed("right", {}, { orientation: fromAxisAngle([3, 1, -2], 45) }),
  "a finger": posed("right", { "index.mcp": 45 }),
  "a fingertip by 3°": posed("right", { "index.dip": 3 }),
  // The forearm's roll turns the hand back, so that its skin ends near where it began.
  "a turn and a roll against it": posed("right", { "forearm.roll": 45 }, {
    orientation: fromAxisAngle([0, 1, 0], 45),
  }),
  "everything at once": posed("right", ALL_45, {
    position: [0.2, 0.03, 1.1],
    orientation: fromAxisAngle([1, 5, 1], -45),
  }),
  "both hands": {
    right: posed("right", { "thumb.abd": 30 }, { position: [0.2, -0.1, 1] }).right,
    left: posed("left", { "wrist.bend": -20 }, { position: [-0.1, 0.05, 1.05] }).left,
  },
};

/** Furthest that a vertex of either hand moves between two poses. */
function travel(a: Pose, b: Pose): number {
  return Math.max(...(["right", "left"] as const).map((side) => {
    const [p, q] = [skinHand(hands[side], a[side]), skinHand(hands[side], b[side])];
    let most = 0;
    for (let i = 0; i < p.length; i += 3) {
      most = Math.max(most, Math.hypot(q[i] - p[i], q[i + 1] - p[i + 1], q[i + 2] - p[i + 2]));
    }
    return most;
  }));
}

for (const [name, to] of Object.entries(MOTIONS)) {
  Deno.test(`walkMotion() moves no vertex over 2.5 mm a step, and not by many small steps, in ${name}`, () => {
    let last = 0;
    let steps = 0;
    for (const t of walkMotion(skins, START_POSE, to)) {
      const [before, now] = [interpolatePose(START_POSE, to, last), interpolatePose(START_POSE, to, t)];
      assert.ok(t > last && t <= 1);
      const moved = travel(before, now);
      assert.ok(moved <= STEP_METRES, `${moved} m from ${last} to ${t}`);
      for (const side of ["right", "left"] as const) {
        assert.deepEqual(skins[side].positions, skinHand(hands[side], now[side]));
      }
      last = t;
      steps++;
    }
    assert.equal(last, 1);
    // The way that the fastest vertex makes at each time, at a resolution a hundred times as fine.
    const fine = 100 * steps;
    let way = 0;
    for (let k = 0; k < 200; k++) {
      const at = Math.floor(k * fine / 200) / fine;
      way += fine / 200 *
        travel(interpolatePose(START_POSE, to, at), interpolatePose(START_POSE, to, at + 1 / fine));
    }
    const needed = way / STEP_METRES;
    assert.ok(
      steps >= 0.99 * needed && steps <= 1.1 * needed + 2,
      `${steps} steps for ${needed}`,
    );
  });
}

Deno.test("walkMotion() knows which parts have moved, and skips a motion that is none", () => {
  for (const _ of walkMotion(skins, START_POSE, posed("right", { "index.pip": 40 })));
  const parts = SEGMENTS.filter((_, part) => (skins.right.moved & 1 << part) !== 0);
  assert.deepEqual(parts, ["index base", "index middle", "index tip"]);
  assert.equal(skins.left.moved, 0);
  const copy: Pose = { right: { ...START_POSE.right }, left: { ...START_POSE.left } };
  assert.deepEqual([...walkMotion(skins, START_POSE, copy)], []);
  assert.equal(skins.right.moved, 0);
});
