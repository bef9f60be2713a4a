/** ShadowBench's tables. */
import { z } from "zod";
import {
  type EpisodeRecord,
  episodeRecordSchema,
  type StepRecord,
  stepRecordSchema,
} from "../env/records.ts";
import {
  COMMON_ALIASES,
  EPISODE_ALIASES,
  episodeColumns,
  type ImageColumn,
  imageColumn,
  LEADERBOARD_ALIASES,
  leaderboardColumns,
  STEP_ALIASES,
  stepColumns,
  TASK_ALIASES,
  taskColumns,
  transcriptColumns,
} from "./columns.ts";
import { type PoseRow, poseRowSchema } from "./shadow_rows.ts";
import { jsonColumn, type Table } from "./table.ts";

const poseColumn = jsonColumn(poseRowSchema);

const leaderboardSchema = z.object({
  ...leaderboardColumns,
  /** Components of the score: overlap divided by union, outline F, open holes, worse wrist; each in [0, 1]. */
  iou: z.number().optional(),
  outline_f: z.number().optional(),
  holes: z.number().optional(),
  wrists: z.number().optional(),
  /** Peeks an episode. */
  peeks: z.number().optional(),
});

const episodeSchema = z.object({
  ...episodeColumns,
  env_fingerprint: episodeRecordSchema.shape.env_fingerprint,
  final_pose: poseColumn.optional(),
  /** The shadow of the final pose. */
  final_shadow: imageColumn.nullable().optional(),
});
export type ShadowEpisodeRow = z.infer<typeof episodeSchema>;

const stepSchema = z.object({
  ...stepColumns,
  score_before_peeks: stepRecordSchema.shape.score_before_peeks,
  pose: poseColumn,
});
export type ShadowStepRow = z.infer<typeof stepSchema>;

const taskSchema = z.object({
  ...taskColumns,
  /** The silhouette to match, and its drawing as SVG. */
  target: imageColumn.optional(),
  target_svg: z.string().optional(),
  /** What `peek_book` shows, and the line that it says with the page. */
  book_page: imageColumn.optional(),
  hint: z.string().optional(),
  /** What the model sees first. */
  first_text: z.string().optional(),
  first_image: imageColumn.optional(),
});
export type ShadowTaskRow = z.infer<typeof taskSchema>;

const bench = "shadow";

export const SHADOW_TABLES = {
  leaderboard: { bench, name: "leaderboard", schema: leaderboardSchema, aliases: LEADERBOARD_ALIASES },
  episodes: { bench, name: "episodes", schema: episodeSchema, aliases: EPISODE_ALIASES },
  steps: { bench, name: "steps", schema: stepSchema, aliases: STEP_ALIASES },
  transcripts: { bench, name: "transcripts", schema: z.object(transcriptColumns), aliases: COMMON_ALIASES },
  tasks: {
    bench,
    name: "tasks",
    schema: taskSchema,
    aliases: {
      ...TASK_ALIASES,
      target_image: "target",
      drawing: "target_svg",
      target_drawing: "target_svg",
      book_image: "book_page",
      page: "book_page",
      first_observation: "first_image",
      first_observation_text: "first_text",
    },
  },
} satisfies Record<string, Table<z.ZodObject>>;

/** The row of one of our episodes, and the picture of its final shadow. */
export function shadowEpisodeRow(record: EpisodeRecord, finalShadow: ImageColumn | null): ShadowEpisodeRow {
  const { usage, final_state, ...columns } = record;
  // Episodes that could not even be opened have no final state.
  if (final_state === null) return { ...columns, ...usage, final_shadow: finalShadow };
  return { ...columns, ...usage, final_pose: poseRowSchema.parse(final_state), final_shadow: finalShadow };
}

/**
 * The row of one of our steps.
 *
 * @param pose the pose after the step, which the record leaves out where nothing moved
 * @param image the picture's file, or null where the model received none
 */
export function shadowStepRow(record: StepRecord, pose: PoseRow, image: ImageColumn | null): ShadowStepRow {
  const { state: _, ...columns } = record;
  return { ...columns, arguments: JSON.stringify(record.arguments), image, pose };
}
