/** SplatBench's tables. */
import { z } from "zod";
import type { EpisodeRecord, StepRecord } from "../env/records.ts";
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
  /** The gradient-descent fit that earns 100, and one with 64 Gaussians. */
  fit_scene: sceneColumn.optional(),
  fit_64_scene: sceneColumn.optional(),
  /** sha256 of the recipe of a fit, by its number of Gaussians. */
  fit_recipes: jsonColumn(z.record(z.string(), z.string())).optional(),
  /** Where a reassembly starts, and by the group of each part what moved it there from its true pose. */
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
    aliases: { ...EPISODE_ALIASES, final_gaussians: "final_scene" },
  },
  steps: { bench, name: "steps", schema: stepSchema, aliases: { ...STEP_ALIASES, gaussians: "scene" } },
  transcripts: { bench, name: "transcripts", schema: z.object(transcriptColumns), aliases: COMMON_ALIASES },
  tasks: {
    bench,
    name: "tasks",
    schema: taskSchema,
    aliases: {
      ...TASK_ALIASES,
      reference_photos: "reference_images",
      held_out_photos: "held_out_images",
      heldout_photos: "held_out_images",
      heldout_images: "held_out_images",
      heldout_cameras: "held_out_cameras",
      gd_scene: "fit_scene",
      gd_300: "fit_scene",
      gd300_scene: "fit_scene",
      gd_gaussians: "fit_scene",
      gd_64: "fit_64_scene",
      gd64_scene: "fit_64_scene",
      scrambled_start: "start_scene",
      scrambled_scene: "start_scene",
    },
  },
} satisfies Record<string, Table<z.ZodObject>>;

/** The row of one of our episodes. */
export function splatEpisodeRow(record: EpisodeRecord): SplatEpisodeRow {
  const { usage, final_state, ...columns } = record;
  // Episodes that could not even be opened have no final state.
  if (final_state === null) return { ...columns, ...usage };
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
