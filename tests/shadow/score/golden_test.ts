/** IoU, outline F, holes and hulls against NumPy, SciPy and scikit-image; `tests/golden/shadow/generate.py` made the values. */
import assert from "node:assert/strict";
import { START_POSE } from "../../../shadow/pose.ts";
import { hullMask } from "../../../shadow/score/hull_mask.ts";
import { countShadow } from "../../../shadow/score/shadow_counts.ts";
import { DEFAULT_SCORE, ScoreProfile } from "../../../shadow/score/score_profile.ts";
import { prepareTarget, scoreShadow } from "../../../shadow/score/shadow_score.ts";
import { maskAt } from "../../../shadow/stage/mask.ts";
import { MASK_HEIGHT, MASK_WIDTH } from "../../../shadow/stage/stage.ts";
import golden from "../../golden/shadow/golden.json" with { type: "json" };
import { drawMask } from "./closed_form_masks.ts";

const CASES = golden.cases.map(({ target, shadow, ...expected }) => ({
  ...expected,
  name: `${shadow} against ${target}`,
  target: drawMask(target),
  shadow: drawMask(shadow),
}));

/** Sums in another order. */
const ROUNDING = 1e-14;

for (const [rule, outline] of golden.outlines.entries()) {
  Deno.test(`scoreShadow() measures outlines as SciPy's distance transform: ${JSON.stringify(outline)}`, () => {
    const profile = ScoreProfile.parse({ ...DEFAULT_SCORE, outline });
    for (const { name, target, shadow, outlineF } of CASES) {
      const { outlineF: measured } = scoreShadow(
        prepareTarget(target, profile),
        shadow,
        START_POSE,
      );
      assert.ok(
        Math.abs(measured - outlineF[rule]) <= ROUNDING,
        `${measured}, not ${outlineF[rule]}: ${name}`,
      );
    }
  });
}

Deno.test("scoreShadow() measures IoU and holes as NumPy and SciPy's labels do", () => {
  for (const { target, shadow, iou, holes } of CASES) {
    const [prepared, mask] = [prepareTarget(target), shadow];
    const score = scoreShadow(prepared, mask, START_POSE);
    assert.equal(score.iou, iou);
    const { open } = countShadow(prepared, mask);
    const found = prepared.holes.map(({ pixels }, i) => [pixels, open[i]]);
    const byFirst = (a: number[], b: number[]) => a[0] - b[0] || a[1] - b[1];
    assert.deepEqual(found.sort(byFirst), holes.toSorted(byFirst));
    const share = holes.reduce((sum, [pixels, open]) => sum + open / pixels, 0) / holes.length;
    assert.ok(Math.abs(score.holes - (holes.length === 0 ? 1 : share)) <= ROUNDING);
  }
});

Deno.test("scoreShadow() weighs holes by pixels when the profile says so", () => {
  const profile: ScoreProfile = { ...DEFAULT_SCORE, holes: { minPixels: 40, mean: "pixels" } };
  for (const { target, shadow, holes } of CASES) {
    const large = holes.filter(([pixels]) => pixels >= 40);
    const sum = (i: number) => large.reduce((total, hole) => total + hole[i], 0);
    const score = scoreShadow(prepareTarget(target, profile), shadow, START_POSE);
    assert.equal(score.holes, large.length === 0 ? 1 : sum(1) / sum(0));
  }
});

Deno.test("hullMask() is scikit-image's convex hull of pixel centres", () => {
  for (const { target, hull } of CASES) {
    const mask = hullMask(target);
    const sums = [0, 0, 0, 0];
    for (let y = 0; y < MASK_HEIGHT; y++) {
      for (let x = 0; x < MASK_WIDTH; x++) {
        if (maskAt(mask, x, y)) [1, x, y, x * y].forEach((value, i) => sums[i] += value);
      }
    }
    assert.deepEqual(sums, hull);
  }
});
