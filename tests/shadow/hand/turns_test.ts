import assert from "node:assert/strict";
import { cross, dot, scaled, subtract, unit, type Vector3 } from "../../../env/vector3.ts";
import { ALIASES, CONTROLS, type Finger, FINGERS } from "../../../shadow/hand/controls.ts";
import { handDirections, jointPositions } from "../../../shadow/hand/directions.ts";
import type { JointCentres } from "../../../shadow/hand/hand_model.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { SIDES, START_POSE } from "../../../shadow/pose.ts";
import { anglesOf } from "../../support/shadow_poses.ts";

const hands = await loadHands();

/** Both hands as they start: palms to the screen (−z), each thumb toward the other hand. */
function startJoints(side: "right" | "left", degrees: Record<string, number>): JointCentres {
  return jointPositions(hands[side], { ...START_POSE[side], angles: anglesOf(degrees) });
}

const distance = (a: Vector3, b: Vector3) => Math.hypot(...subtract(a, b));
const tipOf = (joints: JointCentres, finger: Finger) => joints.fingers[finger][4];

/**
 * How far a hand at the start went the way `CONTROLS` says + goes, as a length: `x` is toward the other hand, where both
 * thumbs are.
 */
const PROGRESS: Record<string, (joints: JointCentres, x: number) => number> = {
  "wrist.flex": (joints) => -tipOf(joints, "middle")[2],
  "wrist.bend": (joints, x) => x * tipOf(joints, "middle")[0],
  "forearm.roll": (joints) => joints.thumb[3][2],
  "thumb.abd": (joints) => -joints.thumb[3][2],
  "thumb.flex": (joints, x) => -x * joints.thumb[3][0],
  "thumb.mcp": (joints) => -distance(joints.thumb[3], joints.fingers.little[1]),
  "thumb.ip": (joints) => -distance(joints.thumb[3], joints.fingers.little[1]),
  "middle.spread": (joints, x) => x * tipOf(joints, "middle")[0],
};
for (const finger of FINGERS) {
  for (const part of ["mcp", "pip", "dip"]) {
    PROGRESS[`${finger}.${part}`] = (joints) => -tipOf(joints, finger)[2];
  }
  PROGRESS[`${finger}.spread`] ??= (joints) =>
    Math.abs(tipOf(joints, finger)[0] - tipOf(joints, "middle")[0]);
}

Deno.test("every control's + goes where CONTROLS says, and − the other way, on both hands", () => {
  assert.deepEqual(Object.keys(PROGRESS).sort(), [...ALIASES].sort());
  for (const side of SIDES) {
    const x = side === "right" ? -1 : 1;
    for (const { name } of CONTROLS) {
      const [less, rest, more] = [-5, 0, 5].map((angle) =>
        PROGRESS[name](startJoints(side, { [name]: angle }), x)
      );
      assert.ok(less < rest - 2e-4 && rest + 2e-4 < more, `${side} ${name}: ${less}, ${rest}, ${more}`);
    }
  }
});

Deno.test("curling a finger keeps it in one plane: its tip moves across the hand far less than to the palm", () => {
  for (const finger of FINGERS) {
    const curl = { [`${finger}.mcp`]: 30, [`${finger}.pip`]: 40, [`${finger}.dip`]: 30 };
    const [, mcp, pip] = hands.right.joints.fingers[finger];
    const before = tipOf(hands.right.joints, finger);
    const after = jointPositions(hands.right, {
      ...START_POSE.right,
      angles: anglesOf(curl),
      position: [0, 0, 0],
    });
    const moved = subtract(tipOf(after, finger), before);
    const [dx, dy] = subtract(pip, mcp);
    const across = Math.abs(dot(moved, [dy, -dx, 0])) / Math.hypot(dx, dy);
    assert.ok(moved[2] < -0.04 && across < 0.15 * -moved[2], `${finger}: ${moved}`);
  }
});

Deno.test("spread and thumb abduction turn about an axis of the palm, however bent the joint is", () => {
  const { thumb, fingers } = hands.right.joints;
  const cases = [
    ...FINGERS.map((finger) => {
      const [, mcp, pip] = fingers[finger];
      const proximal = unit(subtract(pip, mcp));
      // At right angles to the finger, in the plane of finger and palm normal (−z).
      const axis = unit(subtract([0, 0, -1], scaled(proximal, -proximal[2])));
      return {
        outer: `${finger}.spread`,
        inner: { [`${finger}.mcp`]: 60 },
        axis,
        tip: (j: JointCentres) => tipOf(j, finger),
      };
    }),
    {
      outer: "thumb.abd",
      inner: { "thumb.flex": 30 },
      axis: unit(cross(subtract(thumb[1], thumb[0]), [0, 0, -1])),
      tip: (joints: JointCentres) => joints.thumb[3],
    },
  ];
  for (const { outer, inner, axis, tip } of cases) {
    const before = tip(startJoints("right", inner));
    const moved = subtract(tip(startJoints("right", { ...inner, [outer]: 12 })), before);
    assert.ok(Math.hypot(...moved) > 5e-3, `${outer} moves the tip by ${moved}`);
    assert.ok(
      Math.abs(dot(moved, axis)) < 1e-12,
      `${outer} moves the tip along its axis by ${dot(moved, axis)}`,
    );
  }
});

Deno.test("supination takes the palm from the screen toward the lamp on both hands", () => {
  for (const side of SIDES) {
    const at = (roll: number) =>
      handDirections(hands[side], { ...START_POSE[side], angles: anglesOf({ "forearm.roll": roll }) });
    assert.ok(at(0).palm[2] < -0.999);
    assert.ok(at(75).palm[2] > -0.3);
    // The thumb's side of the hand, at first toward the other hand, turns away from it.
    const thumbSide = (roll: number) => {
      const { index, little } = startJoints(side, { "forearm.roll": roll }).fingers;
      return (index[1][0] - little[1][0]) * (side === "right" ? -1 : 1);
    };
    assert.ok(thumbSide(0) > 0.05 && thumbSide(75) < 0.02);
    // Nearly half way, the palm faces the other hand and the thumb the lamp, as when one claps.
    assert.ok(at(75).palm[0] * (side === "right" ? -1 : 1) > 0.9);
    assert.ok(at(75).thumb[2] > 0.5 && at(0).thumb[2] < 0);
  }
});
