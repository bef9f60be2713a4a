import assert from "node:assert/strict";
import type { z } from "zod";
import {
  type EpisodeRecord,
  episodeRecordSchema,
  type StepRecord,
  stepRecordSchema,
} from "../../env/records.ts";
import { shadowEpisodeRow, shadowStepRow } from "../../tasks/shadow_tables.ts";
import { splatEpisodeRow, splatStepRow } from "../../tasks/splat_tables.ts";
import { readRow, type Table } from "../../tasks/table.ts";
import { LEADERBOARD_SPLIT, SETTINGS, TABLES, TASKS_SPLIT } from "../../tasks/tables.ts";

const where = { file: "episodes/medium_effort-00000-of-00001.parquet", row: 7 };
const gaussian = {
  id: 3,
  pos: [0, 0, 0.1],
  scale: [0.45, 0.35, 0.03],
  quat: [1, 0, 0, 0],
  color: [0.5, 0.37, 0.19],
  opacity: 0.9,
  group: null,
};
const camera = { R: [[1, 0, 0], [0, 1, 0], [0, 0, 1]], t: [0, 0, 2], fx: 280, fy: 280, cx: 128, cy: 128 };
const pose = {
  q: Array.from({ length: 46 }, (_, i) => i / 100),
  positions: [[0.1, 0, 0.5], [-0.1, 0, 0.5]],
  quaternions: [[1, 0, 0, 0], [0, 1, 0, 0]],
};
const image = { bytes: new Uint8Array([137, 80, 78, 71]), path: null };

/** The least that each published table has: the columns that its description names. */
const PUBLISHED = {
  splat: {
    leaderboard: { model_name: "gpt-6-astra", score: 49.6 },
    episodes: {
      episode_id: "gpt-6-astra__table__sculpt__eval_r2",
      model_name: "gpt-6-astra",
      task_id: "table__sculpt",
      score: 51.2,
      cost_usd: 1.69,
      input_tokens: 120_000n,
    },
    steps: {
      episode_id: "gpt-6-astra__table__sculpt__eval_r2",
      step: 4n,
      tool: "add_gaussians",
      arguments: '{"gaussians": []}',
      accepted: true,
      hidden_score: 12.5,
      response: "Added 1.",
      image: null,
      scene: [gaussian],
    },
    transcripts: {
      episode_id: "gpt-6-astra__table__sculpt__eval_r2",
      messages: [{ role: "system", content: "…" }, { role: "tool", content: "Added 1.", step: 1n }],
    },
    tasks: { task_id: "table__sculpt", effort_subset: true, reference_cameras: [camera] },
  },
  shadow: {
    leaderboard: { model_name: "claude-opus-5.5", score: 48.8 },
    episodes: {
      episode_id: "claude-opus-5.5@max/hilliar_giraffe",
      model_name: "claude-opus-5.5",
      task_id: "hilliar_giraffe",
      score: 68.3,
      cost_usd: 7.13,
      input_tokens: 900_000n,
      env_fingerprint: "b49f3ca99522",
    },
    steps: {
      episode_id: "claude-opus-5.5@max/hilliar_giraffe",
      step: 9n,
      tool: "look",
      arguments: '{"view": "front"}',
      accepted: true,
      hidden_score: 31.5,
      score_before_peeks: 33.5,
      response: "Four panels.",
      image,
      pose,
    },
    transcripts: {
      episode_id: "claude-opus-5.5@max/hilliar_giraffe",
      messages: [{ role: "assistant", tool_calls: [] }],
    },
    tasks: { task_id: "hilliar_giraffe", title: "Giraffe" },
  },
};

const TABLE_NAMES = ["leaderboard", "episodes", "steps", "transcripts", "tasks"] as const;

/** The columns that the descriptions name, and the state that they describe. */
const REQUIRED = {
  splat: {
    leaderboard: ["model_name", "score"],
    episodes: ["episode_id", "model_name", "task_id", "score", "cost_usd", "input_tokens"],
    steps: [
      "episode_id",
      "step",
      "tool",
      "arguments",
      "accepted",
      "response",
      "image",
      "hidden_score",
      "scene",
    ],
    transcripts: ["episode_id", "messages"],
    tasks: ["task_id"],
  },
  shadow: {
    leaderboard: ["model_name", "score"],
    episodes: [
      "episode_id",
      "model_name",
      "task_id",
      "score",
      "cost_usd",
      "input_tokens",
      "env_fingerprint",
    ],
    steps: [
      "episode_id",
      "step",
      "tool",
      "arguments",
      "accepted",
      "response",
      "image",
      "hidden_score",
      "score_before_peeks",
      "pose",
    ],
    transcripts: ["episode_id", "messages"],
    tasks: ["task_id"],
  },
};

