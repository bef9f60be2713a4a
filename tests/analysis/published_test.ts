import assert from "node:assert/strict";
import { LEADERBOARD_TASKS } from "../../analysis/published.ts";
import { summarizeEpisodes, type SummaryEpisode } from "../../analysis/summary.ts";
import { summaryText } from "../../analysis/summary_table.ts";
import { DEFAULT_RECIPE } from "../../analysis/bootstrap.ts";

const columns = [{ key: "score", title: "SplatScore", digits: 1, higherIsBetter: true }];
const few = { ...DEFAULT_RECIPE, resamples: 11 };

function played(tasks: readonly string[], changes: Partial<SummaryEpisode> = {}): string {
  const episodes = tasks.map((task_id): SummaryEpisode => ({
    bench: "splat",
    model_name: "mine",
    setting: "medium_effort",
    task_id,
    run: 1,
    status: "complete",
    score: 33,
    score_kind: "full",
    metrics: {},
    calls: 3,
    budget_used: { renders: 1 },
    refusals: {},
    cost_usd: null,
    seconds: 2,
    ...changes,
  }));
  return summaryText(summarizeEpisodes(episodes, columns, few));
}

Deno.test("LEADERBOARD_TASKS are the 30 of fifteen objects", () => {
  assert.equal(new Set(LEADERBOARD_TASKS).size, 30);
  assert.equal(LEADERBOARD_TASKS.filter((id) => id.endsWith("__assemble")).length, 15);
});

Deno.test("summaryText() puts the published leaderboard below full scores of all its tasks", () => {
  const text = played(LEADERBOARD_TASKS);
  const published = text.slice(text.indexOf("Published")).split("\n").slice(2);
  assert.equal(published.length, 8);
  assert.match(published[0], /^GPT-6 Astra +49\.6 \[41\.4, 58\.0\] +\$1\.69 +6\.6 min$/);
  assert.match(published[5], /^Claude Haiku 5\.5 +3\.6 \[−5\.8, 12\.4\] +\$0\.01 +1\.9 min$/);
  assert.match(published[7], /^GPT-5\.6 Terra +1\.2 \[−7\.4, 9\.4\] +\$0\.19 +2\.1 min$/);
});

Deno.test("summaryText() keeps published scores away from partial ones, other tasks and other settings", () => {
  for (
    const text of [
      played(LEADERBOARD_TASKS, { score_kind: "partial" }),
      played(LEADERBOARD_TASKS.slice(1)),
      played([...LEADERBOARD_TASKS, "lamp__sculpt"]),
      played(LEADERBOARD_TASKS.map((id) => id.replace("table", "chair_2"))),
      played(LEADERBOARD_TASKS, { setting: "high_effort" }),
      played(LEADERBOARD_TASKS, { bench: "shadow" }),
    ]
  ) {
    assert.match(text, /mine/);
    assert.doesNotMatch(text, /Published|Astra/);
  }
});

Deno.test("summaryText() says that partial scores are partial", () => {
  assert.match(
    played(["table__sculpt"], { score_kind: "partial" }),
    /^Scores are partial, of PSNR and SSIM alone/m,
  );
  assert.doesNotMatch(played(["table__sculpt"]), /partial/);
});
