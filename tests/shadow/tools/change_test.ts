import assert from "node:assert/strict";
import { stubPlay } from "../../support/shadow_stub.ts";

const PLAN = { subject: "frame", arrangement: "fingers" };

Deno.test("a movement that changes nothing says so, and is nothing to undo", async () => {
  const episode = await stubPlay();
  const nothing: [string, Record<string, unknown>][] = [
    ["move_hand", { hand: "right", by: [0, 0, 0] }],
    ["move_hand", { hand: "right", by: [-0, 0, 0] }],
    ["turn_hand", { hand: "right", axis: [1, 2, 3], degrees: 0 }],
    ["turn_hand", { hand: "right", axis: "y", degrees: 0, frame: "hand" }],
    ["set_fingers", { hand: "right", joints: { "ring.mcp": 12.3 } }],
  ];
  assert.equal((await episode.call(...nothing[0])).refusal, "no_plan");
  await episode.call("plan", PLAN);
  const moves: typeof nothing = [
    ["set_fingers", { hand: "right", joints: { "ring.mcp": 12.3 } }],
    ["turn_hand", { hand: "right", axis: [1, 2, 3], degrees: 7 }],
    ["move_hand", { hand: "right", to: [0.1, 0, 1.01] }],
  ];
  for (const [tool, args] of moves) assert.ok((await episode.call(tool, args)).accepted, tool);
  const pose = episode.pose;
  for (const [tool, args] of [...nothing, moves[2]]) {
    const { accepted, text } = await episode.call(tool, args);
    assert.ok(accepted, tool);
    assert.match(text, /^Nothing moved: the right hand is so already\.\nLeft: /);
    assert.equal((await episode.steps()).at(-1)?.state, null);
  }
  assert.equal(episode.pose, pose);
  for (const _ of moves) assert.ok((await episode.call("undo", {})).accepted);
  assert.equal((await episode.call("undo", {})).refusal, "nothing_to_undo");
});

Deno.test("two spellings of one argument are refused where they differ, and taken where they agree", async () => {
  const episode = await stubPlay();
  await episode.call("plan", PLAN);
  const start = episode.pose;
  for (
    const [tool, args, why] of [
      ["move_hand", { hand: "right", side: "left", by: [0.01, 0, 0] }, /hand and side are one, and differ/],
      [
        "move_hand",
        { hand: "right", by: [0.01, 0, 0], delta: [0, 0.01, 0] },
        /by and delta are one, and differ/,
      ],
      ["describe", { side: "left", hand: "right" }, /side and hand are one, and differ/],
    ] as const
  ) {
    const { refusal, text } = await episode.call(tool, args);
    assert.equal(refusal, "bad_value");
    assert.match(text, why);
  }
  assert.equal(episode.pose, start);
  const same = { hand: "right", side: "right", by: [0.01, 0, 0], delta: [0.01, 0, 0] };
  assert.ok((await episode.call("move_hand", same)).accepted);
});
