/** What `loadHands` says of files that are no good, and what it takes besides the default. */
import assert from "node:assert/strict";
import { type Accessor, Document, WebIO } from "@gltf-transform/core";
import { BenchError } from "../../../env/errors.ts";
import { BONES } from "../../../shadow/hand/bones.ts";
import type { HandModel } from "../../../shadow/hand/hand_model.ts";
import { ALL_JOINTS, FINGER_JOINTS, THUMB_JOINTS } from "../../../shadow/hand/joint_names.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import { START_POSE } from "../../../shadow/pose.ts";
import { FINGERS } from "../../../shadow/hand/controls.ts";
import { type HandDocument, withHandFile } from "../../support/hand_glb.ts";
import { stubEnvironment } from "../../support/shadow_stub.ts";
import { anglesOf } from "../../support/shadow_poses.ts";

const { right } = await loadHands();

async function assertRefused(
  content: Uint8Array | ((hand: HandDocument) => void),
  message: RegExp,
  side?: string,
): Promise<string> {
  let said = "";
  await withHandFile(content, async (file) => {
    await assert.rejects(loadHands(file), (error) => {
      assert.ok(error instanceof BenchError);
      assert.match(error.message, /^Cannot use hand model edited\.glb: [^\n]+\. [A-Z][^\n]+$/);
      assert.match(error.message, message);
      said = error.message;
      return true;
    });
  }, side);
  return said;
}

/** Triangles of the file by index, as three file vertices each. */
function setTriangles(hand: HandDocument, change: (triangles: number[][]) => number[][]): void {
  const flat = [...hand.indices.getArray() ?? []];
  const triangles = Array.from({ length: flat.length / 3 }, (_, t) => flat.slice(3 * t, 3 * t + 3));
  hand.indices.setArray(Uint16Array.from(change(triangles).flat()));
}

Deno.test("loadHands() refuses a file that is not there, no GLB, cut off, or empty", async () => {
  await assert.rejects(
    loadHands("no/such/hand.glb"),
    /^BenchError: Cannot use hand model hand\.glb: .*cannot be read/,
  );
  const text = await assertRefused(new TextEncoder().encode("solid cube"), /cannot be read as a GLB file/);
  assert.doesNotMatch(text, /\.\./);
  await assertRefused(new Uint8Array(0), /cannot be read as a GLB file/);
  const whole = await new WebIO().writeBinary(new Document());
  await assertRefused(whole, /0 skinned meshes of triangles, and needs one/);
});

Deno.test("loadHands() refuses a mesh without a skin, two meshes, or no weights", async () => {
  await assertRefused(
    ({ document }) => document.getRoot().listNodes().forEach((node) => node.setSkin(null)),
    /0 skinned meshes/,
  );
  await assertRefused(
    ({ document, primitive }) => document.getRoot().listMeshes()[0].addPrimitive(primitive.clone()),
    /2 skinned meshes/,
  );
  await assertRefused(
    ({ primitive }) => primitive.setAttribute("WEIGHTS_0", null),
    /its mesh has POSITION, NORMAL, TEXCOORD_0, JOINTS_0\. A skin needs/,
  );
});

Deno.test("loadHands() names a missing joint and those that are there", async () => {
  await assertRefused(
    ({ skin }) => skin.listJoints().find((joint) => joint.getName() === "wrist")?.setName("hand"),
    /no hand has/,
  );
  const said = await assertRefused(({ skin, joints, weights }) => {
    const tip = skin.listJoints().findIndex((joint) => joint.getName() === "ring-finger-tip");
    skin.listJoints()[tip].setName("ringTip");
    assert.ok(!carries(joints, weights, tip), "no vertex hangs on it");
  }, /no joint ring-finger-tip or Ring_Tip, only wrist, thumb-metacarpal/);
  assert.match(said, /ringTip/);
});

Deno.test("loadHands() says where the skin is open", async () => {
  const said = await assertRefused((hand) => {
    // The file's fingers point down: its lowest triangle is at the tip of the middle finger.
    setTriangles(hand, (triangles) => {
      const place = (i: number) => hand.positions.getElement(i, [0, 0, 0]);
      const low = triangles.toSorted((a, b) => extremeY(a, place) - extremeY(b, place));
      return triangles.filter((triangle) => triangle !== low[0]);
    });
  }, /its skin has 2 openings, at \(.+\) and \(.+\), not one/);
  const places = [...said.matchAll(/\(([^)]+)\)/g)].map(([, text]) => text.split(", ").map(Number));
  const tip = right.joints.fingers.middle[4];
  const distances = places.map((place) => Math.hypot(...place.map((x, k) => x - tip[k])));
  assert.ok(Math.min(...distances) < 0.02, `${said} has no place near ${tip}`);
});

