import assert from "node:assert/strict";
import { BenchError } from "../../../env/errors.ts";
import { ALIASES } from "../../../shadow/hand/controls.ts";
import { loadHands } from "../../../shadow/hand/load_hand.ts";
import { type Pose, START_POSE } from "../../../shadow/pose.ts";
import { hullMask } from "../../../shadow/score/hull_mask.ts";
import { DEFAULT_SCORE } from "../../../shadow/score/score_profile.ts";
import { prepareTarget, scoreCounts, scoreShadow } from "../../../shadow/score/shadow_score.ts";
import { castShadow } from "../../../shadow/stage/cast_shadow.ts";
import { emptyMask, maskWhere } from "../../../shadow/stage/mask.ts";
import { movedMask } from "../moved_mask.ts";
import { drawMask } from "./closed_form_masks.ts";

const EYED = [["ring", 200, 150, 20, 90], ["ring", 400, 200, 10, 40]] as const;
const BENT = bentWrists(40, 10);

Deno.test("scoreShadow() gives 100 and solved for the target itself, with neutral wrists", () => {
  const mask = drawMask(EYED);
  const perfect = {
    score: 100,
    scoreBeforePeeks: 100,
    iou: 1,
    outlineF: 1,
    holes: 1,
    wrists: 1,
    solved: true,
  };
  assert.deepEqual(scoreShadow(prepareTarget(mask), mask, START_POSE), perfect);
});

Deno.test("scoreShadow() is the published formula in overlap, outline, holes, wrists and peeks", () => {
  const target = prepareTarget(drawMask(EYED));
  const counts = {
    area: 0,
    shared: 0,
    outlineLength: 100,
    shadowNear: [50, 60, 80],
    targetNear: [0, 0, 0],
    open: [0, 0],
  };
  const [area, length] = [target.area, target.outlineLength];
  const [first, second] = target.holes.map(({ pixels }) => pixels);
  const score = (more: Partial<typeof counts>, pose = START_POSE, peeks = 0) =>
    scoreCounts(target, { ...counts, ...more }, pose, peeks).score;
  const near = (actual: number, expected: number) =>
    assert.ok(Math.abs(actual - expected) < 1e-12, `${actual}, not ${expected}`);
  near(score({ area, shared: area }), 55 * 0.9);
  near(score({ area, shared: area / 2 }), 55 / 3 * 0.9);
  near(
    score({ targetNear: [length, length / 2, 0] }),
    45 * 0.9 * (2 * 0.5 / 1.5 + 2 * 0.6 * 0.5 / 1.1 + 0) / 3,
  );
  near(score({ area, shared: area, open: [first, 0] }), 55 * 0.95);
  near(score({ area, shared: area, open: [first / 2, second] }), 55 * 0.975);
  near(score({ area, shared: area }, BENT), 55 * 0.9 * 0.95);
  near(score({ area, shared: area }, START_POSE, 3), 55 * 0.9 * 0.94 * 0.94 * 0.94);
});

Deno.test("scoreShadow() keeps the score before peeks", () => {
  const target = prepareTarget(drawMask(EYED));
  const shadow = drawMask([["ring", 202, 150, 20, 90]]);
  const [none, two] = [0, 2].map((peeks) => scoreShadow(target, shadow, BENT, peeks));
  assert.equal(two.scoreBeforePeeks, none.score);
  assert.deepEqual({ ...two, score: 0 }, { ...none, score: 0 });
  assert.ok(Math.abs(two.score - none.score * 0.8836) < 1e-12);
});

Deno.test("scoreShadow() gives an empty shadow 0, never NaN", () => {
  for (const parts of [EYED, [["rectangle", 0, 0, 512, 384]], [["rectangle", 7, 7, 8, 8]]]) {
    const { holes, ...score } = scoreShadow(prepareTarget(drawMask(parts)), emptyMask(), START_POSE, 1);
    assert.deepEqual(score, { score: 0, scoreBeforePeeks: 0, iou: 0, outlineF: 0, wrists: 1, solved: false });
    assert.equal(holes, 1);
  }
});

Deno.test("scoreShadow() knows that a screen all dark has no outline", () => {
  const dark = maskWhere(() => true);
  assert.equal(scoreShadow(prepareTarget(dark), dark, START_POSE).score, 100);
  assert.equal(scoreShadow(prepareTarget(drawMask(EYED)), dark, START_POSE).outlineF, 0);
  assert.equal(scoreShadow(prepareTarget(dark), drawMask(EYED), START_POSE).outlineF, 0);
});

