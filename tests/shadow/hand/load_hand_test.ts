import assert from "node:assert/strict";
import { BONES } from "../../../shadow/hand/bones.ts";
import { FINGERS } from "../../../shadow/hand/controls.ts";
import { type HandModel, SEGMENTS } from "../../../shadow/hand/hand_model.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { skinHand } from "../../../shadow/hand/skin.ts";
import { START_POSE } from "../../../shadow/pose.ts";
import { stream } from "../../../env/random.ts";
import { CONTROLS } from "../../../shadow/hand/controls.ts";
import { withHandFile } from "../../support/hand_glb.ts";

const hands = await loadHands();

function volume({ positions: p, triangles }: HandModel): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[t + k]);
    sum += p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) -
      p[a + 1] * (p[b] * p[c + 2] - p[b + 2] * p[c]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}

Deno.test("loadHands() gives skins that are closed, in one piece, of genus 0 and turned outward", () => {
  for (const hand of [hands.right, hands.left]) {
    const { triangles } = hand;
    const vertices = hand.positions.length / 3, faces = triangles.length / 3;
    const directed = new Set<number>();
    const neighbours = Array.from({ length: vertices }, (): number[] => []);
    for (let t = 0; t < triangles.length; t += 3) {
      for (let k = 0; k < 3; k++) {
        const a = triangles[t + k], b = triangles[t + (k + 1) % 3];
        assert.ok(!directed.has(a * vertices + b), `two triangles run along ${a} → ${b}`);
        directed.add(a * vertices + b);
        neighbours[a].push(b);
      }
    }
    for (const edge of directed) {
      assert.ok(directed.has(edge % vertices * vertices + Math.floor(edge / vertices)), "an edge is open");
    }
    const reached = new Set([0]);
    for (const at of reached) for (const next of neighbours[at]) reached.add(next);
    assert.equal(reached.size, vertices);
    assert.equal(vertices - directed.size / 2 + faces, 2, "Euler characteristic of a sphere");
    assert.ok(faces >= 2500 && faces <= 2900, `${faces} triangles`);
    // A hand with its forearm, about as heavy as water: 1 to 1.5 kg for people, and not a tenth of that.
    assert.ok(volume(hand) > 0.7e-3 && volume(hand) < 1.7e-3, `${volume(hand)} m³`);
  }
});

Deno.test("loadHands() puts the right hand with its wrist at 0, fingers up, palm to −z, thumb at −x", () => {
  const { joints, positions } = hands.right;
  assert.deepEqual(joints.wrist.map(Math.abs), [0, 0, 0]);
  const tips = FINGERS.map((finger) => joints.fingers[finger][4]);
  assert.ok(tips.every(([x, y]) => y > 2 * Math.abs(x)));
  assert.ok(tips.slice(1).every(([x], i) => x > tips[i][0]), "index to little toward +x");
  const [thumbX, , thumbZ] = joints.thumb[3];
  assert.ok(thumbX < -0.05 && thumbZ < -0.03, "thumb to −x and out of the palm");
  // The model is 19.0 cm from its cap, 2.2 cm below the wrist, to the tip of the middle finger.
  const heights = positions.filter((_, i) => i % 3 === 1);
  assert.ok(Math.abs(Math.max(...heights) - 0.19) < 0.002);
  assert.equal(joints.elbow[1], -0.22);
});

function assertWeights({ boneIndices, boneWeights, positions }: HandModel): void {
  assert.equal(boneWeights.length, positions.length / 3 * 4);
  for (let i = 0; i < boneWeights.length; i += 4) {
    const weights = [...boneWeights.subarray(i, i + 4)];
    assert.ok(Math.abs(weights.reduce((a, b) => a + b) - 1) < 1e-12);
    assert.ok(weights.every((weight, k) => weight >= 0 && (k === 0 || weight <= weights[k - 1])));
    assert.ok([...boneIndices.subarray(i, i + 4)].every((bone) => bone < BONES.length));
  }
}

Deno.test("loadHands() gives at most four weights a vertex, greatest first, that sum to 1", async () => {
  assertWeights(hands.right);
  // Where the wrist blends, four joints of a file and the wrist's own bone are five.
  await withHandFile(({ joints, weights }) => {
    for (let i = 0; i < joints.getCount(); i++) {
      joints.setElement(i, [0, 6, 11, 16]);
      weights.setElement(i, [0.4, 0.3, 0.2, 0.1]);
    }
  }, async (file) => assertWeights((await loadHands(file)).right));
});

