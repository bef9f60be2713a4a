import assert from "node:assert/strict";
import { Bone, BufferAttribute, BufferGeometry, Quaternion, Skeleton, SkinnedMesh, Vector3 } from "three";
import { fromAxisAngle, normalize, rotate } from "../../../env/quaternion.ts";
import { stream } from "../../../env/random.ts";
import { subtract } from "../../../env/vector3.ts";
import { BONES } from "../../../shadow/hand/bones.ts";
import { ALIASES, CONTROLS } from "../../../shadow/hand/controls.ts";
import { handDirections } from "../../../shadow/hand/directions.ts";
import type { HandModel } from "../../../shadow/hand/hand_model.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { boneMatrices, skinHand } from "../../../shadow/hand/skin.ts";
import { type Turn, turnsOf } from "../../../shadow/hand/turns.ts";
import type { HandPose } from "../../../shadow/pose.ts";
import { anglesOf } from "../../support/shadow_poses.ts";
import { meanRadius, type Point, pointsOf, ringAt, sideView } from "../../support/skin_geometry.ts";

const hands = await loadHands();
const AT_REST: HandPose = { angles: anglesOf({}), position: [0, 0, 0], orientation: [1, 0, 0, 0] };

function bent(degrees: Record<string, number>): HandPose {
  return { ...AT_REST, angles: anglesOf(degrees) };
}

function worstDifference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  assert.equal(a.length, b.length);
  return Array.from(a).reduce((worst, x, i) => Math.max(worst, Math.abs(x - b[i])), 0);
}

function randomPose(seed: number): HandPose {
  const draw = stream(seed, "skin test");
  const turn = () => draw.normal();
  return {
    angles: CONTROLS.map(({ min, max }) => draw.range(min, max) * Math.PI / 180),
    position: [draw.range(-1, 1), draw.range(-1, 1), draw.range(0, 2)],
    orientation: normalize([turn(), turn(), turn(), turn()]),
  };
}

/** The same hand in three.js: one bone a joint, hung where it turns, its turns as one local quaternion. */
function threeHand(model: HandModel, pose: HandPose): SkinnedMesh {
  const bones = BONES.map(() => new Bone());
  const origin: Point = [0, 0, 0];
  const groups = new Map<number, Turn[]>();
  for (const turn of turnsOf(model)) groups.set(turn.bone, [...groups.get(turn.bone) ?? [], turn]);
  const pivotOf = (bone: number) => groups.get(bone)?.[0].pivot ?? origin;
  bones[0].position.set(...pose.position);
  const [w, x, y, z] = pose.orientation;
  bones[0].quaternion.set(x, y, z, w);
  for (const [bone, turns] of groups) {
    const [{ parent, pivot }] = turns;
    bones[parent].add(bones[bone]);
    bones[bone].position.set(...subtract(pivot, pivotOf(parent)));
    for (const { axis, share, control } of turns) {
      const angle = share * pose.angles[control];
      bones[bone].quaternion.multiply(new Quaternion().setFromAxisAngle(new Vector3(...axis), angle));
    }
  }
  // Bound at rest: each bone's frame is only moved to its pivot.
  const inverses = bones.map((bone, i) => {
    const matrix = bone.matrixWorld.clone().identity();
    const [px, py, pz] = pivotOf(i);
    return matrix.makeTranslation(-px, -py, -pz);
  });
  const geometry = new BufferGeometry()
    .setAttribute("position", new BufferAttribute(model.positions, 3))
    .setAttribute("skinIndex", new BufferAttribute(model.boneIndices, 4))
    .setAttribute("skinWeight", new BufferAttribute(model.boneWeights, 4));
  const mesh = new SkinnedMesh(geometry);
  bones[0].updateMatrixWorld(true);
  mesh.bind(new Skeleton(bones, inverses), mesh.matrixWorld);
  return mesh;
}

Deno.test("skinHand() agrees with three.js' SkinnedMesh on every vertex of both hands in random poses", () => {
  for (const model of [hands.right, hands.left]) {
    for (let seed = 0; seed < 5; seed++) {
      const pose = randomPose(seed);
      const mesh = threeHand(model, pose);
      const ours = skinHand(model, pose);
      const theirs = new Float64Array(ours.length);
      for (let i = 0; i < theirs.length; i += 3) {
        const vertex = new Vector3(...model.positions.subarray(i, i + 3));
        theirs.set(mesh.applyBoneTransform(i / 3, vertex).toArray(), i);
      }
      assert.ok(worstDifference(ours, theirs) < 1e-12, `${worstDifference(ours, theirs)} m`);
    }
  }
});

Deno.test("skinHand() gives the rest skin at the zero pose", () => {
  for (const model of [hands.right, hands.left]) {
    assert.ok(worstDifference(skinHand(model, AT_REST), model.positions) < 1e-12);
  }
});

Deno.test("skinHand() moves and turns every vertex with the hand", () => {
  const pose = randomPose(17);
  const still = skinHand(hands.right, { ...pose, position: [0, 0, 0], orientation: [1, 0, 0, 0] });
  const shifted = skinHand(hands.right, { ...pose, position: [0.25, -0.5, 1], orientation: [1, 0, 0, 0] });
  assert.ok(worstDifference(shifted, still.map((x, i) => x + [0.25, -0.5, 1][i % 3])) < 1e-15 * 8);
  const whole = skinHand(hands.right, pose);
  for (let i = 0; i < still.length; i += 3) {
    const turned = rotate(pose.orientation, [still[i], still[i + 1], still[i + 2]]);
    assert.ok(worstDifference(whole.subarray(i, i + 3), turned.map((x, k) => x + pose.position[k])) < 1e-14);
  }
});

