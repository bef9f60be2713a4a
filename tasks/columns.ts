/** Columns that the tables of both benchmarks share. Names in the published descriptions are exact; the rest is ours. */
import { z } from "zod";
import { episodeRecordSchema, SCHEMA_VERSION, stepRecordSchema, usageSchema } from "../env/records.ts";
import { jsonColumn } from "./table.ts";

const episode = episodeRecordSchema.shape;
const step = stepRecordSchema.shape;
const tokens = usageSchema.shape;

/** Tables without this column are of the first version. */
const version = z.literal(SCHEMA_VERSION).default(SCHEMA_VERSION);

/** A picture as data sets store it: the bytes of an image file, its name, or both. */
export const imageColumn = z.object({
  bytes: z.instanceof(Uint8Array).nullable(),
  path: z.string().nullable(),
});
export type ImageColumn = z.infer<typeof imageColumn>;

/** One model in one setting, or a reference. Scores are means over tasks with their 95% interval. */
export const leaderboardColumns = {
  schema_version: version,
  model_name: z.string(),
  setting: z.string().optional(),
  score: z.number(),
  score_kind: episode.score_kind.optional(),
  score_low: z.number().optional(),
  score_high: z.number().optional(),
  episodes: z.number().int().optional(),
  tasks: z.number().int().optional(),
  /** US dollars an episode. */
  cost_usd: z.number().optional(),
  /** Seconds an episode. */
  seconds: z.number().optional(),
  /** The setting compared with, its score on the same tasks, and the gain over it with its 95% interval. */
  reference_setting: z.string().optional(),
  reference_score: z.number().optional(),
  gain: z.number().optional(),
  gain_low: z.number().optional(),
  gain_high: z.number().optional(),
  /** Tasks that this setting is better on. */
  better_on: z.number().int().optional(),
};

/** One episode: `EpisodeRecord` with its tokens as columns, and its final state in a column of the benchmark. */
export const episodeColumns = {
  schema_version: version,
  episode_id: episode.episode_id,
  model_name: episode.model_name,
  task_id: episode.task_id,
  score: episode.score,
  cost_usd: episode.cost_usd,
  input_tokens: tokens.input_tokens,
  cached_input_tokens: tokens.cached_input_tokens.optional(),
  output_tokens: tokens.output_tokens.optional(),
  reasoning_tokens: tokens.reasoning_tokens.optional(),
  bench: episode.bench.optional(),
  setting: episode.setting.optional(),
  protocol: episode.protocol.optional(),
  run: episode.run.optional(),
  effort_subset: episode.effort_subset.optional(),
  status: episode.status.optional(),
  ended_by: episode.ended_by.optional(),
  error: episode.error.optional(),
  score_kind: episode.score_kind.optional(),
  metrics: jsonColumn(episode.metrics).optional(),
  reward: episode.reward.optional(),
  steps: episode.steps.optional(),
  calls: episode.calls.optional(),
  budget_used: jsonColumn(episode.budget_used).optional(),
  tool_calls: jsonColumn(episode.tool_calls).optional(),
  refusals: jsonColumn(episode.refusals).optional(),
  calls_not_run: jsonColumn(episode.calls_not_run).optional(),
  curve: jsonColumn(episode.curve).optional(),
  plans: jsonColumn(episode.plans).optional(),
  closing_message: episode.closing_message.optional(),
  details: jsonColumn(episode.details).optional(),
  seconds: episode.seconds.optional(),
  /** Of the task, which the final state and pictures derive from. */
  licence: z.string().optional(),
  context_compacted: episode.context_compacted.optional(),
  env_fingerprint: episode.env_fingerprint.optional(),
  profile_hash: episode.profile_hash.optional(),
  device: episode.device.optional(),
};