Deno.test("loadHands() refuses skins that are doubled, meet in a point, or look inward", async () => {
  await assertRefused(
    (hand) => setTriangles(hand, (triangles) => [...triangles, triangles[100]]),
    /more than two triangles meet/,
  );
  await assertRefused(
    (hand) =>
      setTriangles(hand, (triangles) => triangles.map(([a, b, c], i) => i === 100 ? [a, c, b] : [a, b, c])),
    /two are turned against each other/,
  );
  await assertRefused(
    (hand) => setTriangles(hand, (triangles) => triangles.map(([a, b, c]) => [a, c, b])),
    /look inward/,
  );
  await assertRefused(({ positions }) => {
    // One fingertip's vertex moves onto another's: the skin touches itself there and nowhere else.
    const places = Array.from({ length: positions.getCount() }, (_, i) => positions.getElement(i, [0, 0, 0]));
    const nearest = (joint: string) => fingertipVertex(places, joint);
    const from = places[nearest("index")].join(), to = places[nearest("little")];
    places.forEach((place, i) => place.join() === from && positions.setElement(i, to));
  }, /meets itself in a single point/);
});

Deno.test("loadHands() refuses weights that do not sum to 1, are negative, or are more than four", async () => {
  await assertRefused(
    ({ weights }) => weights.setElement(7, [0.5, 0.25, 0, 0]),
    /weights of vertex 7 are 0\.500, 0\.250, 0\.00, 0\.00, and must/,
  );
  await assertRefused(({ weights }) => weights.setElement(7, [1.5, -0.5, 0, 0]), /vertex 7/);
  await assertRefused(({ weights }) => weights.setElement(7, [NaN, 1, 0, 0]), /vertex 7/);
  await assertRefused(({ document, primitive, weights, joints }) => {
    const extra = document.createAccessor().setType("VEC4").setArray(new Float32Array(weights.getCount() * 4))
      .setBuffer(weights.getBuffer());
    extra.setElement(3, [0.1, 0, 0, 0]);
    primitive.setAttribute("WEIGHTS_1", extra).setAttribute("JOINTS_1", joints.clone());
  }, /more than four joints/);
});

Deno.test("loadHands() refuses a left hand, centimetres, and places that are no numbers", async () => {
  await assertRefused(() => {}, /it is a left hand\. Give the right one/, "left");
  await assertRefused((hand) => scaleBy(hand, 100), /the hand is 17\.8 long\. Export it in metres/);
  await assertRefused(({ positions }) => positions.setElement(5, [NaN, 0, 0]), /vertex 5 is at NaN, 0, 0/);
  await assertRefused(({ inverses }) => inverses.setElement(3, Array(16).fill(0)), /thumb-phalanx-distal/);
});

Deno.test("loadHands() refuses a skin of another size than its joints", async () => {
  for (const factor of [0.5, 1.5, 2, 100, 1e30]) {
    await assertRefused(({ positions }) => {
      for (let i = 0; i < positions.getCount(); i++) {
        positions.setElement(i, positions.getElement(i, [0, 0, 0]).map((x) => x * factor));
      }
    }, /its skin reaches to [xyz] = \S+ m, and its joints to \S+ m\. Skin and joints must be of one size/);
  }
  await assertRefused((hand) => setTriangles(hand, () => []), /no skin in front of the wrist/);
});

Deno.test("an environment refuses a hand whose start pose is not legal", async () => {
  await withHandFile((hand) => scaleBy(hand, 2), async (file) => {
    const environment = stubEnvironment("blank", { hand: file });
    await assert.rejects(environment.identity(), (error) => {
      assert.ok(error instanceof BenchError && error.exitCode === 2);
      assert.match(
        error.message,
        /^Cannot use hand model edited\.glb: as every episode starts, right .+ would pass through left/,
      );
      return true;
    });
  });
});

Deno.test("loadHands() takes a hand of another size and in another direction", async () => {
  await withHandFile((hand) => {
    scaleBy(hand, 1.25);
    turnFile(hand);
  }, async (file) => {
    const larger = (await loadHands(file)).right;
    assert.notEqual(larger.hash, right.hash);
    const tip = larger.joints.fingers.middle[4];
    // Turned by a permutation of axes: only rounding to 32 bits differs.
    tip.forEach((x, k) => assert.ok(Math.abs(x - 1.25 * right.joints.fingers.middle[4][k]) < 1e-7));
  });
});

