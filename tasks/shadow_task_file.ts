/** A ShadowBench task on disk: one JSON file with everything an episode needs, pictures included. */
import { z } from "zod";
import { poseRowSchema } from "./shadow_rows.ts";
import { TASK_FIELDS } from "./task_fields.ts";
import { parseTaskJson, readTaskJson } from "./task_json.ts";

const { schema_version, task_id, title, licence, effort_subset, baselines, published } = TASK_FIELDS;

const count = z.number().int();

/** A pose that casts the target, and the calls that lead to it; never shown to a model. */
const witnessSchema = z.object({
  pose: poseRowSchema,
  path: z.array(z.object({ tool: z.string(), arguments: z.record(z.string(), z.unknown()) })),
});

const shadowTaskFileSchema = z.object({
  schema_version,
  bench: z.literal("shadow"),
  /** `dog`, or `bursill_bunny` for a published plate. */
  task_id,
  title,
  /** One line that `peek_book` gives with the page. */
  hint: z.string().min(1),
  licence,
  effort_subset,
  /** The silhouette to match, black on white: PNG, base64, 512 × 384. */
  target: z.string(),
  /** Its outline as SVG. */
  target_svg: z.string(),
  /** What `peek_book` shows: PNG, base64. Without it the page is drawn, of the witness if there is one. */
  book_page: z.string().optional(),
  witness: witnessSchema.optional(),
  /** The hand model that the witness poses. */
  hand: z.object({ name: z.string(), hash: z.string() }).optional(),
  /** What an episode may use; the standard budgets when absent. */
  limits: z.object({ calls: count.positive(), looks: count.nonnegative(), peeks: count.nonnegative() })
    .optional(),
  baselines,
  published,
});
export type ShadowTaskFile = z.infer<typeof shadowTaskFileSchema>;

/**
 * Reads a task file from a path or an `https:`, `http:` or `file:` URL.
 *
 * @throws BenchError when it cannot be read, is not JSON, or a field is missing or wrong; the error names the field
 */
export async function readShadowTaskFile(where: string): Promise<ShadowTaskFile> {
  return parseShadowTaskFile(await readTaskJson(where), where);
}

/** Checks decoded JSON; `where` names the source in errors. */
export function parseShadowTaskFile(content: unknown, where: string): ShadowTaskFile {
  return parseTaskJson(shadowTaskFileSchema, content, where);
}
