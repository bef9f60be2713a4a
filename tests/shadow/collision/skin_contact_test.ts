import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { contactMesh } from "../../../shadow/collision/contact_mesh.ts";
import { PoseChecker } from "../../../shadow/collision/pose_checker.ts";
import { PosedSkin } from "../../../shadow/collision/posed_skin.ts";
import { handContact, selfContact } from "../../../shadow/collision/skin_contact.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { type Pose, START_POSE } from "../../../shadow/pose.ts";
import { skinContacts } from "../../reference/skin_contacts.ts";
import { randomPose } from "../../support/shadow_poses.ts";

const POSES = Deno.env.get("BENCH_SOAK") ? 300 : 60;

const hands = await loadHands();
const skins = {
  right: new PosedSkin(contactMesh(hands.right)),
  left: new PosedSkin(contactMesh(hands.left)),
};

function verdicts({ right, left }: Pose) {
  skins.right.place(right);
  skins.left.place(left);
  return {
    right: selfContact(skins.right) !== null,
    left: selfContact(skins.left) !== null,
    hands: handContact(skins.right, skins.left) !== null,
  };
}

Deno.test(`selfContact() and handContact() equal three-mesh-bvh on ${POSES} seeded poses of two hands`, () => {
  const draw = stream(4, "contact", "poses");
  const checker = new PoseChecker(hands);
  const met = { right: 0, left: 0, hands: 0 };
  for (let k = 0; k < POSES; k++) {
    const pose = randomPose(draw, 0.2);
    const got = verdicts(pose);
    assert.deepEqual(got, skinContacts(hands, pose), `pose ${k}`);
    assert.equal(checker.pose(pose) !== null, got.right || got.left || got.hands, `pose ${k}`);
    for (const what of ["right", "left", "hands"] as const) met[what] += Number(got[what]);
  }
  for (const [what, count] of Object.entries(met)) {
    assert.ok(count > POSES / 10 && count < 0.9 * POSES, `${what} met in ${count} poses of ${POSES}`);
  }
});

Deno.test("selfContact() and handContact() find nothing at rest, and the same again after any other pose", () => {
  const none = { right: false, left: false, hands: false };
  assert.deepEqual(verdicts(START_POSE), none);
  assert.deepEqual(skinContacts(hands, START_POSE), none);
  const draw = stream(5, "contact", "again");
  const poses = Array.from({ length: 6 }, () => randomPose(draw, 0.2));
  const first = poses.map(verdicts);
  assert.deepEqual(poses.toReversed().map(verdicts).toReversed(), first);
  assert.deepEqual(verdicts(START_POSE), none);
});

Deno.test("handContact() is the same for hands that move together, and not for one that moves alone", () => {
  const draw = stream(6, "contact", "together");
  let met = 0;
  for (let k = 0; k < 20; k++) {
    const pose = randomPose(draw, 0.2);
    const before = verdicts(pose);
    const shifted = ([x, y, z]: readonly [number, number, number], by: number) =>
      [x - by, y + by, z + by] as const;
    const both = {
      right: { ...pose.right, position: shifted(pose.right.position, 1) },
      left: { ...pose.left, position: shifted(pose.left.position, 1) },
    };
    assert.deepEqual(verdicts(both), before, `pose ${k}`);
    const one = verdicts({ ...pose, right: both.right });
    assert.deepEqual(one, { ...before, hands: false }, `pose ${k}, the right hand alone`);
    met += Number(before.hands);
  }
  assert.ok(met > 5, `${met} poses in which hands meet`);
});
