import assert from "node:assert/strict";
import { normalize } from "../../../env/quaternion.ts";
import { add, dot, scaled, subtract, unit, type Vector3 } from "../../../env/vector3.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { FINGERS } from "../../../shadow/hand/controls.ts";
import type { HandModel } from "../../../shadow/hand/hand_model.ts";
import { jointPositions } from "../../../shadow/hand/directions.ts";
import { windingNumber } from "../../../shadow/collision/winding_number.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { type HandPose, type Pose, START_POSE } from "../../../shadow/pose.ts";
import { skinContacts, skinDistance } from "../../reference/skin_contacts.ts";
import { anglesOf, posed } from "../../support/shadow_poses.ts";

const hands = await loadHands();
const checker = new PoseChecker(hands);

const moved = (pose: Pose, side: "right" | "left", by: Vector3): Pose => ({
  ...pose,
  [side]: { ...pose[side], position: add(pose[side].position, by) },
});

Deno.test("pose() refuses a tight fist and names the parts, and a loose one is free", () => {
  const fist = (bend: number) =>
    posed(
      "right",
      Object.fromEntries(FINGERS.flatMap((finger) => [
        [`${finger}.mcp`, 78 * bend],
        [`${finger}.pip`, 92 * bend],
        [`${finger}.dip`, 45 * bend],
      ])),
    );
  const fault = checker.pose(fist(1));
  assert.equal(fault?.kind, "self_collision");
  assert.match(
    fault.text,
    /^right (index|middle|ring|little) tip would pass through right (palm|thumb base)$/,
  );
  assert.equal(checker.pose(fist(0.8)), null);
  assert.equal(checker.pose(START_POSE), null);
});

Deno.test("move() refuses one hand dragged through the other, however it is split into calls", () => {
  const directions: Record<string, { from: Pose; way: Vector3 }> = {
    sideways: { from: START_POSE, way: [-0.52, 0, 0] },
    // In front of the other hand's fingers, and then behind them.
    "toward the screen": { from: moved(START_POSE, "right", [-0.26, 0.2, 0.12]), way: [0, 0, -0.24] },
  };
  for (const [name, { from, way }] of Object.entries(directions)) {
    const to = moved(from, "right", way);
    assert.equal(checker.pose(from), null);
    assert.equal(checker.pose(to), null, "the place behind is free");
    const length = Math.hypot(...way);
    for (const call of [0.15, 0.12, 0.05, 0.01, 0.003]) {
      let pose = from;
      let fault = null;
      for (let left = length; !fault && left > 0; left -= call) {
        const next = moved(pose, "right", scaled(way, Math.min(call, left) / length));
        fault = checker.move(pose, next);
        if (!fault) pose = next;
      }
      assert.equal(fault?.kind, "hand_collision", `${name}, ${call} m a call`);
      assert.match(fault.text, /^right .* would pass through left /);
    }
  }
});

Deno.test("move() refuses in the middle of a call whose two ends are free", () => {
  const from = moved(START_POSE, "right", [-0.26, 0.2, 0.075]);
  const to = moved(from, "right", [0, 0, -0.15]);
  assert.deepEqual([checker.pose(from), checker.pose(to)], [null, null]);
  assert.equal(checker.move(from, to)?.kind, "hand_collision");
  // The same way for the left hand, which is then named first.
  const [a, b] = [
    moved(START_POSE, "left", [0.26, 0.2, 0.075]),
    moved(START_POSE, "left", [0.26, 0.2, -0.075]),
  ];
  assert.match(checker.move(a, b)?.text ?? "", /^left .* would pass through right /);
});

Deno.test("move() names the part that moves first", () => {
  const text = (to: Pose) => checker.move(START_POSE, to)?.text ?? "";
  assert.match(
    text(posed("left", { "index.spread": -14 })),
    /^left index \w+ would pass through left middle \w+$/,
  );
  assert.match(
    text(posed("left", { "middle.spread": 14 })),
    /^left middle \w+ would pass through left index \w+$/,
  );
});

