import assert from "node:assert/strict";
import { episodeRecordSchema, stepRecordSchema } from "../../env/records.ts";

const step = {
  schema_version: 1,
  episode_id: "m@medium/hare",
  step: 3,
  tool: "look",
  arguments: { view: "front" },
  accepted: false,
  refusal: "over_budget",
  response: "Refused: no looks left.",
  image: "ab12",
  state: [{ q: [0.125] }],
  hidden_score: 31.5,
  score_before_peeks: 33.5,
  hidden: { iou: 0.75 },
  budgets: { calls: 97, looks: 0 },
  done: false,
};

const episode = {
  schema_version: 1,
  episode_id: "m__table__sculpt__eval_r2",
  bench: "splat",
  model_name: "m",
  task_id: "table__sculpt",
  setting: "medium_effort",
  protocol: "standard",
  run: 2,
  effort_subset: true,
  status: "complete",
  ended_by: "submit",
  error: null,
  score: 42.5,
  score_kind: "full",
  metrics: { psnr: 21.5, ssim: 0.75, lpips: 0.25 },
  reward: 0.425,
  steps: 4,
  calls: 3,
  budget_used: { calls: 3, renders: 1 },
  tool_calls: { add_gaussians: 2, submit: 1 },
  refusals: { bad_value: 1 },
  calls_not_run: { cut_off: 1 },
  curve: [{ step: 0, score: 0, metrics: { psnr: 10.5 } }],
  plans: ["a hare: ears up"],
  closing_message: "Done.",
  details: { part_errors: [{ group: "a", distance: 0.5 }] },
  final_state: [{ id: 1 }],
  usage: { input_tokens: 5, cached_input_tokens: 1, output_tokens: 2, reasoning_tokens: 1 },
  cost_usd: 0.125,
  seconds: 1.5,
  context_compacted: true,
  env_fingerprint: "e",
  profile_hash: "p",
  device: "llvmpipe",
};

/** Their values may be anything, so that the schema cannot tell a missing one. */
const ANYTHING = ["arguments", "state", "final_state"];

for (
  const { name, schema, record } of [
    { name: "stepRecordSchema", schema: stepRecordSchema, record: step },
    { name: "episodeRecordSchema", schema: episodeRecordSchema, record: episode },
  ]
) {
  Deno.test(`${name} keeps every field of the contract and has no other`, () => {
    assert.deepEqual(schema.parse(JSON.parse(JSON.stringify(record))), record);
    assert.deepEqual(Object.keys(schema.shape).sort(), Object.keys(record).sort());
  });

  Deno.test(`${name} refuses a record without any one of its fields, and a later version`, () => {
    for (const field of Object.keys(record).filter((field) => !ANYTHING.includes(field))) {
      const { [field]: _, ...rest } = Object.fromEntries(Object.entries(record));
      assert.deepEqual(schema.safeParse(rest).error?.issues.map(({ path }) => path[0]), [field]);
    }
    assert.equal(schema.safeParse({ ...record, schema_version: 2 }).success, false);
  });
}

Deno.test("records refuse numbers that JSON cannot hold", () => {
  for (const bad of [Number.NaN, Infinity]) {
    assert.equal(stepRecordSchema.safeParse({ ...step, hidden: { psnr: bad } }).success, false);
    assert.equal(stepRecordSchema.safeParse({ ...step, hidden_score: bad }).success, false);
    assert.equal(episodeRecordSchema.safeParse({ ...episode, score: bad }).success, false);
  }
});
