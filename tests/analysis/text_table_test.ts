import assert from "node:assert/strict";
import { duration, fixed, meanWithInterval, money } from "../../analysis/number_format.ts";
import { markdownTable, textTable } from "../../analysis/text_table.ts";
import fixture from "../fixtures/summary.json" with { type: "json" };

Deno.test("fixed() rounds as Python's format does, ties to even, with a typographic minus", () => {
  for (const [value, digits, text] of fixture.formatted) {
    assert.equal(fixed(Number(value), Number(digits)), text, `${value}, ${digits}`);
  }
});

Deno.test("numbers that are not there or not finite read as a dash", () => {
  for (const value of [null, Number.NaN, Infinity, -Infinity]) {
    assert.deepEqual([fixed(value, 1), money(value), duration(value)], ["–", "–", "–"]);
  }
  assert.equal(meanWithInterval(null, 1), "–");
});

Deno.test("meanWithInterval() and money() read as in the published tables", () => {
  assert.equal(meanWithInterval({ mean: 3.6, low: -5.8, high: 12.4 }, 1), "3.6 [−5.8, 12.4]");
  assert.equal(meanWithInterval({ mean: 3.6, low: null, high: null }, 1), "3.6");
  const published = ["$1.69", "$0.26", "$0.030", "$0.41", "$0.012", "$0.098", "$7.13", "$0.34"];
  assert.deepEqual([1.69, 0.26, 0.0301, 0.409, 0.012, 0.0984, 7.13, 0.3399].map(money), published);
  assert.deepEqual([0, 0.000012, 1234.5].map(money), ["$0.00", "$0.000012", "$1234.50"]);
});

Deno.test("duration() picks seconds, minutes or hours", () => {
  assert.deepEqual(
    [0, 0.43, 9.96, 12.4, 59.4, 59.6, 396, 3240, 9000].map(duration),
    ["0.0 s", "0.4 s", "10 s", "12 s", "59 s", "1.0 min", "6.6 min", "54.0 min", "2.5 h"],
  );
});

const columns = [{ title: "Model", align: "left" }, { title: "Score", align: "right" }] as const;

Deno.test("textTable() aligns by characters and leaves no blanks at line ends", () => {
  assert.equal(
    textTable([...columns, { title: "Note", align: "left" }], [["a🖐b", "−5.8", ""], [
      "long name",
      "12.3",
      "x",
    ]]),
    [
      "Model      Score  Note",
      "─────────  ─────  ────",
      "a🖐b         −5.8",
      "long name   12.3  x",
    ].join("\n"),
  );
});

Deno.test("markdownTable() escapes bars", () => {
  assert.equal(markdownTable(columns, [["a|b", "1"]]), "| Model | Score |\n| --- | ---: |\n| a\\|b | 1 |");
});

Deno.test("textTable() and markdownTable() keep a row in a line, with control characters that are seen", () => {
  const rows = [["a\nb\u001b[31m\u007f", "1"]];
  assert.equal(textTable(columns, rows).split("\n").at(-1), "a b␛[31m␡      1");
  assert.equal(markdownTable(columns, rows).split("\n").at(-1), "| a b␛[31m␡ | 1 |");
  const long = [["🖐".repeat(100_000), "1"], ["z".repeat(160), "2"]];
  assert.equal(
    markdownTable(columns, long).split("\n").slice(2).join("\n"),
    `| ${"🖐".repeat(159)}… | 1 |\n| ${"z".repeat(160)} | 2 |`,
  );
});