Deno.test("skinHand() gives exactly mirrored vertices for the same angles on both hands, control by control", () => {
  const mirroredPose = ({ angles, position: [x, y, z], orientation: [w, i, j, k] }: HandPose): HandPose => ({
    angles,
    position: [-x, y, z],
    orientation: [w, i, -j, -k],
  });
  const poses = CONTROLS.flatMap(({ name, min, max }) => [bent({ [name]: min }), bent({ [name]: max })]);
  for (const pose of [...poses, randomPose(3), randomPose(4)]) {
    const right = skinHand(hands.right, pose), left = skinHand(hands.left, mirroredPose(pose));
    assert.ok(left.every((x, i) => x === (i % 3 === 0 ? -right[i] : right[i])));
    assert.ok(worstDifference(right, skinHand(hands.right, AT_REST)) > 1e-3, "the pose moves the hand");
  }
});

Deno.test("skinHand() writes to the array it is given, whatever was in it", () => {
  const pose = randomPose(5);
  const out = new Float64Array(hands.right.positions.length).fill(NaN);
  assert.equal(skinHand(hands.right, pose, out), out);
  assert.deepEqual(out, skinHand(hands.right, pose));
});

Deno.test("boneMatrices() gives rigid motions, in the order of the named bones", () => {
  const m = boneMatrices(hands.left, randomPose(6));
  assert.equal(m.length, BONES.length * 12);
  for (let b = 0; b < m.length; b += 12) {
    const rows = [0, 4, 8].map((row) => m.subarray(b + row, b + row + 3));
    const product = rows.flatMap((p) => rows.map((q) => p[0] * q[0] + p[1] * q[1] + p[2] * q[2]));
    assert.ok(worstDifference(product, [1, 0, 0, 0, 1, 0, 0, 0, 1]) < 1e-12);
  }
});

Deno.test("forearm roll leaves the elbow, turns the hand by its angle, and narrows no ring below 95 %", () => {
  for (const [model, sign] of [[hands.right, 1], [hands.left, -1]] as const) {
    for (const roll of [70, -70]) {
      const rolled = skinHand(model, bent({ "forearm.roll": roll }));
      const axis = subtract(model.joints.wrist, model.joints.elbow);
      const turn = fromAxisAngle(axis, sign * roll);
      let atElbow = 0, onHand = 0;
      for (let i = 0; i < rolled.length; i += 3) {
        const rest: Point = [model.positions[i], model.positions[i + 1], model.positions[i + 2]];
        const now = rolled.subarray(i, i + 3);
        if (rest[1] <= -0.2199999) {
          atElbow++;
          assert.ok(worstDifference(now, rest) < 1e-12, "the elbow stays");
        }
        if (rest[1] >= 0.026) {
          onHand++;
          assert.ok(worstDifference(now, rotate(turn, rest)) < 1e-12, "the hand turns as a whole");
        }
      }
      assert.ok(atElbow > 20 && onHand > 800, `${atElbow} vertices at the elbow, ${onHand} on the hand`);
      for (let height = -0.215; height < 0.02; height += 0.005) {
        const ring = ringAt(height, model.positions, model.triangles);
        const [before, after] = [model.positions, rolled].map((skin) => meanRadius(pointsOf(ring, skin)));
        assert.ok(after > 0.95 * before, `at ${height} m: ${after} of ${before} m, roll ${roll}`);
      }
      const palm = handDirections(model, bent({ "forearm.roll": roll })).palm;
      assert.ok(worstDifference(palm, rotate(turn, [0, 0, -1])) < 1e-12);
    }
  }
});

Deno.test("wrist bends smoothly: at ±50 degrees no ring thins below 96 %, none turns from the next by over 8", () => {
  const { positions, triangles } = hands.right;
  for (const flex of [50, -50]) {
    const skin = skinHand(hands.right, bent({ "wrist.flex": flex }));
    let tilt = 0;
    for (let height = -0.04; height <= 0.025; height += 0.005) {
      const ring = ringAt(height, positions, triangles);
      const rest = sideView(pointsOf(ring, positions)), now = sideView(pointsOf(ring, skin));
      assert.ok(now.thickness > 0.96 * rest.thickness, `${now.thickness / rest.thickness} at ${height} m`);
      const turned = now.tiltDeg - rest.tiltDeg;
      assert.ok(Math.abs(turned - tilt) < 8, `from ${tilt} to ${turned} degrees at ${height} m`);
      tilt = turned;
    }
    assert.ok(Math.abs(Math.abs(tilt) - 50) < 2, `${tilt} degrees on the palm`);
  }
});

Deno.test("every control moves skin, and none moves the forearm but its roll", () => {
  for (const name of ALIASES) {
    const moved = skinHand(hands.right, bent({ [name]: 10 }));
    const { positions } = hands.right;
    assert.ok(worstDifference(moved, positions) > 1e-3, name);
    const forearm = moved.filter((_, i) => positions[i - i % 3 + 1] < -0.036);
    const before = positions.filter((_, i) => positions[i - i % 3 + 1] < -0.036);
    const moves = worstDifference(forearm, before) > 1e-9;
    assert.equal(moves, name === "forearm.roll", name);
  }
});