function everyTable() {
  return (["splat", "shadow"] as const).flatMap((bench) =>
    TABLE_NAMES.map((name) => {
      const table: Table<z.ZodObject> = TABLES[bench][name];
      const published: Record<string, unknown> = PUBLISHED[bench][name];
      return { bench, name, table, published };
    })
  );
}

Deno.test("readRow() reads the least that each of the ten published tables has", () => {
  for (const { bench, name, table, published } of everyTable()) {
    const row = readRow(table, published, where);
    assert.equal(row.schema_version, 1, `${bench} ${name}`);
    for (const [column, value] of Object.entries(published)) {
      assert.ok(column in row, `${bench} ${name} drops ${column}`);
      if (typeof value === "bigint") assert.equal(row[column], Number(value));
    }
  }
});

Deno.test("readRow() names file, row, column and the columns there when a required one is missing", () => {
  for (const { bench, name, table, published } of everyTable()) {
    for (const column of REQUIRED[bench][name]) {
      const { [column]: _, ...rest } = published;
      assert.throws(() => readRow(table, rest, where), {
        name: "BenchError",
        message:
          `Cannot read row 7 of ${where.file} as a row of ${bench} ${name}: column ${column} is missing; ` +
          `the columns there are ${Object.keys(rest).join(", ")}. ` +
          `Give that column, or check that the file is a ${name} table of ${bench}`,
      });
    }
  }
  assert.throws(() => readRow(TABLES.splat.steps, {}, where), /column episode_id is missing; .* are none/);
  assert.throws(() => readRow(TABLES.splat.steps, null, where), /not an object/);
});

Deno.test("readRow() requires every column that the descriptions name, and no other", () => {
  for (const { bench, name, table } of everyTable()) {
    const issues = table.schema.safeParse({}).error?.issues ?? [];
    assert.deepEqual(issues.map(({ path }) => path[0]).sort(), REQUIRED[bench][name].toSorted());
  }
});

Deno.test("readRow() takes columns under their aliases, and the true name where both are there", () => {
  const { model_name, ...rest } = PUBLISHED.splat.episodes;
  const row = readRow(TABLES.splat.episodes, { ...rest, model: model_name, time_s: 396 }, where);
  assert.equal(row.model_name, "gpt-6-astra");
  assert.equal(row.seconds, 396);
  for (
    const both of [{ model: "x", ...PUBLISHED.splat.episodes }, { ...PUBLISHED.splat.episodes, model: "x" }]
  ) {
    assert.equal(readRow(TABLES.splat.episodes, both, where).model_name, "gpt-6-astra");
  }
});

Deno.test("every alias leads to a column, and no alias hides one", () => {
  for (const tables of Object.values(TABLES)) {
    // The common aliases name columns that some of a benchmark's tables have.
    const known = new Set(Object.values(tables).flatMap(({ schema }) => Object.keys(schema.shape)));
    for (const { schema, aliases, bench, name } of Object.values<Table<z.ZodObject>>(tables)) {
      for (const [alias, column] of Object.entries(aliases)) {
        assert.ok(!Object.hasOwn(schema.shape, alias), `${bench} ${name}: ${alias}`);
        assert.ok(known.has(column), `${bench} ${name}: ${alias} → ${column}`);
      }
    }
  }
});

Deno.test("readRow() takes JSON columns as text, nulls in optional columns and NaN as absent", () => {
  const step = {
    ...PUBLISHED.splat.steps,
    scene: JSON.stringify([gaussian]),
    hidden_score: Number.NaN,
    hidden: null,
  };
  const row = readRow(TABLES.splat.steps, step, where);
  assert.deepEqual(row.scene, [gaussian]);
  assert.equal(row.hidden_score, null);
  assert.equal("hidden" in row, false);
  const episode = readRow(TABLES.splat.episodes, { ...PUBLISHED.splat.episodes, seconds: Number.NaN }, where);
  assert.equal("seconds" in episode, false);
});