Deno.test("pose() and move() refuse skin too near to the screen or to the lamp, by part", () => {
  const near = checker.pose(
    posed("right", { "wrist.flex": 60, "middle.mcp": 82 }, { position: [0, 0, 0.1] }),
  );
  assert.equal(near?.kind, "stage");
  assert.match(
    near.text,
    /^right (index|middle|ring|little) tip would be at z = -?0\.0\d* m \(at least 0\.005 m\)$/,
  );
  // The elbow, 20 cm from the wrist, swings beyond the least distance from the lamp.
  const high = posed("left", {}, { position: [0, 0, 2.2] });
  assert.equal(checker.pose(high), null);
  const [w, x] = [Math.cos(Math.PI / 8), Math.sin(Math.PI / 8)];
  const fault = checker.move(high, posed("left", {}, { position: [0, 0, 2.2], orientation: [w, -x, 0, 0] }));
  assert.equal(fault?.kind, "stage");
  assert.match(fault.text, /^left forearm would be at z = 2\.3\d* m \(at most 2\.3 m\)$/);
});

Deno.test("pose() refuses a hand inside the other, which touches nothing; move() on the way there", () => {
  const small = { right: pebble(hands.right), left: hands.left };
  const inside = moved(START_POSE, "right", subtract([-0.13, -0.16, 1], START_POSE.right.position));
  const pebbled = new PoseChecker(small);
  assert.deepEqual(skinContacts(small, inside), { right: false, left: false, hands: false });
  const want = { kind: "hand_collision", text: "the right hand would be inside the left hand" };
  assert.deepEqual(pebbled.pose(inside), want);
  const outside = moved(inside, "right", [0.1, 0, 0]);
  assert.equal(pebbled.pose(outside), null);
  assert.match(pebbled.move(outside, inside)?.text ?? "", /^right .* would pass through left forearm$/);

  const other = new PoseChecker({ right: hands.right, left: pebble(hands.left) });
  const left = moved(START_POSE, "left", subtract([0.13, -0.16, 1], START_POSE.left.position));
  assert.deepEqual(other.pose(left), { ...want, text: "the left hand would be inside the right hand" });
});

/** A tetrahedron of 1 cm in place of a hand. */
function pebble(hand: HandModel): HandModel {
  return {
    ...hand,
    positions: Float64Array.from([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]].flat(), (x) => x / 100),
    triangles: Uint32Array.from([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]].flat()),
    boneIndices: new Uint8Array(16),
    boneWeights: Float64Array.from({ length: 16 }, (_, i) => i % 4 === 0 ? 1 : 0),
    segments: new Uint8Array(4),
  };
}

/** Thumb and index of the right hand make a ring; the left index, straight, points through it. */
const RING: HandPose = {
  ...START_POSE.right,
  angles: anglesOf({
    ...{ "thumb.abd": 26, "thumb.flex": -14, "thumb.mcp": 45, "thumb.ip": 52 },
    ...{
      "index.mcp": 62,
      "index.pip": 51,
      "index.dip": 34,
      "middle.mcp": -20,
      "ring.mcp": -20,
      "little.mcp": -20,
    },
  }),
};
const POINTING: HandPose = {
  angles: anglesOf({
    ...{
      "middle.mcp": 60,
      "middle.pip": 70,
      "middle.dip": 30,
      "ring.mcp": 60,
      "ring.pip": 70,
      "ring.dip": 30,
    },
    ...{ "little.mcp": 60, "little.pip": 70, "little.dip": 30, "thumb.abd": -15, "thumb.flex": -25 },
  }),
  position: [-0.041, 0.099, 0.902],
  orientation: normalize([-0.186, 0.7261, 0.5045, 0.4287]),
};

Deno.test("move() lets a finger through a ring of the other hand with 3 mm to spare, and not through the ring itself", () => {
  const { index } = jointPositions(hands.left, POINTING).fingers;
  const axis = unit(subtract(index[4], index[2]));
  const upward = unit(subtract([0, 1, 0], scaled(axis, axis[1])));
  const pointing = (along: number, up: number): Pose => ({
    right: RING,
    left: { ...POINTING, position: add(POINTING.position, add(scaled(axis, along), scaled(upward, up))) },
  });
  // Off the middle of the ring, the finger is 3 mm from the skin around it, and it is in the ring.
  const through = pointing(0, 0.006);
  const clear = skinDistance(hands, through);
  assert.ok(clear > 0.0025 && clear < 0.0035, `${clear} m`);
  assert.equal(crossings(through), 1);
  const before = pointing(-0.09, 0.006);
  assert.equal(crossings(before), 0);
  assert.equal(checker.pose(through), null);
  assert.equal(checker.move(before, through), null);
  for (const way of [0.05, -0.05]) {
    const fault = checker.move(through, pointing(0, 0.006 + way));
    assert.match(fault?.text ?? "", /^left index \w+ would pass through right (thumb|index) \w+$/);
  }
});

