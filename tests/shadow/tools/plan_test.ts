import assert from "node:assert/strict";
import { stubPlay } from "../../support/shadow_stub.ts";

for (
  const [text, why] of [
    ["x".repeat(1_000_001), /subject: must have at most 4000 characters/],
    ["x".repeat(4001), /subject: must have at most 4000 characters/],
    ["  \t\n\u00a0 ", /subject: must hold words/],
    ["", /subject: must have at least 1 character/],
  ] as const
) {
  Deno.test(`plan is refused for a text of ${text.length} characters that says nothing or too much`, async () => {
    const episode = await stubPlay();
    const plan = { subject: text, arrangement: "one hand" };
    const { refusal, text: said } = await episode.call("plan", plan);
    assert.equal(refusal, "bad_value");
    assert.match(said, why);
    // What was logged is refused as what was sent.
    const [{ arguments: logged }] = (await episode.steps()).slice(-1);
    const again = await (await stubPlay()).call("plan", logged);
    assert.deepEqual([again.refusal, again.text], ["bad_value", said]);
    assert.equal((await episode.call("move_hand", { hand: "left", by: [0.01, 0, 0] })).refusal, "no_plan");
  });
}

Deno.test("plan takes 4000 characters, blanks among them", async () => {
  const episode = await stubPlay();
  const plan = { subject: `${" ".repeat(3999)}x`, arrangement: "one hand" };
  assert.ok((await episode.call("plan", plan)).accepted);
});
