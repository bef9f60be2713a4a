import assert from "node:assert/strict";
import { type AnalysisInput, analyze } from "../../analysis/analyze.ts";
import { compareRuns } from "../../analysis/compare.ts";
import { taskFacts } from "../../analysis/load_input.ts";
import { playedEpisodes } from "../../analysis/played_episode.ts";
import { flatColumns } from "../../analysis/result_table.ts";
import { stepFacts } from "../../analysis/shadow/step_facts.ts";
import { intervalOf } from "../../analysis/task_means.ts";
import { readRow } from "../../tasks/table.ts";
import { type BenchId, TABLES } from "../../tasks/tables.ts";
import fixture from "../fixtures/analysis.json" with { type: "json" };
import { unpacked } from "../support/packed_rows.ts";
import { shadowRows, shadowStepRows, splatRows } from "./pandas_input.ts";

type Expected = Record<string, { columns: string[]; rows: unknown[][] }>;

function episodesOf(bench: BenchId, rows: readonly unknown[]) {
  return playedEpisodes(
    bench,
    rows.map((row, at) => {
      const place = { file: "fixture", row: at };
      const read = bench === "splat"
        ? readRow(TABLES.splat.episodes, row, place)
        : readRow(TABLES.shadow.episodes, row, place);
      return { ...read, setting: read.setting ?? "none" };
    }),
  );
}

const tasksOf = (bench: BenchId, rows: readonly unknown[]) =>
  taskFacts(bench, rows.map((row, at) => readRow(TABLES.splat.tasks, row, { file: "fixture", row: at })));

const splat: AnalysisInput = {
  bench: "splat",
  episodes: episodesOf("splat", splatRows()),
  ...tasksOf("splat", unpacked(fixture.splat.tasks)),
  steps: null,
};
const shadow: AnalysisInput = {
  bench: "shadow",
  episodes: episodesOf("shadow", shadowRows()),
  ...tasksOf("shadow", unpacked(fixture.shadow.tasks)),
  steps: await stepFacts(shadowStepRows()),
};

/** Texts equal, numbers to the last bits that another order of additions leaves. */
function sameTables(input: AnalysisInput, expected: Expected) {
  const [{ tables, omissions }] = analyze(input);
  assert.deepEqual(omissions, []);
  assert.deepEqual(tables.map(({ id }) => id), Object.keys(expected));
  for (const table of tables) {
    const { columns, rows } = expected[table.id];
    const ours = flatColumns(table);
    assert.deepEqual(ours.map(({ name }) => name), columns, table.id);
    assert.equal(table.rows.length, rows.length, table.id);
    rows.forEach((row, at) =>
      row.forEach((wanted, column) => {
        const { name, values } = ours[column];
        const place = `${table.id}, row ${at}, ${name}`;
        const value = values[at];
        if (typeof wanted !== "number" || typeof value !== "number") assert.equal(value, wanted, place);
        else {assert.ok(
            Math.abs(value - wanted) <= 1e-9 * Math.max(1, Math.abs(wanted)),
            `${place}: ${value}, ${wanted}`,
          );}
      })
    );
  }
}

Deno.test("analyze() equals pandas in every cell of every table of SplatBench", () => {
  sameTables(splat, fixture.splat.tables);
});

Deno.test("analyze() equals pandas in every cell of every table of ShadowBench", () => {
  sameTables(shadow, fixture.shadow.tables);
});

Deno.test("compareRuns() equals pandas", () => {
  const side = (model: string) => ({
    model,
    setting: "medium_effort",
    episodes: splat.episodes.filter((episode) =>
      episode.model === model && episode.setting === "medium_effort"
    ),
  });
  const { pair, gain, resolvable } = compareRuns(side("beta-2"), side("alpha"), "full", intervalOf());
  assert.deepEqual(pair.tasks, fixture.compare.tasks);
  assert.deepEqual([gain?.mean, gain?.low, gain?.high], fixture.compare.difference);
  assert.equal(pair.better.count, fixture.compare.wins);
  assert.ok(Math.abs((resolvable ?? NaN) - fixture.compare.resolvable) < 1e-9);
});
