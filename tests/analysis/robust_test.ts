import assert from "node:assert/strict";
import { analyze } from "../../analysis/analyze.ts";
import { DEFAULT_RECIPE } from "../../analysis/bootstrap.ts";
import { playedEpisodes, type PlayedRow } from "../../analysis/played_episode.ts";
import { tableCsv, tableJson, tableText } from "../../analysis/render_table.ts";
import type { BenchId } from "../../tasks/tables.ts";

const few = { ...DEFAULT_RECIPE, resamples: 200 };
type Row = PlayedRow & { setting: string };

function row(model: string, setting: string, task: string, run: number, more: Partial<Row> = {}): Row {
  return {
    episode_id: `${model}__${task}__${setting}_r${run}`,
    model_name: model,
    setting,
    task_id: task,
    score: 10 * model.length + task.length + run,
    cost_usd: 0.5,
    status: "complete",
    ...more,
  };
}

/** Every table drawn in every format: nothing throws, nothing is not a number. */
function drawn(bench: BenchId, rows: Row[]): Map<string, string> {
  const texts = new Map<string, string>();
  const input = {
    bench,
    episodes: playedEpisodes(bench, rows),
    references: new Map(),
    titles: new Map(),
    steps: null,
  };
  for (const { tables } of analyze(input, { recipe: few })) {
    for (const table of tables) {
      const all = [tableText(table, "text"), tableText(table, "md"), tableCsv(table), tableJson(table)];
      for (const text of all) assert.doesNotMatch(text, /NaN|Infinity|undefined|\[object/, table.id);
      texts.set(`${table.id} ${table.scoreKind}`, all[0]);
    }
  }
  return texts;
}

const settings = ["medium_effort", "max_effort", "one_shot"];
const grid = (models: string[], tasks: string[]) =>
  models.flatMap((model) => settings.flatMap((setting) => tasks.map((task) => row(model, setting, task, 1))));

for (const bench of ["splat", "shadow"] as const) {
  Deno.test(`analyze() of ${bench} gives no table for no episode`, () => {
    assert.equal(drawn(bench, []).size, 0);
  });

  Deno.test(`analyze() of ${bench} shows one episode without an interval`, () => {
    const texts = drawn(bench, [row("one", "medium_effort", "table__sculpt", 1)]);
    assert.match(texts.get("settings full") ?? "", /medium_effort +one +44\.0 +\$0\.50/);
    assert.doesNotMatch(texts.get("settings full") ?? "", /44\.0 \[/);
  });

  Deno.test(`analyze() of ${bench} shows one task, and scores that are all the same`, () => {
    drawn(bench, grid(["a", "bb"], ["table__sculpt"]));
    const same = drawn(bench, grid(["a", "bb"], ["t1", "t2", "t3"]).map((one) => ({ ...one, score: 7 })));
    assert.match(same.get("settings full") ?? "", /7\.0 \[7\.0, 7\.0\]/);
    assert.match(same.get(`pairs_${bench === "splat" ? "medium" : "max"}_effort full`) ?? "", /0 of 3 +3$/m);
  });

  Deno.test(`analyze() of ${bench} compares a model that misses half the tasks on those it has`, () => {
    const rows = grid(["a", "bb"], ["t1", "t2", "t3", "t4"])
      .filter(({ model_name, task_id }) => model_name === "a" || task_id < "t3");
    const texts = drawn(bench, rows);
    assert.match(
      texts.get(`pairs_${bench === "splat" ? "medium" : "max"}_effort full`) ?? "",
      /bb +a .* 2 of 2/,
    );
  });

  Deno.test(`analyze() of ${bench} counts failed episodes and nothing else of them`, () => {
    const rows = grid(["a"], ["t1", "t2"]);
    const failed = row("a", "medium_effort", "t1", 2, { status: "error", score: null, cost_usd: null });
    const text = drawn(bench, [...rows, failed]).get("settings full") ?? "";
    assert.match(text, /medium_effort +a +13\.0 \[13\.0, 13\.0\] +\$0\.50 +– +2 +3 +1 /);
    const none = drawn(bench, [failed]);
    assert.match(none.get("settings full") ?? "", /medium_effort +a +– +– +– +0 +1 +1 /);
  });

  Deno.test(`analyze() of ${bench} never mixes kinds of score in a table`, () => {
    const rows = [
      ...grid(["full"], ["t1", "t2"]),
      ...grid(["part"], ["t1", "t2"]).map((one) => ({ ...one, score_kind: "partial" as const })),
    ];
    for (const [id, text] of drawn(bench, rows)) {
      assert.doesNotMatch(text, id.endsWith(" full") ? /\bpart\b/ : /\bfull\b/, id);
    }
  });

  Deno.test(`analyze() of ${bench} does not depend on the order of the rows, and leaves out what splits lack`, () => {
    const rows = grid(["a", "bb"], ["t1", "t2", "t3"]);
    assert.deepEqual(drawn(bench, rows), drawn(bench, [...rows].reverse()));
    const only = rows.filter(({ setting }) => setting === "max_effort");
    const texts = drawn(bench, only);
    assert.ok(texts.has("settings full"));
    assert.ok(!texts.has("one_shot full") && !texts.has("effort_gain full"));
  });
}