/** One step: `StepRecord` with its arguments as JSON text, its picture's bytes, and the whole state after it. */
export const stepColumns = {
  schema_version: version,
  episode_id: step.episode_id,
  step: step.step,
  /** Tool, arguments and acceptance may be null at step 0, which no call made. */
  tool: step.tool.nullable(),
  arguments: z.string().nullable(),
  accepted: step.accepted.nullable(),
  refusal: step.refusal.optional(),
  response: step.response,
  image: imageColumn.nullable(),
  hidden_score: step.hidden_score,
  hidden: jsonColumn(step.hidden).optional(),
  budgets: jsonColumn(step.budgets).optional(),
  done: step.done.optional(),
  /** Of the task, which pictures and state derive from. */
  licence: z.string().optional(),
};

/** One conversation. */
export const transcriptColumns = {
  schema_version: version,
  episode_id: z.string(),
  model_name: z.string().optional(),
  task_id: z.string().optional(),
  /** Every message in order; tool results carry the `step` they made, or null for a call that never ran. */
  messages: jsonColumn(z.array(z.looseObject({ role: z.string(), step: z.number().int().nullish() }))),
  context_compacted: z.boolean().optional(),
};

/** A tool as we have it, or as chat endpoints take it: `{type: "function", function: {…}}`. */
const toolSpec = z.preprocess(
  (tool) => typeof tool === "object" && tool !== null && "function" in tool ? tool.function : tool,
  z.object({
    name: z.string(),
    description: z.string(),
    parameters: jsonColumn(z.record(z.string(), z.unknown())),
  }),
);

const fixedPoint = z.object({ score: z.number().nullable(), metrics: episode.metrics });

/** A fixed point as we have it, as its score alone, or with its metrics beside the score. */
const fixedPointColumn = z.preprocess((point) => {
  if (typeof point === "number") return { score: point, metrics: {} };
  if (typeof point !== "object" || point === null || "metrics" in point) return point;
  const { score = null, ...metrics } = { score: undefined, ...point };
  return { score, metrics };
}, fixedPoint);

/** One task, whatever it is about. */
export const taskColumns = {
  schema_version: version,
  task_id: z.string(),
  title: z.string().optional(),
  licence: z.string().optional(),
  effort_subset: z.boolean().optional(),
  system_prompt: z.string().optional(),
  user_prompt: z.string().optional(),
  tools: jsonColumn(z.array(toolSpec)).optional(),
  /** Budgets and other limits by name. */
  limits: jsonColumn(z.record(z.string(), z.number())).optional(),
  /** Recorded fixed points by name. */
  baselines: jsonColumn(z.record(z.string(), fixedPointColumn)).optional(),
};

/** Names that files of other origin give to the shared columns. */
export const COMMON_ALIASES = {
  episode: "episode_id",
  model: "model_name",
  task: "task_id",
  cost: "cost_usd",
  prompt_tokens: "input_tokens",
  completion_tokens: "output_tokens",
  time_s: "seconds",
  duration_s: "seconds",
  license: "licence",
  time_seconds: "seconds",
} as const;

export const LEADERBOARD_ALIASES = {
  ...COMMON_ALIASES,
  ci_low: "score_low",
  ci_high: "score_high",
  n_episodes: "episodes",
  n_tasks: "tasks",
} as const;

export const STEP_ALIASES = {
  ...COMMON_ALIASES,
  args: "arguments",
  tool_name: "tool",
  text: "response",
  score: "hidden_score",
} as const;

export const EPISODE_ALIASES = {
  ...COMMON_ALIASES,
  id: "episode_id",
  compacted: "context_compacted",
  hidden_scores: "curve",
  final_message: "closing_message",
} as const;

export const TASK_ALIASES = {
  ...COMMON_ALIASES,
  id: "task_id",
  system: "system_prompt",
  user: "user_prompt",
  opening_message: "user_prompt",
  tool_specs: "tools",
  tool_schemas: "tools",
  budgets: "limits",
  baseline_scores: "baselines",
  reference_scores: "baselines",
} as const;
