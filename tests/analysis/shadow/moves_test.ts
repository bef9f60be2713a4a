import assert from "node:assert/strict";
import { givenAway } from "../../../analysis/shadow/moves.ts";

/** Components that make a score before peeks of 100 × overlap. */
const point = (step: number, overlap: number, peeks: number) => ({
  step,
  score: 100 * overlap * 0.94 ** peeks,
  metrics: { iou: overlap, outline_f: overlap, holes: 1, wrists: 1 },
});

Deno.test("givenAway() is measured before peeks: a peek gives nothing away", () => {
  assert.equal(givenAway([point(0, 0.5, 0), point(1, 0.5, 1), point(2, 0.5, 3)]), 0);
  const fell = givenAway([point(0, 0.2, 0), point(1, 0.5, 1), point(2, 0.46, 1)]);
  assert.ok(Math.abs(fell - 4) < 1e-9);
});

Deno.test("givenAway() takes the hidden score where the curve has no components, and skips what has none", () => {
  const bare = (score: number | null) => ({ step: 0, score, metrics: {} });
  assert.equal(givenAway([bare(3), bare(null), bare(9), bare(8)]), 1);
  assert.equal(givenAway([bare(null)]), 0);
  assert.equal(givenAway([]), 0);
});

Deno.test("givenAway() weighs holes and wrists as the published formula does", () => {
  const half = { step: 0, score: 0, metrics: { iou: 0.4, outline_f: 0.2, holes: 0, wrists: 0 } };
  // 100 × (0.55 × 0.4 + 0.45 × 0.2) = 31, times 0.9 × 0.95.
  const gone = givenAway([point(0, 0.31, 0), half]);
  assert.ok(Math.abs(gone - (31 - 31 * 0.9 * 0.95)) < 1e-9);
});
