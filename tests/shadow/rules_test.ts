import assert from "node:assert/strict";
import { fromAxisAngle, type Quaternion } from "../../env/quaternion.ts";
import type { Vector3 } from "../../env/vector3.ts";
import { CONTROLS } from "../../shadow/hand/controls.ts";
import { START_POSE } from "../../shadow/pose.ts";
import { callLimitFault, rangeFault } from "../../shadow/rules.ts";
import { posed } from "../support/shadow_poses.ts";

const at = (position: Vector3) => posed("left", {}, { position });
const facing = (orientation: Quaternion) => posed("right", {}, { orientation });

Deno.test("rangeFault() allows every control both its ends, and refuses a thousandth of a degree beyond", () => {
  for (const { name, min, max } of CONTROLS) {
    for (const [end, beyond] of [[min, min - 0.001], [max, max + 0.001]]) {
      assert.equal(rangeFault(posed("left", { [name]: end })), null, `${name} at ${end}°`);
      assert.deepEqual(rangeFault(posed("left", { [name]: beyond })), {
        kind: "joint_range",
        text: `left ${name} would be ${beyond}° (range ${min}° to ${max}°)`,
      });
    }
  }
});

Deno.test("rangeFault() takes spread away as the knuckle bends, down to 15%, on the outer side only", () => {
  // 18° · (1 − 40/80) = 9°; at 82° the floor of 15% is 2.7°.
  assert.equal(rangeFault(posed("right", { "index.mcp": 40, "index.spread": 9 })), null);
  assert.deepEqual(rangeFault(posed("right", { "index.mcp": 40, "index.spread": 9.2 })), {
    kind: "spread",
    text: "right index.spread would be 9.2° (at most 9° while index.mcp is 40°)",
  });
  assert.equal(rangeFault(posed("right", { "index.mcp": 82, "index.spread": 2.7 })), null);
  assert.equal(rangeFault(posed("right", { "index.mcp": 82, "index.spread": 2.71 }))?.kind, "spread");
  assert.equal(rangeFault(posed("right", { "index.mcp": -25, "index.spread": 18 })), null);
  assert.equal(rangeFault(posed("right", { "index.mcp": 82, "index.spread": -14 })), null);
});

Deno.test("rangeFault() keeps wrists in their box, ends included", () => {
  for (const corner of [[-1, -0.8, 0.1], [1, 0.8, 2.2]] as const) assert.equal(rangeFault(at(corner)), null);
  assert.deepEqual(rangeFault(at([0, 0.8001, 1])), {
    kind: "stage",
    text: "left wrist would be at y = 0.8001 m (range -0.8 m to 0.8 m)",
  });
  for (const beyond of [[-1.01, 0, 1], [0, 0, 0.09], [0, 0, 2.21]] as const) {
    assert.equal(rangeFault(at(beyond))?.kind, "stage");
  }
});

Deno.test("rangeFault() refuses what is no number", () => {
  for (const none of [NaN, Infinity, -Infinity]) {
    assert.equal(rangeFault(posed("right", { "ring.pip": none }))?.kind, "joint_range");
    assert.equal(rangeFault(at([0, none, 1]))?.kind, "stage");
    assert.equal(rangeFault(facing([1, 0, none, 0]))?.kind, "stage");
  }
  assert.equal(rangeFault({ ...START_POSE, left: { ...START_POSE.left, angles: [0] } })?.kind, "joint_range");
  assert.equal(rangeFault(facing([0, 0, 0, 0]))?.kind, "stage");
  assert.equal(rangeFault(facing([2, 0, 0, 0]))?.kind, "stage");
  assert.equal(rangeFault(facing([0.6, 0, 0.8, 0])), null);
});

Deno.test("callLimitFault() allows exactly 45° a joint, 15 cm and 45° a hand, and nothing above", () => {
  const from = START_POSE;
  assert.equal(callLimitFault(from, from), null);
  assert.equal(callLimitFault(from, posed("left", { "ring.mcp": 45, "ring.pip": 45 })), null);
  assert.deepEqual(callLimitFault(from, posed("left", { "ring.mcp": 45.5 })), {
    kind: "call_limit",
    text: "left ring.mcp would change by 45.5° (at most 45° a call)",
  });
  assert.equal(callLimitFault(from, posed("left", { "ring.mcp": -45.001 }))?.kind, "call_limit");

  // 9, 12 and 0 cm make 15 cm.
  const [x, y, z] = from.left.position;
  assert.equal(callLimitFault(from, at([x - 0.09, y + 0.12, z])), null);
  assert.deepEqual(callLimitFault(from, at([x, y, z + 0.182])), {
    kind: "call_limit",
    text: "the left hand would move 18.2 cm (at most 15 cm a call)",
  });
  assert.deepEqual(
    callLimitFault(from, at([x, y, z + 0.15004]))?.text.slice(0, 34),
    "the left hand would move 15.004 cm",
  );

  for (const axis of [[1, 0, 0], [-3, 2, 1]] as const) {
    const [w, ...v] = fromAxisAngle(axis, 45);
    assert.equal(callLimitFault(from, facing([w, ...v])), null);
    assert.equal(callLimitFault(from, facing([-w, -v[0], -v[1], -v[2]])), null, "the same turn with −q");
    assert.deepEqual(callLimitFault(from, facing(fromAxisAngle(axis, 60))), {
      kind: "call_limit",
      text: "the right hand would turn 60° (at most 45° a call)",
    });
    assert.equal(callLimitFault(from, facing(fromAxisAngle(axis, 45.001)))?.kind, "call_limit");
  }
});

Deno.test("callLimitFault() refuses a change that is no number", () => {
  assert.equal(callLimitFault(START_POSE, posed("right", { "ring.pip": NaN }))?.kind, "call_limit");
  assert.equal(callLimitFault(START_POSE, at([0, NaN, 1]))?.kind, "call_limit");
  assert.equal(callLimitFault(START_POSE, facing([NaN, 0, 0, 0]))?.kind, "call_limit");
});
