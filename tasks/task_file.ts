/** A SplatBench task on disk: one JSON file with everything an episode needs, photos included. */
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { dirname, join } from "node:path";
import { z } from "zod";
import { BenchError } from "../env/errors.ts";
import { metricsSchema } from "../env/records.ts";
import { withPhotos } from "./shared_photos.ts";
import { cameraRowSchema, gaussianRowSchema } from "./splat_rows.ts";

/** Raised whenever a stored task changes its meaning; a reader refuses another number. */
export const TASK_SCHEMA_VERSION = 1;

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

const taskFileSchema = z.object({
  schema_version: z.literal(TASK_SCHEMA_VERSION),
  /** `table__sculpt` for a build, `table__assemble` for a reassembly. */
  task_id: z.string().regex(/^[A-Za-z0-9._-]+$/, "letters, digits, dots, dashes and underscores only"),
  object: z.string().min(1),
  kind: z.enum(["build", "reassembly"]),
  title: z.string().min(1),
  /** Licence of the photos and the scene, passed on by every export. */
  licence: z.string().min(1),
  /** Whether the high and max efforts and `early_submit_refused` play it. */
  effort_subset: z.boolean(),
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
  /** Fixed points that somebody recorded, by name. */
  baselines: z.record(z.string(), z.object({ score: z.number().nullable(), metrics: metricsSchema }))
    .optional(),
  /** Prompts and tools that replace the environment's own, as published tasks bring them. */
  published: z.object({
    prompts: z.object({ system: z.string(), user: z.string() }),
    tools: z.array(z.object({
      name: z.string(),
      description: z.string(),
      parameters: z.record(z.string(), z.unknown()),
    })),
  }).optional(),
});
export type TaskFile = z.infer<typeof taskFileSchema>;

/**
 * Reads a task file from a path or an `https:`, `http:` or `file:` URL.
 *
 * @throws BenchError when it cannot be read, is not JSON, or a field is missing or wrong; the error names the field
 */
export async function readTaskFile(where: string): Promise<TaskFile> {
  const content = await withPhotos(await readJson(where), async (id) => {
    const other = besides(where, id);
    return parseTaskFile(await readJson(other), other);
  });
  return parseTaskFile(content, where);
}

async function readJson(where: string): Promise<unknown> {
  const text = await readText(where);
  try {
    // A byte order mark, as some editors put it, is no part of the text.
    return JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new BenchError({ what: `Cannot read the task ${where}`, why: `not valid JSON (${reason(error)})` });
  }
}

/** The file of another task in the same folder. */
function besides(where: string, id: string): string {
  const file = `${encodeURIComponent(id)}.json`;
  return isTaskUrl(where) ? new URL(file, where).href : join(dirname(where), file);
}

/** Checks decoded JSON; `where` names the source in errors. */
export function parseTaskFile(content: unknown, where: string): TaskFile {
  const parsed = taskFileSchema.safeParse(content);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new BenchError({
    what: `Cannot read the task ${where}`,
    why: `${fieldName(issue.path)}: ${issue.message}`,
    fix: `A task file has the fields ${Object.keys(taskFileSchema.shape).join(", ")}`,
  });
}

/** Whether a text is a URL that `readTaskFile` takes. */
export const isTaskUrl = (where: string): boolean => /^(https?|file):\/\//.test(where);

async function readText(where: string): Promise<string> {
  try {
    if (!isTaskUrl(where)) return await readFile(where, "utf8");
    if (where.startsWith("file:")) return await readFile(fileURLToPath(where), "utf8");
    const response = await fetch(where);
    if (!response.ok) throw new Error(`HTTP status ${response.status}`);
    return await response.text();
  } catch (error) {
    throw new BenchError(
      { what: `Cannot read the task ${where}`, why: reason(error) },
      undefined,
      { cause: error },
    );
  }
}

/** Where in a JSON value: `reference[3].camera.R[0][1]`. */
export function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((key) => typeof key === "number" ? `[${key}]` : `.${String(key)}`).join("");
  return name === "" ? "the file" : name.replace(/^\./, "");
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