Deno.test("loadHands() names every triangle's segment: each joint's neighbourhood is its finger's", () => {
  const { segments, triangles, positions, joints } = hands.right;
  assert.deepEqual([...new Set(segments)].sort((a, b) => a - b), SEGMENTS.map((_, i) => i));
  const nearest = (place: readonly number[]) => {
    const distances = Array.from(segments, (_, t) => {
      const centre = [0, 1, 2].map((k) =>
        [0, 1, 2].reduce((sum, c) => sum + positions[3 * triangles[3 * t + c] + k] / 3, 0)
      );
      return Math.hypot(...centre.map((x, k) => x - place[k]));
    });
    return SEGMENTS[segments[distances.indexOf(Math.min(...distances))]];
  };
  const middleOf = (a: readonly number[], b: readonly number[]) => a.map((x, k) => (x + b[k]) / 2);
  for (const finger of FINGERS) {
    const [, mcp, pip, dip, tip] = joints.fingers[finger];
    assert.equal(nearest(tip), `${finger} tip`);
    assert.equal(nearest(middleOf(pip, dip)), `${finger} middle`);
    assert.equal(nearest(middleOf(mcp, pip)), `${finger} base`);
  }
  assert.equal(nearest(joints.thumb[3]), "thumb tip");
  assert.equal(nearest([0, 0.05, 0.02]), "palm");
  assert.equal(nearest([0, -0.15, 0.03]), "forearm");
});

Deno.test("loadHands() makes the left hand the exact mirror of the right", () => {
  const { right, left } = hands;
  assert.deepEqual([right.side, left.side, right.name, left.name], [
    "right",
    "left",
    "generic-hand",
    "generic-hand",
  ]);
  assert.equal(left.hash, right.hash);
  assert.ok(left.positions.every((x, i) => x === (i % 3 === 0 ? -right.positions[i] : right.positions[i])));
  assert.equal(volume(left), volume(right));
});

Deno.test("loadHands() reads Ultraleap's joint names too, and the hash does not depend on names", async () => {
  await withHandFile(({ skin }) => {
    for (const joint of skin.listJoints()) joint.setName(ultraleapName(joint.getName()));
  }, async (file) => {
    const { right } = await loadHands(file);
    assert.equal(right.name, "edited.glb");
    assert.equal(right.hash, hands.right.hash);
  });
});

Deno.test("loadHands() gives another hash when a vertex, a weight or a joint is another", async () => {
  const hashes = new Set([hands.right.hash]);
  const edits: Parameters<typeof withHandFile>[0][] = [
    ({ positions }) => positions.setElement(0, positions.getElement(0, [0, 0, 0]).map((x) => x + 1e-6)),
    ({ joints }) => joints.setElement(0, joints.getElement(0, [0, 0, 0, 0]).map(() => 5)),
    ({ inverses }) => {
      const matrix = inverses.getElement(24, Array<number>(16).fill(0));
      inverses.setElement(24, matrix.map((x, i) => i === 12 ? x + 1e-4 : x));
    },
  ];
  for (const edit of edits) {
    await withHandFile(edit, async (file) => void hashes.add((await loadHands(file)).right.hash));
  }
  assert.equal(hashes.size, 4);
});

Deno.test("loadHands() takes weights of 8 bits: no posed vertex is over 1 mm from the float model's", async () => {
  await withHandFile(({ weights }) => {
    const rounded = Uint8Array.from(weights.getArray() ?? [], (weight) => Math.round(weight * 255));
    weights.setArray(rounded).setNormalized(true);
  }, async (file) => {
    const { right } = await loadHands(file);
    assertWeights(right);
    const random = stream(3, "quantised weights");
    for (let trial = 0; trial < 20; trial++) {
      const angles = CONTROLS.map(({ min, max }) => random.range(min, max) * Math.PI / 180);
      const pose = { ...START_POSE.right, angles };
      const exact = skinHand(hands.right, pose), coarse = skinHand(right, pose);
      const worst = exact.reduce((most, x, i) => Math.max(most, Math.abs(x - coarse[i])), 0);
      assert.ok(worst > 0 && worst < 1e-3, `${worst} m`);
    }
  });
});

function ultraleapName(webxr: string): string {
  if (webxr === "wrist") return "Wrist";
  const parts = webxr.replace("pinky", "little").split("-");
  const part = parts[parts.length - 1];
  return `${parts[0][0].toUpperCase()}${parts[0].slice(1)}_${part[0].toUpperCase()}${part.slice(1)}`;
}
