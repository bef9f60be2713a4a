/** The lines of `--json`; `docs/json_output.md` describes them for users. */
import { z } from "zod";
import { episodeRecordSchema, SCHEMA_VERSION } from "../env/records.ts";

/** An episode as its `episode.json` has it, without the two large fields. */
export const episodeLineSchema = z.object({
  kind: z.literal("episode"),
  ...episodeRecordSchema.omit({ final_state: true, curve: true }).shape,
});

/** A model in one setting; what else a row has is the table's business. */
export const summaryLineSchema = z.looseObject({
  kind: z.literal("summary"),
  schema_version: z.literal(SCHEMA_VERSION),
  bench: z.string(),
  setting: z.string(),
  /** Planned episodes of the whole setting that did not come to their end. */
  missing_episodes: z.number().int().nonnegative(),
});

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
  differences: z.array(z.object({
    /** Null for what belongs to the whole episode. */
    step: z.number().int().nullable(),
    field: z.string(),
    recorded: z.string(),
    now: z.string(),
  })),
});

export type JsonLine =
  | z.input<typeof episodeLineSchema>
  | z.input<typeof summaryLineSchema>
  | z.input<typeof replayLineSchema>;

/** One line of JSON, checked against its schema, so that the document stays true. */
export function jsonLine(line: JsonLine): string {
  return JSON.stringify(lineSchema.parse(line));
}

const lineSchema = z.discriminatedUnion("kind", [episodeLineSchema, summaryLineSchema, replayLineSchema]);