Deno.test("prepareTarget() refuses a target without a dark pixel and a mask of another size", () => {
  for (const mask of [emptyMask(), new Uint32Array(7).fill(1)]) {
    assert.throws(() => prepareTarget(mask), BenchError);
  }
});

Deno.test("prepareTarget() keeps its own copy of the mask", () => {
  const mask = drawMask(EYED);
  const target = prepareTarget(mask);
  mask.fill(0);
  assert.equal(scoreShadow(target, drawMask(EYED), START_POSE).score, 100);
});

Deno.test("scoreShadow() says solved when overlap, outline and holes each reach 95 %, whatever wrists and peeks", () => {
  const target = prepareTarget(drawMask(EYED));
  const { area, outlineLength, holes } = target;
  const perfect = {
    area,
    shared: area,
    outlineLength,
    shadowNear: [outlineLength, outlineLength, outlineLength],
    targetNear: [outlineLength, outlineLength, outlineLength],
    open: holes.map(({ pixels }) => pixels),
  };
  const solved = (change: Partial<typeof perfect>, pose: Pose = BENT) =>
    scoreCounts(target, { ...perfect, ...change }, pose, 3).solved;
  assert.ok(solved({}));
  assert.ok(solved({ shared: Math.ceil(0.95 * area), area: Math.ceil(0.95 * area) }));
  assert.ok(!solved({ shared: Math.floor(0.949 * area), area: Math.floor(0.949 * area) }));
  // F of the first radius is 2 P / (P + 1), the others' is 1; their mean is 0.95 for P = 0.739.
  const near = (share: number) => ({ shadowNear: [share * outlineLength, outlineLength, outlineLength] });
  assert.ok(solved(near(0.75)));
  assert.ok(!solved(near(0.73), START_POSE));
  assert.ok(!solved({ open: perfect.open.map((pixels) => 0.94 * pixels) }));
  assert.ok(solved({ open: perfect.open.map((pixels) => 0.951 * pixels) }));
});

Deno.test("scoreShadow() can fail: hulls and shadows a few pixels off score as low on a hand as they should", async () => {
  const mask = castShadow(await loadHands(), START_POSE);
  const target = prepareTarget(mask);
  const moved = [1, 3, 6].map((d) => scoreShadow(target, movedMask(mask, d, d), START_POSE).outlineF);
  assert.ok(moved[0] > 0.9 && moved[0] < 0.97, `(1, 1): ${moved[0]}`);
  assert.ok(moved[1] > 0.3 && moved[1] < 0.6, `(3, 3): ${moved[1]}`);
  assert.ok(moved[2] < 0.3, `(6, 6): ${moved[2]}`);
  assert.ok(scoreShadow(target, hullMask(mask), START_POSE).outlineF < 0.7);
});

Deno.test("ScoreProfile keeps every choice that the formula leaves open", () => {
  // Changing one must change the score of some shadow, else it is no choice.
  const [mask, shadow] = [
    drawMask([...EYED, ["rectangle", 0, 300, 100, 384], ["ring", 60, 60, 2, 20]]),
    drawMask([["disc", 201, 151, 88], ["ring", 401, 200, 4, 38], ["rectangle", 0, 302, 97, 380], [
      "ring",
      60,
      60,
      2,
      20,
    ]]),
  ];
  const pose = bentWrists(3, 6);
  const score = (profile: typeof DEFAULT_SCORE) =>
    scoreShadow(prepareTarget(mask, profile), shadow, pose, 1).score;
  const { outline, holes, wrists } = DEFAULT_SCORE;
  const changes: Partial<typeof DEFAULT_SCORE>[] = [
    { outline: { ...outline, radii: [1, 2, 3] } },
    { outline: { ...outline, neighbours: 8 } },
    { outline: { ...outline, border: "light" } },
    { holes: { ...holes, minPixels: 8 } },
    { holes: { ...holes, mean: "pixels" } },
    { wrists: { ...wrists, neutralDeg: 4 } },
    { wrists: { ...wrists, slightDeg: 2 } },
    { wrists: { ...wrists, bentDeg: 7 } },
    { peekFactor: 0.9 },
  ];
  const plain = score(DEFAULT_SCORE);
  for (const change of changes) {
    assert.notEqual(score({ ...DEFAULT_SCORE, ...change }), plain, JSON.stringify(change));
  }
});

function bentWrists(flexDeg: number, bendDeg: number): Pose {
  const angles = [...START_POSE.left.angles];
  angles[ALIASES.indexOf("wrist.flex")] = flexDeg * Math.PI / 180;
  angles[ALIASES.indexOf("wrist.bend")] = bendDeg * Math.PI / 180;
  return { ...START_POSE, left: { ...START_POSE.left, angles } };
}
