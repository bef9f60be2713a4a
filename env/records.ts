/**
 * The log of an episode: the one contract that `eval`, `replay`, `rescore`, `analyze` and the explorer share.
 *
 * A `StepRecord` is one line of `steps.jsonl` and one row of the `steps` table; an `EpisodeRecord` is
 * `episode.json` and one row of `episodes`. Both benchmarks use the same records; what belongs to one benchmark
 * only (a scene, a pose) is `state`, whose shape the benchmark declares.
 */
import { z } from "zod";

/** Raised whenever a stored record changes its meaning; a reader refuses a higher number. */
export const SCHEMA_VERSION = 1 as const;

/** Named hidden measurements of one state, e.g. `{psnr, ssim}`; finite numbers only. */
export const metricsSchema = z.record(z.string(), z.number());
export type Metrics = z.infer<typeof metricsSchema>;

/** `full` needs LPIPS weights; `partial` is PSNR and SSIM only. No table mixes the two. */
export const scoreKindSchema = z.enum(["full", "partial"]);
export type ScoreKind = z.infer<typeof scoreKindSchema>;

/** What is left of each budget after a step, by budget name (`calls`, `renders`, `looks`, …). */
const budgetsSchema = z.record(z.string(), z.number().int());

export const stepRecordSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  episode_id: z.string(),
  /** 0 is the opening message and picture; calls that never ran have no step. */
  step: z.number().int().nonnegative(),
  /** Tool name; `reset` for step 0. */
  tool: z.string(),
  /** The arguments as the environment received them, before aliases were applied. */
  arguments: z.unknown(),
  accepted: z.boolean(),
  /** Why the call was refused, as a short kind for counting (`bad_value`, `over_budget`, …). */
  refusal: z.string().nullable(),
  /** The text the model received. */
  response: z.string(),
  /** `imageKey` of the picture the model received (`images/<key>.png`), or null. */
  image: z.string().nullable(),
  /** Whole state after the call, in the benchmark's published JSON shape; null where it did not change. */
  state: z.unknown(),
  /** Hidden score of the state after the call; null while the benchmark has no fixed points. */
  hidden_score: z.number().nullable(),
  /** Shadow only: the hidden score without the peek penalty. */
  score_before_peeks: z.number().nullable(),
  /** Hidden metrics of the state after the call; carried over unchanged by calls that change nothing. */
  hidden: metricsSchema,
  budgets: budgetsSchema,
  done: z.boolean(),
});
export type StepRecord = z.infer<typeof stepRecordSchema>;

/** How an episode came to its end. */
const endedBySchema = z.enum([
  "submit",
  "budget",
  "no_calls",
  "calls_not_run",
  "context_overflow",
  "error",
]);
export type EndedBy = z.infer<typeof endedBySchema>;

export const usageSchema = z.object({
  input_tokens: z.number().int().nonnegative(),
  cached_input_tokens: z.number().int().nonnegative(),
  output_tokens: z.number().int().nonnegative(),
  reasoning_tokens: z.number().int().nonnegative(),
});
export type Usage = z.infer<typeof usageSchema>;

export const episodeRecordSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  episode_id: z.string(),
  bench: z.string(),
  model_name: z.string(),
  task_id: z.string(),
  setting: z.string(),
  protocol: z.string(),
  /** 1-based. */
  run: z.number().int().positive(),
  effort_subset: z.boolean(),
  /** `complete`, or `error` when the infrastructure (never the model) failed; an error has no score. */
  status: z.enum(["complete", "error"]),
  ended_by: endedBySchema,
  /** What failed, in one line; null for a complete episode. */
  error: z.string().nullable(),
  /** Points of the submitted state; null for an error, and while the benchmark has no fixed points. */
  score: z.number().nullable(),
  score_kind: scoreKindSchema,
  /** Hidden metrics of the submitted state. */
  metrics: metricsSchema,
  /** Reward of the episode in [0, 1], null while there is no score. */
  reward: z.number().nullable(),
  /** Rows of the step log. */
  steps: z.number().int().nonnegative(),
  /** Calls that ran, refused ones included; an automatic submit is none. */
  calls: z.number().int().nonnegative(),
  /** Amount of each budget used, by name. */
  budget_used: z.record(z.string(), z.number().int()),
  /** Calls by tool, those refused included. */
  tool_calls: z.record(z.string(), z.number().int()),
  refusals: z.record(z.string(), z.number().int()),
  /** Calls that never ran, by reason. */
  calls_not_run: z.record(z.string(), z.number().int()),
  /** Hidden metrics after every step, index = step. */
  curve: z.array(z.object({ step: z.number().int(), score: z.number().nullable(), metrics: metricsSchema })),
  /** Texts of `plan` calls (shadow). */
  plans: z.array(z.string()),
  /** Text of the model's last turn. */
  closing_message: z.string().nullable(),
  /** Benchmark-specific end of episode, e.g. reassembly part errors. */
  details: z.record(z.string(), z.unknown()),
  /** The submitted state, in the benchmark's published JSON shape. */
  final_state: z.unknown(),
  usage: usageSchema,
  /** US dollars; null when the endpoint gives neither a cost nor a price for one of the turns. */
  cost_usd: z.number().nullable(),
  /** Wall time, all sessions of a continued episode together. */
  seconds: z.number().nonnegative(),
  /** Whether earlier turns were summarised to fit the model's context. */
  context_compacted: z.boolean(),
  /** What the numbers depend on beside the task: `EnvironmentIdentity` in `env/environment.ts`. */
  env_fingerprint: z.string(),
  profile_hash: z.string(),
  device: z.string(),
});
export type EpisodeRecord = z.infer<typeof episodeRecordSchema>;
