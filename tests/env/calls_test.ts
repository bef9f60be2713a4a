import assert from "node:assert/strict";
import {
  applyAliases,
  type CallRules,
  contradiction,
  decodeCall,
  type NotRunReason,
  whyNotRun,
} from "../../env/calls.ts";

const splatRules: CallRules = {
  arguments: { add_gaussians: ["gaussians"], submit: [] },
  unknownNames: "never-run",
};
const shadowRules: CallRules = { ...splatRules, unknownNames: "refuse" };

/** The design's table: what was sent, in which benchmark, and why it never runs (null: it runs). */
const cases: {
  what: string;
  name?: string;
  raw: string;
  cutOff?: boolean;
  done?: boolean;
  splat: NotRunReason | null;
  shadow: NotRunReason | null;
}[] = [
  { what: "valid call", raw: `{"gaussians": []}`, splat: null, shadow: null },
  { what: "no arguments at all", name: "submit", raw: "", splat: null, shadow: null },
  { what: "white space as arguments", name: "submit", raw: " \n", splat: null, shadow: null },
  { what: "a missing argument", raw: "{}", splat: null, shadow: null },
  { what: "an argument of the wrong type", raw: `{"gaussians": 3}`, splat: null, shadow: null },
  { what: "arguments that are a list", raw: "[1, 2]", splat: null, shadow: null },
  { what: "arguments that are null", raw: "null", splat: null, shadow: null },
  { what: "a cut-off call", raw: `{"gaussians": [{"po`, cutOff: true, splat: "cut_off", shadow: "cut_off" },
  { what: "a cut-off call that is JSON", raw: "{}", cutOff: true, splat: "cut_off", shadow: "cut_off" },
  { what: "a trailing comma", raw: `{"gaussians": [],}`, splat: "invalid_json", shadow: "invalid_json" },
  { what: "prose", raw: "add one in the middle", splat: "invalid_json", shadow: "invalid_json" },
  {
    what: "a call after the end",
    raw: `{"gaussians": []}`,
    done: true,
    splat: "after_end",
    shadow: "after_end",
  },
  { what: "an unknown tool", name: "paint", raw: "{}", splat: "unknown_tool", shadow: null },
  { what: "an inherited name as a tool", name: "toString", raw: "{}", splat: "unknown_tool", shadow: null },
  { what: "an unknown argument", raw: `{"splats": []}`, splat: "unknown_argument", shadow: null },
  {
    what: "an argument for a tool without",
    name: "submit",
    raw: `{"x": 1}`,
    splat: "unknown_argument",
    shadow: null,
  },
  { what: "__proto__ as an argument", raw: `{"__proto__": 1}`, splat: "unknown_argument", shadow: null },
];

function outcome(row: typeof cases[number], rules: CallRules): NotRunReason | null {
  const name = row.name ?? "add_gaussians";
  const decoded = decodeCall({ name, arguments: row.raw, cutOff: row.cutOff ?? false });
  if ("reason" in decoded) return decoded.reason;
  return whyNotRun(name, decoded.args, row.done ?? false, rules)?.reason ?? null;
}

for (const row of cases) {
  Deno.test(`which calls run: ${row.what}`, () => {
    assert.equal(outcome(row, splatRules), row.splat);
    assert.equal(outcome(row, shadowRules), row.shadow);
  });
}

Deno.test("whyNotRun() answers in one bounded line when a name is enormous", () => {
  const text = whyNotRun("x".repeat(1e6), {}, false, splatRules)?.text ?? "";
  assert.ok(text.length < 300 && !text.includes("\n"));
});

Deno.test("applyAliases() renames accepted spellings and keeps the first when both are given", () => {
  const aliases = { group_name: "group" };
  assert.deepEqual(applyAliases({ group_name: "a", ids: [1] }, aliases), { group: "a", ids: [1] });
  assert.deepEqual(applyAliases({ group_name: "a", group: "b" }, aliases), { group: "a" });
  assert.deepEqual(applyAliases({ constructor: 1 }, aliases), { constructor: 1 });
});

Deno.test("contradiction() names two spellings of one argument whose values differ", () => {
  const aliases = { side: "hand", delta: "by", translate: "by" };
  assert.deepEqual(contradiction({ hand: "right", side: "left" }, aliases), ["hand", "side"]);
  assert.deepEqual(contradiction({ translate: [1, 0, 0], delta: [0, 1, 0] }, aliases), [
    "translate",
    "delta",
  ]);
  assert.deepEqual(contradiction({ translate: [1], delta: [1], by: [2] }, aliases), ["translate", "by"]);
  assert.equal(contradiction({ hand: "left", side: "left", delta: [1, 2, 3], by: [1, 2, 3] }, aliases), null);
  assert.equal(contradiction({ constructor: 1, toString: 2 }, aliases), null);
});
