/** A SplatBench task on disk: one JSON file with everything an episode needs, photos included. */
import { z } from "zod";
import { cameraRowSchema, gaussianRowSchema } from "./splat_rows.ts";
import { TASK_FIELDS } from "./task_fields.ts";
import { parseTaskJson } from "./task_json.ts";

const viewSchema = z.object({
  camera: cameraRowSchema,
  /** PNG, base64. */
  photo: z.string(),
});

const count = z.number().int().positive();

/** A scene that gradient descent found from the reference views alone. */
const fitSchema = z.object({
  gaussians: count,
  scene: z.array(gaussianRowSchema),
  /** sha256 of the recipe that it was fitted by. */
  recipe_hash: z.string(),
}).refine(({ gaussians, scene }) => scene.length === gaussians, {
  message: "a fit has as many Gaussians as it says",
});
export type FitRow = z.infer<typeof fitSchema>;

const vector3 = z.tuple([z.number(), z.number(), z.number()]);

/** How a reassembly moved one part: x' = pivot + Rz(degrees) (x − pivot) + translate. */
const partRowSchema = z.object({
  group: z.string(),
  pivot: vector3,
  translate: vector3,
  degrees: z.number(),
});
export type PartRow = z.infer<typeof partRowSchema>;

const { schema_version, task_id, title, licence, effort_subset, baselines, published } = TASK_FIELDS;

const taskFileSchema = z.object({
  schema_version,
  /** `table__sculpt` for a build, `table__assemble` for a reassembly. */
  task_id,
  object: z.string().min(1),
  kind: z.enum(["build", "reassembly"]),
  title,
  licence,
  effort_subset,
  /** What an episode may use; the standard budgets when absent. */
  limits: z.object({ gaussians: count, calls: count, renders: count, views_per_picture: count }).optional(),
  /** Views the model sees, in the order it knows them by. */
  reference: z.array(viewSchema).min(1),
  /** Views that only the scorer sees. */
  held_out: z.array(viewSchema).min(1),
  /** Scene the episode starts from; empty for a build. */
  start: z.array(gaussianRowSchema),
  /** What was done to each part of a reassembly, by group of `start`; never shown to a model. */
  parts: z.array(partRowSchema).optional(),
  /** Fixed points of the score, each size once; a task without the one of 300 has no score. */
  fits: z.array(fitSchema).refine(
    (fits) => new Set(fits.map(({ gaussians }) => gaussians)).size === fits.length,
    { message: "two fits have the same number of Gaussians" },
  ).optional(),
  baselines,
  published,
});
export type TaskFile = z.infer<typeof taskFileSchema>;

/** Checks decoded JSON; `where` names the source in errors. */
export function parseTaskFile(content: unknown, where: string): TaskFile {
  return parseTaskJson(taskFileSchema, content, where);
}
