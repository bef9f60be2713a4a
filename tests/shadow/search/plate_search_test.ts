import assert from "node:assert/strict";
import type { Pose } from "../../../shadow/pose.ts";
import { GENERATION, ILLEGAL, PlateSearch, plateSearchSchema } from "../../../shadow/search/plate_search.ts";

/** Highest where the right wrist is at (0.3, 0.2, 0.8) and the left index finger is straight. */
function score({ right, left }: Pose): number {
  const [x, y, z] = right.position;
  return 100 - 100 * Math.hypot(x - 0.3, y - 0.2, z - 0.8) - 10 * Math.abs(left.angles[7]);
}

function run(search: PlateSearch, generations: number, scoreOf = score): PlateSearch {
  for (let i = 0; i < generations; i++) search.learn(search.propose().map(scoreOf));
  return search;
}

Deno.test("PlateSearch finds what scores high, and counts every pose", () => {
  const search = run(new PlateSearch(1), 150);
  assert.equal(search.evaluations, 150 * GENERATION);
  assert.ok(search.best !== null && search.best.score > 97, `${search.best?.score}`);
  assert.equal(score(search.best.pose), search.best.score);
});

Deno.test("PlateSearch goes on from its state, through JSON, as if it had never stopped", () => {
  const whole = run(new PlateSearch(3), 30);
  const stopped = run(new PlateSearch(3), 13);
  const state = plateSearchSchema.parse(JSON.parse(JSON.stringify(stopped.state())));
  assert.deepEqual(run(new PlateSearch(state), 17).state(), whole.state());
});

Deno.test("PlateSearch depends on its seed", () => {
  const states = [1, 1, 2].map((seed) => run(new PlateSearch(seed), 3).state().cma);
  assert.deepEqual(states[0], states[1]);
  assert.notDeepEqual(states[0], states[2]);
});

Deno.test("PlateSearch never takes an illegal pose for the best", () => {
  const none = run(new PlateSearch(1), 2, () => ILLEGAL);
  assert.equal(none.best, null);
  assert.equal(none.state().best, null);
  const mixed = new PlateSearch(1);
  const poses = mixed.propose();
  mixed.learn(poses.map((_, i) => i === 5 ? 0 : ILLEGAL));
  assert.deepEqual(mixed.best, { score: 0, pose: poses[5] });
});
