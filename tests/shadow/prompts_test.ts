import assert from "node:assert/strict";
import { promptsFor, USER_PROMPT } from "../../shadow/prompts.ts";
import { START_POSE } from "../../shadow/pose.ts";
import { stubPlay, stubTask } from "../support/shadow_stub.ts";

const AUTHOR = /page shows how its author holds the hands\./;
const ALONE = /page shows only this shadow and its title, and no hands\./;

Deno.test("promptsFor() promises a drawing of the hands only where the book has one", async () => {
  const bare = { ...stubTask(), bookPage: null };
  const drawn = [stubTask(), { ...bare, witness: { pose: START_POSE, path: [] } }];
  for (const task of drawn) assert.equal(promptsFor(task).user, USER_PROMPT);
  assert.match(USER_PROMPT, AUTHOR);
  const { text } = await (await stubPlay(bare)).observe();
  assert.match(text, ALONE);
  assert.doesNotMatch(text, AUTHOR);
  // Nothing else depends on it.
  assert.equal(text.replace(ALONE, ""), USER_PROMPT.replace(AUTHOR, ""));
});