/** How often the left index, from its knuckle to its tip, passes through the ring of the right thumb and index. */
function crossings({ right, left }: Pose): number {
  const { thumb, fingers } = jointPositions(hands.right, right);
  const [, mcp, pip, dip, tip] = fingers.index;
  const ring = [...thumb.slice(1), tip, dip, pip, mcp];
  const middle = scaled(ring.reduce((sum, joint) => add(sum, joint)), 1 / ring.length);
  const finger = jointPositions(hands.left, left).fingers.index;
  const volume = (a: Vector3, b: Vector3, c: Vector3, d: Vector3) => {
    const [u, v, w] = [subtract(b, a), subtract(c, a), subtract(d, a)];
    return dot(u, [v[1] * w[2] - v[2] * w[1], v[2] * w[0] - v[0] * w[2], v[0] * w[1] - v[1] * w[0]]);
  };
  const passes = (a: Vector3, b: Vector3, c: Vector3) => {
    const [from, to] = [finger[1], finger[4]];
    const sides = [volume(from, to, a, b), volume(from, to, b, c), volume(from, to, c, a)];
    const across = volume(a, b, c, from) * volume(a, b, c, to) < 0;
    return across && (sides.every((s) => s > 0) || sides.every((s) => s < 0));
  };
  return ring.filter((joint, i) => passes(middle, joint, ring[(i + 1) % ring.length])).length;
}

Deno.test("pose() and move() give the same answers in any order of questions", () => {
  const left: HandPose = { ...START_POSE.left, position: [0.06, 0, 1.02] };
  const poses: Pose[] = [START_POSE, { ...START_POSE, left }, posed("left", { "index.spread": -14 })];
  const questions = poses.flatMap((pose) => [
    () => checker.pose(pose)?.text,
    () => checker.move(START_POSE, pose)?.text,
  ]);
  const answers = questions.map((ask) => ask());
  assert.equal(answers.filter((answer) => answer !== undefined).length, 4);
  assert.deepEqual(questions.toReversed().map((ask) => ask()), answers.toReversed());
});

Deno.test("PoseChecker lets the thumb's root fold, and not the thumb into the palm", () => {
  const { right } = hands;
  const thumb = (abd: number, flex: number, mcp: number) => {
    const angles = anglesOf({ "thumb.abd": abd, "thumb.flex": flex, "thumb.mcp": mcp });
    return { ...START_POSE, right: { ...START_POSE.right, angles } };
  };
  /** How many of the skin's vertices lie inside the skin: where it winds around them a second time. */
  const inside = ({ right: hand }: Pose) => {
    const skin = skinHand(right, hand);
    const corners = Uint32Array.from(right.triangles, (corner) => 3 * corner);
    const vertices = Array.from({ length: skin.length / 3 }, (_, i) => 3 * i);
    return vertices.filter((vertex) => windingNumber(skin, corners, skin, vertex) > 1.25).length;
  };
  for (const [abd, flex, mcp] of [[-15, 35, 45], [-15, 25, 20], [-10, 35, 0]] as const) {
    const pose = thumb(abd, flex, mcp);
    assert.ok(inside(pose) > 10);
    assert.match(
      checker.pose(pose)?.text ?? "",
      /right (palm|thumb middle) would pass through right (palm|thumb middle)/,
    );
    const mirrored = { right: START_POSE.right, left: { ...START_POSE.left, angles: pose.right.angles } };
    assert.equal(checker.pose(mirrored)?.kind, "self_collision");
  }
  for (const [abd, flex, mcp] of [[0, 35, 20], [-15, 15, 45], [0, 30, 0], [10, 35, 45]] as const) {
    assert.equal(checker.pose(thumb(abd, flex, mcp)), null);
  }
});
