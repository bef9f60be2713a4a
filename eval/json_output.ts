/** The lines of `--json`; `docs/json_output.md` describes them for users. */
import { z } from "zod";
import { episodeRecordSchema, SCHEMA_VERSION, scoreKindSchema } from "../env/records.ts";

/** An episode as its `episode.json` has it, without the two large fields. */
export const episodeLineSchema = z.object({
  kind: z.literal("episode"),
  ...episodeRecordSchema.omit({ final_state: true, curve: true }).shape,
});

const mean = z.number().nullable();

/** A row of the table: a model in one setting, scored in one way. Means are over complete episodes. */
export const summaryLineSchema = z.object({
  kind: z.literal("summary"),
  schema_version: z.literal(SCHEMA_VERSION),
  bench: z.string(),
  model_name: z.string(),
  setting: z.string(),
  score_kind: scoreKindSchema,
  episodes: z.number().int().nonnegative(),
  errors: z.number().int().nonnegative(),
  /** Planned episodes of the whole command that did not come to their end. */
  missing_episodes: z.number().int().nonnegative(),
  tasks: z.number().int().nonnegative(),
  /** Mean over tasks with its 95% interval, by key of the metric; no interval for a single task. */
  metrics: z.record(
    z.string(),
    z.object({
      mean,
      low: mean,
      high: mean,
      tasks: z.number().int().nonnegative(),
      missing: z.number().int().nonnegative(),
    }),
  ),
  calls: mean,
  renders: mean,
  refused: mean,
  /** US dollars an episode. */
  cost_usd: mean,
  /** Seconds an episode. */
  seconds: mean,
});
export type SummaryLine = z.infer<typeof summaryLineSchema>;

/** What of the recorded profile is not as the benchmark has it, and was not asked for with `--profile`. */
const notDefault = z.array(z.object({ knob: z.string(), recorded: z.unknown(), default: z.unknown() }));

/** A replayed episode: what was compared and what differed. */
export const replayLineSchema = z.object({
  kind: z.literal("replay"),
  schema_version: z.literal(SCHEMA_VERSION),
  episode_id: z.string(),
  bench: z.string(),
  setting: z.string(),
  steps: z.number().int().nonnegative(),
  /** Calls that never ran: reported, not replayed. */
  calls_not_run: z.number().int().nonnegative(),
  /** Whether pictures and numbers had to be identical, as on the device that recorded them. */
  exact: z.boolean(),
  /** Why it could not be played again, and its log alone was checked; null where it was played. */
  not_comparable: z.string().nullable(),
  not_default: notDefault,
  differences: z.array(z.object({
    /** Null for what belongs to the whole episode. */
    step: z.number().int().nullable(),
    field: z.string(),
    recorded: z.string(),
    now: z.string(),
  })),
});

const measured = z.object({ score: z.number().nullable(), metrics: episodeRecordSchema.shape.metrics });

/** An episode whose submitted state was scored again. */
export const rescoreLineSchema = z.object({
  kind: z.literal("rescore"),
  schema_version: z.literal(SCHEMA_VERSION),
  bench: z.string(),
  /** The run folder or data set. */
  source: z.string(),
  episode_id: z.string(),
  setting: z.string(),
  task_id: z.string(),
  score_kind: scoreKindSchema,
  not_default: notDefault,
  recorded: measured,
  now: measured,
  /** Points, now minus recorded; null where one of them is missing. */
  difference: z.number().nullable(),
  /** Now minus recorded, by name. */
  metric_differences: z.record(z.string(), z.number().nullable()),
  /** What is beyond the tolerance: `score`, or names of metrics. */
  beyond: z.array(z.string()),
});

/** The drift of the episodes of one benchmark from one source. */
export const rescoreTotalLineSchema = z.object({
  kind: z.literal("rescore_total"),
  schema_version: z.literal(SCHEMA_VERSION),
  bench: z.string(),
  source: z.string(),
  episodes: z.number().int().nonnegative(),
  /** Whether no state has more than three decimals. */
  rounded: z.boolean(),
  /** Points. */
  tolerance: z.number(),
  /** Of absolute differences in points. */
  mean: z.number().nullable(),
  largest: z.number().nullable(),
  /** Episodes beyond the tolerance. */
  beyond: z.number().int().nonnegative(),
});

const baseline = {
  schema_version: z.literal(SCHEMA_VERSION),
  bench: z.string(),
  score_kind: scoreKindSchema,
  /** Name of the fixed point. */
  baseline: z.string(),
  score: z.number().nullable(),
  metrics: episodeRecordSchema.shape.metrics,
};

/** A fixed point of a task. */
export const baselineLineSchema = z.object({
  kind: z.literal("baseline"),
  ...baseline,
  task_id: z.string(),
  /** The score that the task's table records; null where it has none of this kind. */
  recorded: z.number().nullable(),
});

/** A fixed point, averaged over the tasks that have it. */
export const baselineMeanLineSchema = z.object({
  kind: z.literal("baseline_mean"),
  ...baseline,
  tasks: z.number().int().positive(),
});

/** A task as `tasks` lists and shows it. */
export const taskLineSchema = z.object({
  kind: z.literal("task"),
  schema_version: z.literal(SCHEMA_VERSION),
  bench: z.string(),
  task_id: z.string(),
  title: z.string(),
  source: z.string(),
  licence: z.string(),
  effort_subset: z.boolean(),
  protocols: z.array(z.string()),
  /** What only this benchmark tells of a task. */
  facts: z.record(z.string(), z.unknown()),
});
export type TaskLine = z.infer<typeof taskLineSchema>;

export type JsonLine =
  | z.input<typeof episodeLineSchema>
  | SummaryLine
  | z.input<typeof replayLineSchema>
  | z.input<typeof rescoreLineSchema>
  | z.input<typeof rescoreTotalLineSchema>
  | z.input<typeof baselineLineSchema>
  | z.input<typeof baselineMeanLineSchema>
  | TaskLine;

/** One line of JSON, checked against its schema, so that the document stays true. */
export function jsonLine(line: JsonLine): string {
  const text = JSON.stringify(lineSchema.parse(line));
  // JSON leaves these as they are, and a terminal may obey them.
  return text.replaceAll(
    NOT_PLAIN,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const NOT_PLAIN = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

const lineSchema = z.discriminatedUnion("kind", [
  episodeLineSchema,
  summaryLineSchema,
  replayLineSchema,
  rescoreLineSchema,
  rescoreTotalLineSchema,
  baselineLineSchema,
  baselineMeanLineSchema,
  taskLineSchema,
]);
