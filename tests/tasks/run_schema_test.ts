import assert from "node:assert/strict";
import { runRecordSchema, transcriptLineSchema } from "../../tasks/run_schema.ts";

const run = {
  schema_version: 1,
  bench: "splat",
  setting: "medium_effort",
  created: "2026-01-15T10:00:00.000Z",
  env_fingerprint: "e",
  profile: { render: { dilation: 0.3 } },
  profile_hash: "p",
  prompt_hash: "h",
  data_revision: null,
  commit: null,
  device: "llvmpipe",
  models: { "gpt-6.1-sol": { baseUrl: "https://api.example.com/v1", effort: "medium" } },
  options: {
    tasks: ["table__sculpt"],
    runs: 2,
    protocol: "standard",
    effort: "medium",
    prompt_hashes: { table__sculpt: "h1" },
    task_hashes: { table__sculpt: "c1" },
    task_sources: {},
    metrics: "partial",
  },
};

const call = { id: "c1", name: "submit", arguments: '{"torn', cut_off: true };
const answered = { usage: null, cost_usd: null, finish_reason: null };
const usage = { input_tokens: 9, cached_input_tokens: 0, output_tokens: 4, reasoning_tokens: 1 };

/** A conversation with every kind of message. */
const lines = [
  { turn: 0, message: { role: "system", text: "You build." }, ...answered },
  {
    turn: 0,
    message: { role: "user", parts: [{ type: "text", text: "Here" }, { type: "image", key: "ab12" }] },
    ...answered,
  },
  {
    turn: 1,
    message: { role: "assistant", text: null, calls: [call], raw: { content: null, refusal: [1, "x"] } },
    usage,
    cost_usd: 0.25,
    finish_reason: "length",
  },
  {
    turn: 1,
    message: { role: "tool", call_id: "c1", text: "Not run: …", step: null, not_run: "cut_off" },
    ...answered,
  },
  {
    turn: 2,
    message: { role: "tool", call_id: "c2", text: "Added 1.", step: 1, not_run: null },
    ...answered,
  },
].map((line) => ({ schema_version: 1, ...line }));

Deno.test("runRecordSchema keeps every field of run.json, further options included", () => {
  assert.deepEqual(runRecordSchema.parse(JSON.parse(JSON.stringify(run))), run);
});

Deno.test("runRecordSchema refuses a run.json without any one of its fields", () => {
  for (const field of Object.keys(run)) {
    const { [field]: _, ...rest } = Object.fromEntries(Object.entries(run));
    const issues = runRecordSchema.safeParse(rest).error?.issues.map(({ path }) => path[0]);
    assert.deepEqual(issues, [field]);
  }
});

Deno.test("runRecordSchema refuses a later schema_version and a run without tasks", () => {
  assert.equal(runRecordSchema.safeParse({ ...run, schema_version: 2 }).success, false);
  assert.equal(runRecordSchema.safeParse({ ...run, options: { runs: 1 } }).success, false);
});

Deno.test("transcriptLineSchema keeps every kind of message as it is", () => {
  for (const line of lines) {
    assert.deepEqual(transcriptLineSchema.parse(JSON.parse(JSON.stringify(line))), line);
  }
});

Deno.test("transcriptLineSchema wants either a step or a reason in a tool result", () => {
  const tool = { role: "tool", call_id: "c1", text: "" };
  for (const [step, not_run] of [[null, null], [3, "after_end"], [0, null], [null, "tired"]]) {
    const line = { ...lines[0], message: { ...tool, step, not_run } };
    assert.equal(transcriptLineSchema.safeParse(line).success, false, `${step}, ${not_run}`);
  }
});
