import assert from "node:assert/strict";
import { help, helpOn } from "../../../eval/play/tool_help.ts";
import { exampleOf } from "../../../eval/play/typed_example.ts";
import { readTyped } from "../../../eval/play/typed_call.ts";
import { TOOL_SPECS as SHADOW } from "../../../shadow/prompts.ts";
import { TOOL_SPECS as SPLAT } from "../../../splat/prompts.ts";
import { stubPlay } from "../../support/shadow_stub.ts";

Deno.test("exampleOf() gives a line that is read as a call, for every tool of both benchmarks", () => {
  for (const specs of [SHADOW, SPLAT]) {
    for (const spec of specs) {
      const typed = readTyped(exampleOf(spec), specs);
      assert.ok("call" in typed, `${exampleOf(spec)}: ${JSON.stringify(typed)}`);
      assert.equal(typed.call.name, spec.name);
    }
  }
});

Deno.test("exampleOf() gives calls that a game of hand shadows accepts as they stand", async () => {
  const episode = await stubPlay();
  for (const spec of SHADOW) {
    const typed = readTyped(exampleOf(spec), SHADOW);
    assert.ok("call" in typed);
    const { accepted, text } = await episode.call(spec.name, typed.call.arguments);
    assert.ok(accepted, `${exampleOf(spec)}: ${text}`);
  }
});

Deno.test("help() has an example of each tool, helpOn() its arguments with their ranges in a line each", () => {
  for (const specs of [SHADOW, SPLAT]) {
    const lines = help(specs).split("\n");
    for (const spec of specs) assert.ok(lines.includes(`  ${exampleOf(spec)}`), spec.name);
    const width = Math.max(...specs.map(({ name }) => helpOn(name, specs).split("\n").length));
    assert.ok(width < 30, `${width} lines`);
  }
  const turn = helpOn("turn", SHADOW);
  assert.match(turn, /^ {2}hand: "right" or "left"\.$/m);
  assert.match(turn, /^ {2}degrees: a number from -180 to 180\. Right-handed/m);
  assert.match(turn, /^ {2}frame \(optional\): "world" or "hand"\. /m);
  // The range of a joint is the hand's, not the wider one of the schema.
  assert.match(helpOn("set_f", SHADOW), /^ {4}ring\.spread: -14 to 18; \+ away from the middle finger\.$/m);
  assert.match(helpOn("render_views", SPLAT), /^ {2}views: 1 to 8 whole numbers/m);
  assert.match(helpOn("add", SPLAT), /^ {4}pos: 3 numbers from -10 to 10\. Centre/m);
});
