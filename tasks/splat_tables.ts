/** SplatBench's tables. */
import { z } from "zod";
import type { EpisodeRecord, StepRecord } from "../env/records.ts";
import {
  COMMON_ALIASES,
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
import { cameraRowSchema, type GaussianRow, gaussianRowSchema } from "./splat_rows.ts";
import { jsonColumn, type Table } from "./table.ts";

const sceneColumn = jsonColumn(z.array(gaussianRowSchema));
const camerasColumn = jsonColumn(z.array(cameraRowSchema));

const episodeSchema = z.object({ ...episodeColumns, final_scene: sceneColumn.optional() });
export type SplatEpisodeRow = z.infer<typeof episodeSchema>;

const stepSchema = z.object({ ...stepColumns, scene: sceneColumn });
export type SplatStepRow = z.infer<typeof stepSchema>;

const taskSchema = z.object({
  ...taskColumns,
  object: z.string().optional(),
  kind: z.enum(["build", "reassembly"]).optional(),
  /** Photos and their cameras, index by index; the picture size is the photo's. */
  reference_images: z.array(imageColumn).optional(),
  reference_cameras: camerasColumn.optional(),
  held_out_images: z.array(imageColumn).optional(),
  held_out_cameras: camerasColumn.optional(),
  /** The gradient-descent fit that earns 100. */
  fit_scene: sceneColumn.optional(),
  /** Where a reassembly starts, and the true pose of each part by its group. */
  start_scene: sceneColumn.optional(),
  part_poses: jsonColumn(z.record(z.string(), z.unknown())).optional(),
});
export type SplatTaskRow = z.infer<typeof taskSchema>;

const bench = "splat";

export const SPLAT_TABLES = {
  leaderboard: {
    bench,
    name: "leaderboard",
    schema: z.object(leaderboardColumns),
    aliases: LEADERBOARD_ALIASES,
  },
  episodes: {
    bench,
    name: "episodes",
    schema: episodeSchema,
    aliases: { ...COMMON_ALIASES, final_gaussians: "final_scene" },
  },
  steps: { bench, name: "steps", schema: stepSchema, aliases: { ...STEP_ALIASES, gaussians: "scene" } },
  transcripts: { bench, name: "transcripts", schema: z.object(transcriptColumns), aliases: COMMON_ALIASES },
  tasks: {
    bench,
    name: "tasks",
    schema: taskSchema,
    aliases: {
      ...TASK_ALIASES,
      heldout_images: "held_out_images",
      heldout_cameras: "held_out_cameras",
    },
  },
} satisfies Record<string, Table<z.ZodObject>>;

/** The row of one of our episodes. */
export function splatEpisodeRow(record: EpisodeRecord): SplatEpisodeRow {
  const { usage, final_state, ...columns } = record;
  return { ...columns, ...usage, final_scene: z.array(gaussianRowSchema).parse(final_state) };
}

/**
 * The row of one of our steps.
 *
 * @param scene the whole scene after the step, which the record leaves out where nothing changed
 * @param image the picture's file, or null where the model received none
 */
export function splatStepRow(
  record: StepRecord,
  scene: readonly GaussianRow[],
  image: ImageColumn | null,
): SplatStepRow {
  const { state: _, score_before_peeks: __, ...columns } = record;
  return { ...columns, arguments: JSON.stringify(record.arguments), image, scene: [...scene] };
}
