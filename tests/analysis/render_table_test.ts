import assert from "node:assert/strict";
import { cellText, tableCsv, tableJson, tableText } from "../../analysis/render_table.ts";
import {
  count,
  flatColumns,
  interval,
  money,
  number,
  percent,
  type ResultTable,
  resultTable,
  share,
  text,
} from "../../analysis/result_table.ts";

const wide = { mean: 40.25, low: -1.25, high: 57.5 };
const table: ResultTable = resultTable(
  { bench: "splat", scoreKind: "partial", id: "sample", title: "A sample", notes: ["A note."] },
  [
    { name: 'a "b", c|d', value: 1234.5, gain: wide, part: { count: 7, of: 1000 }, cost: 0.0301 },
    { name: "none", value: null, gain: { mean: 3, low: null, high: null }, part: null, cost: null },
  ],
  [
    text("name", "Name", ({ name }) => name),
    number("value", "Value", 1, ({ value }) => value),
    interval("gain", "Gain", ({ gain }) => gain, { signed: true }),
    share("part", "Part", ({ part }) => part),
    percent("part_percent", "Per cent", ({ part }) => part),
    money("cost", "Cost", ({ cost }) => cost),
    count("rows", "Rows", () => 30354),
  ],
);

Deno.test("tableText() writes dashes for no value, signs, thousands and the notes", () => {
  assert.equal(
    tableText(table, "md"),
    [
      "## A sample (sample, partial scores)",
      "",
      "| Name | Value | Gain [95% CI] | Part | Per cent | Cost | Rows |",
      "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
      '| a "b", c\\|d | 1234.5 | +40.2 [−1.2, +57.5] | 7 of 1,000 | 1% | $0.030 | 30,354 |',
      "| none | – | +3.0 | – | – | – | 30,354 |",
      "",
      "A note.",
    ].join("\n"),
  );
});

Deno.test("tableCsv() quotes, keeps full precision and leaves absent values empty", () => {
  assert.equal(
    tableCsv(table),
    [
      "name,value,gain,gain_low,gain_high,part,part_of,part_percent,cost,rows",
      '"a ""b"", c|d",1234.5,40.25,-1.25,57.5,7,1000,0.7,0.0301,30354',
      "none,,3,,,,,,,30354",
    ].join("\n"),
  );
});

Deno.test("tableJson() is one object of flat rows with the types of its columns", () => {
  const { rows, columns, ...head } = JSON.parse(tableJson(table));
  assert.deepEqual(head, {
    schema_version: 1,
    kind: "table",
    bench: "splat",
    table: "sample",
    title: "A sample",
    score_kind: "partial",
    notes: ["A note."],
  });
  assert.deepEqual(columns[6], { name: "part_of", type: "integer" });
  assert.equal(rows[1].gain_low, null);
  assert.equal(rows[0].gain_high, 57.5);
  assert.deepEqual(Object.keys(rows[0]), flatColumns(table).map(({ name }) => name));
});

Deno.test("cellText() never shows a value in the place of another kind", () => {
  assert.equal(cellText(wide, { kind: "text" }), "–");
  assert.equal(cellText(3, { kind: "text" }), "–");
  assert.equal(cellText(-0.04, { kind: "number", digits: 1, signed: true }), "0.0");
});