Deno.test("readRow() says where inside a column a value is wrong", () => {
  const wrong = [
    [{ scene: [gaussian, { ...gaussian, quat: [1, 0, "x", 0] }] }, /column scene\[1\]\.quat\[2\] is "x": /],
    [{ scene: "[{" }, /column scene is "\[\{": wanted valid JSON/],
    [{ step: -1 }, /column step is -1: /],
    [{ step: 2n ** 60n }, /column step is 1152921504606846976: /],
    [{ schema_version: 2 }, /column schema_version is 2: /],
    [{ hidden_score: Infinity }, /column hidden_score is null: /],
    [{ image: { bytes: "png", path: null } }, /column image\.bytes is "png": /],
  ] as const;
  for (const [change, message] of wrong) {
    assert.throws(() => readRow(TABLES.splat.steps, { ...PUBLISHED.splat.steps, ...change }, where), message);
  }
  const bent = { ...PUBLISHED.shadow.steps, pose: { ...pose, q: pose.q.slice(1) } };
  assert.throws(() => readRow(TABLES.shadow.steps, bent, where), /column pose\.q is /);
});

const episode: EpisodeRecord = episodeRecordSchema.parse({
  schema_version: 1,
  episode_id: "builtin:mean__table__sculpt__eval_r1",
  bench: "splat",
  model_name: "builtin:mean",
  task_id: "table__sculpt",
  setting: "medium_effort",
  protocol: "standard",
  run: 1,
  effort_subset: true,
  status: "complete",
  ended_by: "submit",
  error: null,
  score: null,
  score_kind: "partial",
  metrics: { psnr: 12.5, ssim: 0.75 },
  reward: null,
  steps: 3,
  calls: 2,
  budget_used: { calls: 2, renders: 0 },
  tool_calls: { add_gaussians: 1, submit: 1 },
  refusals: {},
  calls_not_run: { cut_off: 1 },
  curve: [{ step: 0, score: null, metrics: { psnr: 10.25 } }],
  plans: [],
  closing_message: null,
  details: { part_errors: null },
  final_state: [gaussian],
  usage: { input_tokens: 5, cached_input_tokens: 1, output_tokens: 2, reasoning_tokens: 0 },
  cost_usd: null,
  seconds: 1.5,
  context_compacted: false,
  env_fingerprint: "e",
  profile_hash: "p",
  device: "llvmpipe",
});

const step: StepRecord = stepRecordSchema.parse({
  schema_version: 1,
  episode_id: episode.episode_id,
  step: 1,
  tool: "add_gaussians",
  arguments: { gaussians: [{ pos: [0, 0, 0.1] }] },
  accepted: false,
  refusal: "bad_value",
  response: "Refused: …",
  image: null,
  state: null,
  hidden_score: null,
  score_before_peeks: null,
  hidden: { psnr: 10.25 },
  budgets: { calls: 39 },
  done: false,
});

/** As a JSON reader sees a row. */
const read = (row: unknown): unknown => JSON.parse(JSON.stringify(row));

Deno.test("rows of our own episodes hold every field of the record and read back equal", () => {
  const splat = splatEpisodeRow(episode);
  const shadow = shadowEpisodeRow({ ...episode, bench: "shadow", final_state: pose }, null);
  assert.deepEqual(readRow(TABLES.splat.episodes, read(splat), where), splat);
  assert.deepEqual(readRow(TABLES.shadow.episodes, read(shadow), where), shadow);
  const { usage, final_state: _, ...fields } = episode;
  assert.deepEqual(splat, { ...fields, ...usage, final_scene: [gaussian] });
  assert.deepEqual(shadow.final_pose, pose);
});

Deno.test("rows of our own steps hold every field of the record and read back equal", () => {
  const scene = TABLES.splat.steps.schema.shape.scene.parse([gaussian]);
  const splat = splatStepRow(step, scene, null);
  assert.deepEqual(readRow(TABLES.splat.steps, read(splat), where), splat);
  const { state: _, score_before_peeks, ...fields } = step;
  assert.deepEqual(splat, { ...fields, arguments: '{"gaussians":[{"pos":[0,0,0.1]}]}', scene: [gaussian] });
  const shadow = shadowStepRow(step, TABLES.shadow.steps.schema.shape.pose.parse(pose), image);
  const { scene: __, ...shared } = splatStepRow(step, [], image);
  assert.deepEqual(shadow, { ...shared, score_before_peeks, pose });
});

Deno.test("SETTINGS lists the published splits", () => {
  assert.deepEqual([LEADERBOARD_SPLIT, TASKS_SPLIT], ["results", "test"]);
  assert.deepEqual(Object.keys(SETTINGS.splat), [
    "medium_effort",
    "high_effort",
    "max_effort",
    "early_submit_refused",
    "one_shot",
  ]);
  assert.deepEqual(Object.keys(SETTINGS.shadow), ["medium_effort", "high_effort", "max_effort"]);
});
