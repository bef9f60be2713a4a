import assert from "node:assert/strict";
import { TOOLS } from "../../shadow/tools/table.ts";
import { stubPlay, stubTask } from "../support/shadow_stub.ts";

Deno.test("every tool names an argument that it does not take, and those that it takes", async () => {
  const episode = await stubPlay(stubTask());
  for (const { name, argumentNames } of TOOLS) {
    const { accepted, refusal, text } = await episode.call(name, { reason: "why not" });
    assert.deepEqual([accepted, refusal], [false, "unknown_field"]);
    const listed = argumentNames.length > 0 ? `fields: ${argumentNames.join(", ")}` : "there are none";
    assert.ok(text.includes(`arguments: has no field "reason" (${listed})`), text);
  }
});

Deno.test("a slip in the name of an argument is told with the name that was meant", async () => {
  const episode = await stubPlay();
  for (
    const [tool, args, meant] of [
      ["turn_hand", { hand: "right", axis: "z", degree: 10 }, "degrees"],
      ["set_fingers", { hand: "right", joint: { "ring.mcp": 10 } }, "joints"],
      ["look", { views: "front" }, "view"],
    ] as const
  ) {
    const { text } = await episode.call(tool, args);
    assert.match(text, new RegExp(`has no field "\\w+"; did you mean ${meant}\\? \\(fields: `));
  }
});
