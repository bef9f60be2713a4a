/** What the task files of every benchmark have. */
import { z } from "zod";
import { metricsSchema } from "../env/records.ts";

/** Raised whenever a stored task changes its meaning; a reader refuses another number. */
export const TASK_SCHEMA_VERSION = 1;

/** Characters; a file system takes names of 255, and more is added to it. */
const LONGEST_ID = 100;

export const TASK_FIELDS = {
  schema_version: z.literal(TASK_SCHEMA_VERSION),
  /** Part of file names. */
  task_id: z.string().regex(/^[A-Za-z0-9._-]+$/, "letters, digits, dots, dashes and underscores only")
    .max(LONGEST_ID, `at most ${LONGEST_ID} characters`)
    .refine((id) => !/^\.{1,2}$/.test(id), { error: "a folder is called so on every system" }),
  title: z.string().min(1),
  /** Licence of its content, passed on by every export. */
  licence: z.string().min(1),
  /** Whether the efforts and protocols that play a part of the tasks play it. */
  effort_subset: z.boolean(),
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
    })).min(1, "an episode needs a tool").refine(
      (tools) => new Set(tools.map(({ name }) => name)).size === tools.length,
      { error: "two tools have one name" },
    ),
  }).optional(),
};
