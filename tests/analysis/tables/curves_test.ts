import assert from "node:assert/strict";
import { playedEpisodes, type PlayedRow } from "../../../analysis/played_episode.ts";
import { scoreCurves } from "../../../analysis/tables/curves.ts";

function episode(task: string, run: number, points: [step: number, score: number | null][]) {
  const row: PlayedRow & { setting: string } = {
    episode_id: `m__${task}__eval_r${run}`,
    model_name: "m",
    task_id: task,
    setting: "medium_effort",
    score: 1,
    cost_usd: null,
    curve: points.map(([step, score]) => ({ step, score, metrics: {} })),
  };
  return row;
}

Deno.test("scoreCurves() carries scores over gaps and ends, and means runs before tasks", () => {
  const rows = [
    episode("a", 1, [[0, 0], [1, 10], [2, null], [3, 20]]),
    episode("a", 2, [[0, 0], [1, 30]]),
    episode("b", 1, [[0, null], [2, 100]]),
  ];
  const [{ scores, counted }] = scoreCurves({ episodes: playedEpisodes("splat", rows) });
  assert.equal(counted, 3);
  // Task a: 0, 20, 20, 25; task b: none, none, 100, 100.
  assert.deepEqual(scores, [0, 20, 60, 62.5]);
});
