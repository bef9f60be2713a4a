/** How each column of the tables is stored: the types that exported files declare. */
import type { TableName } from "./data_rows.ts";
import type { BenchId } from "./tables.ts";

/** `json` is any value as text, `bytes` the content of a file, `image` a picture as data sets know it. */
export type ColumnType =
  | "text"
  | "integer"
  | "number"
  | "flag"
  | "json"
  | "bytes"
  | "image"
  | { readonly list: ColumnType }
  | { readonly struct: Fields };

export type Fields = Readonly<Record<string, ColumnType>>;

/** The columns of a table in the order that files have them. */
export const columnTypes = (bench: BenchId, table: TableName): Fields => TYPES[bench][table];

const list = (type: ColumnType): ColumnType => ({ list: type });
const numbers = list("number");

const scene = list({
  struct: {
    id: "integer",
    pos: numbers,
    scale: numbers,
    quat: numbers,
    color: numbers,
    opacity: "number",
    group: "text",
  },
});
const cameras = list({
  struct: { R: list(numbers), t: numbers, fx: "number", fy: "number", cx: "number", cy: "number" },
});
const pose: ColumnType = {
  struct: { q: numbers, positions: list(numbers), quaternions: list(numbers) },
};

const leaderboard: Fields = {
  schema_version: "integer",
  model_name: "text",
  setting: "text",
  score: "number",
  score_kind: "text",
  score_low: "number",
  score_high: "number",
  episodes: "integer",
  tasks: "integer",
  cost_usd: "number",
  seconds: "number",
  reference_setting: "text",
  reference_score: "number",
  gain: "number",
  gain_low: "number",
  gain_high: "number",
  better_on: "integer",
};

const episodes: Fields = {
  schema_version: "integer",
  episode_id: "text",
  model_name: "text",
  task_id: "text",
  setting: "text",
  protocol: "text",
  run: "integer",
  effort_subset: "flag",
  score: "number",
  score_kind: "text",
  reward: "number",
  metrics: "json",
  status: "text",
  ended_by: "text",
  error: "text",
  steps: "integer",
  calls: "integer",
  tool_calls: "json",
  refusals: "json",
  calls_not_run: "json",
  budget_used: "json",
  cost_usd: "number",
  input_tokens: "integer",
  cached_input_tokens: "integer",
  output_tokens: "integer",
  reasoning_tokens: "integer",
  seconds: "number",
  context_compacted: "flag",
  plans: "json",
  closing_message: "text",
  curve: "json",
  details: "json",
  bench: "text",
  env_fingerprint: "text",
  profile_hash: "text",
  device: "text",
  licence: "text",
};

const steps: Fields = {
  schema_version: "integer",
  episode_id: "text",
  step: "integer",
  tool: "text",
  arguments: "text",
  accepted: "flag",
  refusal: "text",
  response: "text",
  image: "image",
  hidden_score: "number",
  hidden: "json",
  budgets: "json",
  done: "flag",
  licence: "text",
};

const transcripts: Fields = {
  schema_version: "integer",
  episode_id: "text",
  model_name: "text",
  task_id: "text",
  context_compacted: "flag",
  messages: list({
    struct: {
      role: "text",
      content: "text",
      images: list("text"),
      tool_calls: list({ struct: { id: "text", name: "text", arguments: "text", cut_off: "flag" } }),
      tool_call_id: "text",
      step: "integer",
      not_run: "text",
      turn: "integer",
      finish_reason: "text",
      input_tokens: "integer",
      cached_input_tokens: "integer",
      output_tokens: "integer",
      reasoning_tokens: "integer",
      cost_usd: "number",
      seconds: "number",
      raw: "text",
    },
  }),
};

const tasks: Fields = {
  schema_version: "integer",
  task_id: "text",
  title: "text",
  licence: "text",
  effort_subset: "flag",
  system_prompt: "text",
  user_prompt: "text",
  tools: "json",
  limits: "json",
  baselines: "json",
};

const TYPES: Readonly<Record<BenchId, Readonly<Record<TableName, Fields>>>> = {
  splat: {
    leaderboard,
    episodes: { ...episodes, final_scene: scene },
    steps: { ...steps, scene },
    transcripts,
    tasks: {
      ...tasks,
      object: "text",
      kind: "text",
      reference_images: list("image"),
      reference_cameras: cameras,
      held_out_images: list("image"),
      held_out_cameras: cameras,
      fit_scene: scene,
      fit_64_scene: scene,
      fit_recipes: "json",
      start_scene: scene,
      part_poses: "json",
    },
  },
  shadow: {
    leaderboard: {
      ...leaderboard,
      iou: "number",
      outline_f: "number",
      holes: "number",
      wrists: "number",
      peeks: "number",
    },
    episodes: { ...episodes, final_pose: pose, final_shadow: "image" },
    steps: { ...steps, score_before_peeks: "number", pose },
    transcripts,
    tasks: {
      ...tasks,
      target: "image",
      target_svg: "text",
      book_page: "image",
      hint: "text",
      first_text: "text",
      first_image: "image",
    },
  },
};
