import assert from "node:assert/strict";
import { fromAxisAngle, multiply, normalize } from "../../../env/quaternion.ts";
import { type Stream, stream } from "../../../env/random.ts";
import { add, scaled, subtract, unit, type Vector3 } from "../../../env/vector3.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { FAULT_KINDS } from "../../../shadow/fault.ts";
import { CONTROLS } from "../../../shadow/hand/controls.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { type HandPose, type Pose, SIDES, START_POSE } from "../../../shadow/pose.ts";
import { rangeFault } from "../../../shadow/rules.ts";
import { skinContacts } from "../../reference/skin_contacts.ts";

const CALLS = Deno.env.get("BENCH_SOAK") ? 20_000 : 500;
/** Every so many accepted states, three-mesh-bvh looks for contacts as well. */
const ORACLE_EVERY = 15;

/** Where hands begin now and again: as in an episode, and close to the screen. */
const STARTS: Pose[] = [START_POSE, {
  right: { ...START_POSE.right, position: [0.13, 0, 0.12] },
  left: { ...START_POSE.left, position: [-0.13, 0, 0.12] },
}];

const hands = await loadHands();

Deno.test(`move() leads from legal states to legal states only, in ${CALLS} seeded calls`, () => {
  const draw = stream(7, "legal", "walk");
  const checker = new PoseChecker(hands);
  const again = new PoseChecker(hands);
  const refused = new Map<string, number>();
  let accepted = 0;
  let pose = START_POSE;
  for (let call = 0; call < CALLS; call++) {
    if (call % 125 === 0) pose = STARTS[draw.integer(0, STARTS.length)];
    const next = proposal(draw, pose);
    const fault = checker.move(pose, next);
    if (fault) {
      refused.set(fault.kind, (refused.get(fault.kind) ?? 0) + 1);
      continue;
    }
    pose = next;
    accepted++;
    assert.equal(again.pose(pose), null, `call ${call}`);
    assert.equal(rangeFault(pose), null, `call ${call}`);
    if (accepted % ORACLE_EVERY === 0) {
      assert.deepEqual(
        skinContacts(hands, pose),
        { right: false, left: false, hands: false },
        `call ${call}`,
      );
    }
  }
  assert.ok(accepted > CALLS / 5, `${accepted} calls accepted`);
  for (const kind of FAULT_KINDS) assert.ok((refused.get(kind) ?? 0) > 0, `no call was refused for ${kind}`);
});

/** A call as a player might make it: some joints, a shift or a turn of one hand; now and then beyond a limit. */
function proposal(draw: Stream, pose: Pose): Pose {
  const side = SIDES[draw.integer(0, 2)];
  const change = [bent, shifted, turned][draw.integer(0, 3)];
  return { ...pose, [side]: change(draw, pose[side], pose[side === "right" ? "left" : "right"]) };
}

function bent(draw: Stream, hand: HandPose): HandPose {
  const angles = [...hand.angles];
  for (let k = draw.integer(1, 6); k > 0; k--) {
    const joint = draw.integer(0, CONTROLS.length);
    const { min, max } = CONTROLS[joint];
    const aim = draw.range(min, max) * 1.05 * Math.PI / 180;
    const most = draw.range(0, 46) * Math.PI / 180;
    angles[joint] += Math.max(-most, Math.min(most, aim - angles[joint]));
  }
  return { ...hand, angles };
}

/** Half of the time toward the other hand. */
function shifted(draw: Stream, hand: HandPose, other: HandPose): HandPose {
  const anywhere: Vector3 = [draw.normal(), draw.normal(), draw.normal()];
  const there = subtract(other.position, hand.position);
  const way = draw.next() < 0.5 && Math.hypot(...there) > 0 ? there : anywhere;
  return { ...hand, position: add(hand.position, scaled(unit(way), draw.range(0, 0.155))) };
}

function turned(draw: Stream, hand: HandPose): HandPose {
  const turn = fromAxisAngle([draw.normal(), draw.normal(), draw.normal()], draw.range(0, 46));
  return { ...hand, orientation: normalize(multiply(turn, hand.orientation)) };
}