Deno.test("loadHands() keeps the forearm of a model that has an elbow, and spreads its roll", async () => {
  await withHandFile(await withElbow(right), async (file) => {
    const { right: own } = await loadHands(file);
    assert.equal(own.triangles.length, right.triangles.length);
    assert.ok(own.positions.every((x, i) => Math.abs(x - right.positions[i]) < 1e-7));
    const pose = { ...START_POSE.right, angles: anglesOf({ "forearm.roll": 60, "index.pip": 50 }) };
    const ours = skinHand(right, pose), theirs = skinHand(own, pose);
    // Where forearm and hand do not mix, the file's one elbow weight became the same twist.
    const alike = ours.filter((_, i) => !nearWrist(right.positions[i - i % 3 + 1]));
    const same = theirs.filter((_, i) => !nearWrist(right.positions[i - i % 3 + 1]));
    assert.ok(alike.length > 3000 && alike.every((x, i) => Math.abs(x - same[i]) < 1e-6));
  });
});

const nearWrist = (height: number) => height > -0.036 && height < 0.026;

function carries(joints: Accessor, weights: Accessor, joint: number): boolean {
  return Array.from({ length: joints.getCount() }, (_, i) => i).some((i) => {
    const shares = weights.getElement(i, [0, 0, 0, 0]);
    return joints.getElement(i, [0, 0, 0, 0]).some((at, k) => at === joint && shares[k] > 0);
  });
}

function extremeY(triangle: number[], place: (i: number) => number[]): number {
  return Math.min(...triangle.map((i) => place(i)[1]));
}

/** The file's vertex farthest along the index' or little finger: fingers point to −y, the index lies at −z. */
function fingertipVertex(places: number[][], finger: string): number {
  const side = (z: number) => finger === "index" ? z < -0.003 && z > -0.02 : z > 0.05;
  const candidates = places.map(([, y, z], i) => ({ i, y, inside: side(z) })).filter(({ inside }) => inside);
  return candidates.toSorted((a, b) => a.y - b.y)[0].i;
}

function scaleBy({ positions, inverses }: HandDocument, factor: number): void {
  for (let i = 0; i < positions.getCount(); i++) {
    positions.setElement(i, positions.getElement(i, [0, 0, 0]).map((x) => x * factor));
  }
  for (let i = 0; i < inverses.getCount(); i++) {
    const matrix = inverses.getElement(i, Array<number>(16).fill(0));
    inverses.setElement(i, matrix.map((x, k) => k >= 12 && k < 15 ? x * factor : x));
  }
}

/** (x, y, z) → (y, z, x): positions by it, inverse bind matrices by its inverse. */
function turnFile({ positions, inverses }: HandDocument): void {
  for (let i = 0; i < positions.getCount(); i++) {
    const [x, y, z] = positions.getElement(i, [0, 0, 0]);
    positions.setElement(i, [y, z, x]);
  }
  for (let i = 0; i < inverses.getCount(); i++) {
    const m = inverses.getElement(i, Array<number>(16).fill(0));
    inverses.setElement(i, [...m.slice(4, 8), ...m.slice(8, 12), ...m.slice(0, 4), ...m.slice(12)]);
  }
}

/** A model as a file with Ultraleap's joint names, its own forearm on one elbow joint. */
async function withElbow(model: HandModel): Promise<Uint8Array> {
  const document = new Document();
  const buffer = document.createBuffer();
  const accessor = (
    type: "VEC3" | "VEC4" | "SCALAR" | "MAT4",
    array: Float32Array<ArrayBuffer> | Uint16Array<ArrayBuffer>,
  ) => document.createAccessor().setType(type).setArray(array).setBuffer(buffer);
  const { wrist, elbow, thumb, fingers } = model.joints;
  const centres = [elbow, wrist, ...thumb, ...FINGERS.flatMap((finger) => [...fingers[finger]])];
  const names = ALL_JOINTS.map(({ names }) => names[names.length - 1]);
  assert.equal(names.length, 2 + THUMB_JOINTS.length + FINGER_JOINTS.flat().length);
  const jointOfBone = BONES.map(({ segment }, bone) =>
    segment === "forearm" ? 0 : ALL_JOINTS.findIndex((joint) => joint.bone === bone)
  );
  const inverses = centres.flatMap(([x, y, z]) => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, -x, -y, -z, 1]);
  const skin = document.createSkin().setInverseBindMatrices(accessor("MAT4", Float32Array.from(inverses)));
  names.forEach((name) => skin.addJoint(document.createNode(name)));
  const primitive = document.createPrimitive()
    .setAttribute("POSITION", accessor("VEC3", Float32Array.from(model.positions)))
    .setAttribute("WEIGHTS_0", accessor("VEC4", Float32Array.from(model.boneWeights)))
    .setAttribute(
      "JOINTS_0",
      accessor("VEC4", Uint16Array.from(model.boneIndices, (bone) => jointOfBone[bone])),
    )
    .setIndices(accessor("SCALAR", Uint16Array.from(model.triangles)));
  document.createScene().addChild(
    document.createNode().setMesh(document.createMesh().addPrimitive(primitive)).setSkin(skin),
  );
  return await new WebIO().writeBinary(document);
}
