import assert from "node:assert/strict";
import { summarizeEpisodes, type SummaryEpisode, summaryToJson } from "../../analysis/summary.ts";
import { summaryText } from "../../analysis/summary_table.ts";
import { DEFAULT_RECIPE } from "../../analysis/bootstrap.ts";
import { episodeRecordSchema } from "../../env/records.ts";
import { stream } from "../../env/random.ts";
import fixture from "../fixtures/summary.json" with { type: "json" };

const columns = fixture.columns.map((column) => ({ ...column, title: column.key.toUpperCase() }));

const shape = episodeRecordSchema.pick({
  bench: true,
  model_name: true,
  setting: true,
  task_id: true,
  run: true,
  status: true,
  score: true,
  score_kind: true,
  metrics: true,
  calls: true,
  budget_used: true,
  refusals: true,
  cost_usd: true,
  seconds: true,
});
const episodes: SummaryEpisode[] = fixture.episodes.map((episode) => shape.parse(episode));

/** For what does not depend on the intervals' figures. */
const few = { ...DEFAULT_RECIPE, resamples: 11 };

Deno.test("summarizeEpisodes() equals numpy's table in every number", () => {
  const rows = summarizeEpisodes(episodes, columns).map(summaryToJson);
  assert.deepEqual(rows, fixture.rows.map(({ json }) => json));
});

Deno.test("summarizeEpisodes() does not depend on the order of the episodes", () => {
  const random = stream(3, "shuffle");
  const shuffled = episodes.map((episode) => ({ episode, key: random.next() }))
    .sort((a, b) => a.key - b.key).map(({ episode }) => episode);
  assert.deepEqual(summarizeEpisodes(shuffled, columns, few), summarizeEpisodes(episodes, columns, few));
});

Deno.test("summarizeEpisodes() sorts by a headline of which less is better the other way round", () => {
  const [score, , lpips] = columns;
  const headlines = summarizeEpisodes(episodes, [lpips, score], few).map(({ metrics }) =>
    metrics[0].interval?.mean
  );
  const known = headlines.filter((value) => value !== undefined);
  assert.deepEqual(known, known.toSorted((a, b) => a - b));
  assert.deepEqual(headlines.slice(known.length), [undefined, undefined]);
});

Deno.test("summarizeEpisodes() takes another recipe and no episodes", () => {
  const other = summarizeEpisodes(episodes, columns, few).map(({ metrics }) => metrics[0].interval?.low);
  assert.notDeepEqual(other, fixture.rows.map(({ json }) => json.metrics.score.low ?? undefined));
  assert.deepEqual(summarizeEpisodes([], columns), []);
});

Deno.test("summarizeEpisodes() counts looks where there are no renders, and leaves non-finite values out", () => {
  const [row] = summarizeEpisodes(
    [{
      ...episodes[0],
      status: "complete",
      budget_used: { looks: 7 },
      score: Number.NaN,
      cost_usd: Infinity,
    }],
    columns,
  );
  assert.equal(row.renders, 7);
  assert.equal(row.metrics[0].interval, null);
  assert.equal(row.metrics[0].missing, 1);
  assert.equal(row.costUsd, null);
});

Deno.test("summaryText() shows numpy's and Python's figures in every cell, one table a kind of score", () => {
  const text = summaryText(summarizeEpisodes(episodes, columns));
  const cells = text.split("\n").filter((line) => / (medium_effort|one_shot) /.test(line))
    .map((line) => line.trim().split(/ {2,}/));
  const ofKind = (kind: string) => fixture.rows.filter(({ json }) => json.score_kind === kind);
  assert.deepEqual(cells, [...ofKind("full"), ...ofKind("partial")].map((row) => row.cells));
  assert.equal(text.split("\n").filter((line) => line.startsWith("Model")).length, 2);
  assert.doesNotMatch(text, /NaN|Infinity|null|undefined/);
});

Deno.test("summaryText() lines its columns up and says what was left out", () => {
  const text = summaryText(summarizeEpisodes(episodes, columns, few));
  const table = text.split("\n").slice(0, 7);
  assert.equal(new Set(table.map((line) => line.length)).size, 1);
  const column = table[0].indexOf("Setting");
  for (const line of table.slice(2)) assert.match(line.slice(column), /^(medium_effort|one_shot)/);
  const notes = text.split("\n\n")[1].split("\n");
  assert.deepEqual(notes, [
    "Means over tasks with 95% bootstrap intervals; calls, cost and time are means an episode.",
    "Episodes under Errors failed for infrastructure reasons; no other figure counts them.",
    "LPIPS is missing from 1 episode of gpt-6-astra, one_shot.",
    "LPIPS is missing from 1 episode of gpt-6-astra, medium_effort.",
  ]);
});

Deno.test("summaryText() as Markdown has the same cells", () => {
  const text = summaryText(summarizeEpisodes(episodes, columns), "markdown");
  const [row] = fixture.rows;
  assert.ok(text.includes(`| ${row.cells.join(" | ")} |`));
  assert.equal(summaryText([]), "");
});

Deno.test("summaryText() and summaryToJson() give a single task no interval, and others their own", () => {
  const [{ model_name, task_id }] = episodes;
  const [many, one] = [false, true].map((single) =>
    episodes.filter((episode) => !single || episode.model_name === model_name && episode.task_id === task_id)
      .map((episode) => ({ ...episode, model_name: single ? "single" : episode.model_name }))
  );
  const rows = summarizeEpisodes([...many, ...one], columns);
  const single = rows.filter(({ modelName }) => modelName === "single").map(summaryToJson);
  assert.ok(single.length > 0);
  for (const { metrics: { score } } of single) {
    assert.ok(score.mean !== null);
    assert.deepEqual([score.low, score.high, score.tasks], [null, null, 1]);
  }
  assert.deepEqual(
    rows.filter(({ modelName }) => modelName !== "single").map(summaryToJson),
    fixture.rows.map(({ json }) => json),
  );
  const lines = summaryText(rows).split("\n").filter((line) => line.startsWith("single"));
  assert.equal(lines.length, single.length);
  for (const line of lines) assert.doesNotMatch(line, /[[\]]/);
  assert.match(summaryText(rows), /95% bootstrap intervals \(none for a single task\); calls/);
  assert.doesNotMatch(summaryText(summarizeEpisodes(many, columns, few)), /single/);
});
