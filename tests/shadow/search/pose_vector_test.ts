import assert from "node:assert/strict";
import { stream } from "../../../env/random.ts";
import { SIDES, START_POSE } from "../../../shadow/pose.ts";
import { rangeFault } from "../../../shadow/rules.ts";
import { CmaEs, initialCmaState } from "../../../shadow/search/cma_es.ts";
import { mirror, poseOfVector, START_VECTOR } from "../../../shadow/search/pose_vector.ts";

Deno.test("poseOfVector() of START_VECTOR is the start pose", () => {
  const pose = poseOfVector(START_VECTOR);
  for (const side of SIDES) {
    const numbers = [...pose[side].angles, ...pose[side].position, ...pose[side].orientation];
    const wanted = [
      ...START_POSE[side].angles,
      ...START_POSE[side].position,
      ...START_POSE[side].orientation,
    ];
    numbers.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-15));
  }
});

Deno.test("poseOfVector() keeps to every range and to the spread rule, whatever the numbers", () => {
  const draws = stream(1, "pose vector");
  for (let i = 0; i < 2000; i++) {
    const vector = START_VECTOR.map(() => 0.5 + 1.5 * draws.normal());
    assert.equal(rangeFault(poseOfVector(vector)), null);
  }
});

Deno.test("poseOfVector() reads the turn as axis times angle: a quarter of the range is 90°", () => {
  const at = (numbers: number[]) =>
    poseOfVector([...START_VECTOR.slice(0, 26), ...numbers, ...START_VECTOR.slice(29)]).right.orientation;
  const close = (is: readonly number[], wanted: number[]) =>
    is.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) < 1e-15, `${is}`));
  const half = Math.SQRT1_2;
  close(at([0.75, 0.5, 0.5]), [half, half, 0, 0]);
  close(at([0.5, 0.5, 0.25]), [half, 0, 0, -half]);
  // 120° about (1, 1, 1).
  const third = 0.5 + 1 / 3 / Math.sqrt(3);
  close(at([third, third, third]), [0.5, 0.5, 0.5, 0.5]);
});

Deno.test("mirror() folds the line onto [0, 1] as two mirrors do", () => {
  const folded = [[0, 0], [0.3, 0.3], [1, 1], [1.25, 0.75], [2, 0], [-0.25, 0.25], [-1.5, 0.5], [3.75, 0.25]];
  for (const [value, wanted] of folded) assert.equal(mirror(value), wanted);
});

Deno.test("bounds do not bias a small step: samples at a bound have the bound for their mean", () => {
  // The fault of pycma's issue 229.
  for (const at of [0, 1]) {
    const search = new CmaEs(initialCmaState(START_VECTOR.map(() => at), 1e-6));
    const samples = Array.from({ length: 50 }, (_, i) => search.sample(stream(i, "at a bound"))).flat();
    for (let k = 0; k < START_VECTOR.length; k++) {
      const mean = samples.reduce((sum, sample) => sum + mirror(sample[k]), 0) / samples.length;
      assert.ok(Math.abs(mean - at) < 1e-6, `${mean}`);
    }
  }
});
