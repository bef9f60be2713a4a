/**
 * The two files of a run folder that are not tables: `run.json`, written whole by each command that plays into it, and
 * `transcript.jsonl`, one message a line, appended as the conversation goes on.
 *
 * A transcript rebuilds the conversation exactly: its lines, in order, are the messages that the model was sent or
 * sent itself. The assistant's line is written before its calls run, the line of each tool result after that call
 * ran: a killed episode goes on at the first call that has no result.
 */
import { z } from "zod";
import { NOT_RUN_REASONS } from "../env/calls.ts";
import { SCHEMA_VERSION, usageSchema } from "../env/records.ts";

/** What a run was asked for; other options that a command records beside these are kept. */
const runOptionsSchema = z.looseObject({
  /** Ids of the tasks, resolved. */
  tasks: z.array(z.string()),
  /** Runs of each task. */
  runs: z.number().int().positive(),
  protocol: z.string(),
  effort: z.string(),
  /** sha256 of all that the model is told and shown before its first turn, by task id. */
  prompt_hashes: z.record(z.string(), z.string()),
  /** sha256 of all of a task that answers or scores depend on, by task id. */
  task_hashes: z.record(z.string(), z.string()),
  /** Path or URL of each task that is not embedded, by task id. */
  task_sources: z.record(z.string(), z.string()),
});

/** `run.json`: what the episodes of a run share, and what resume and replay compare. */
export const runRecordSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  bench: z.string(),
  setting: z.string(),
  /** ISO 8601, UTC. */
  created: z.string(),
  env_fingerprint: z.string(),
  /** The conventions behind every hidden metric, in the benchmark's own words. */
  profile: z.record(z.string(), z.unknown()),
  /** sha256 of `profile` as canonical JSON. */
  profile_hash: z.string(),
  /** sha256 of `options.prompt_hashes` as canonical JSON. */
  prompt_hash: z.string(),
  /** Revision of the data set that the tasks came from; null for embedded tasks and folders. */
  data_revision: z.string().nullable(),
  /** Commit of this project; null when it does not run from a clone. */
  commit: z.string().nullable(),
  /** The adapter that the run began on; each episode names its own. */
  device: z.string(),
  /** Everything that can change a model's answers, secrets excluded, by `model_name`. */
  models: z.record(z.string(), z.record(z.string(), z.unknown())),
  options: runOptionsSchema,
});
export type RunRecord = z.infer<typeof runRecordSchema>;

/** A piece of a message; a picture is its `imageKey`, the file `images/<key>.png` of the run. */
const transcriptPartSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), key: z.string() }),
]);

/** A call as the model issued it. */
const transcriptCallSchema = z.object({
  /** The endpoint's id, or ours where it gave none or gave one twice. */
  id: z.string(),
  name: z.string(),
  /** Raw text, valid JSON or not. */
  arguments: z.string(),
  cut_off: z.boolean(),
});

const transcriptMessageSchema = z.discriminatedUnion("role", [
  z.object({ role: z.literal("system"), text: z.string() }),
  z.object({ role: z.literal("user"), parts: z.array(transcriptPartSchema) }),
  z.object({
    role: z.literal("assistant"),
    text: z.string().nullable(),
    calls: z.array(transcriptCallSchema),
    /** The endpoint's message as it came. */
    raw: z.unknown(),
  }),
  z.object({
    role: z.literal("tool"),
    call_id: z.string(),
    text: z.string(),
    /** Row of the step log; null for a call that never ran. */
    step: z.number().int().positive().nullable(),
    /** Why the call never ran; null when it has a step. */
    not_run: z.enum(NOT_RUN_REASONS).nullable(),
  }).refine(({ step, not_run }) => (step === null) !== (not_run === null), {
    message: "a tool result has either a step or a reason why the call never ran",
  }),
]);
export type TranscriptMessage = z.infer<typeof transcriptMessageSchema>;

/** One line of `transcript.jsonl`. */
export const transcriptLineSchema = z.object({
  schema_version: z.literal(SCHEMA_VERSION),
  /** 0 for the opening; n for the model's n-th message and for what answers it. */
  turn: z.number().int().nonnegative(),
  message: transcriptMessageSchema,
  /** Tokens of this request; assistant messages only. */
  usage: usageSchema.nullable(),
  /** Null when neither reported nor priced, and for all but assistant messages. */
  cost_usd: z.number().nonnegative().nullable(),
  /** Why generation stopped, in the endpoint's words; assistant messages only. */
  finish_reason: z.string().nullable(),
  /** Wall time until the answer came; assistant messages only. */
  seconds: z.number().nonnegative().optional(),
});
export type TranscriptLine = z.infer<typeof transcriptLineSchema>;
