/** A conversation as one row of `transcripts`. */
import type { EpisodeRecord } from "../env/records.ts";
import type { TranscriptLine } from "./run_schema.ts";

/** A message of our own transcripts; keys that say nothing about a message are null. */
export interface MessageRow {
  role: string;
  content: string | null;
  /** Keys of the pictures in it: `imageKey` of their pixels. */
  images: string[];
  tool_calls: { id: string; name: string; arguments: string; cut_off: boolean }[];
  tool_call_id: string | null;
  /** Row of `steps` that a tool result belongs to. */
  step: number | null;
  not_run: string | null;
  /** 0 for the opening; n for the model's n-th message and what answers it. */
  turn: number;
  finish_reason: string | null;
  input_tokens: number | null;
  cached_input_tokens: number | null;
  output_tokens: number | null;
  reasoning_tokens: number | null;
  cost_usd: number | null;
  seconds: number | null;
  /** The model's message as its endpoint sent it, as JSON. */
  raw: string | null;
}

/** The row of one of our conversations. */
export function transcriptRow(record: EpisodeRecord, lines: readonly TranscriptLine[]) {
  const { schema_version, episode_id, model_name, task_id, context_compacted } = record;
  return {
    schema_version,
    episode_id,
    model_name,
    task_id,
    messages: lines.map(messageRow),
    context_compacted,
  };
}

function messageRow({ turn, message, usage, cost_usd, finish_reason, seconds }: TranscriptLine): MessageRow {
  const blank: MessageRow = {
    role: message.role,
    content: null,
    images: [],
    tool_calls: [],
    tool_call_id: null,
    step: null,
    not_run: null,
    turn,
    finish_reason,
    input_tokens: usage?.input_tokens ?? null,
    cached_input_tokens: usage?.cached_input_tokens ?? null,
    output_tokens: usage?.output_tokens ?? null,
    reasoning_tokens: usage?.reasoning_tokens ?? null,
    cost_usd,
    seconds: seconds ?? null,
    raw: null,
  };
  switch (message.role) {
    case "system":
      return { ...blank, content: message.text };
    case "user": {
      const texts = message.parts.flatMap((part) => part.type === "text" ? [part.text] : []);
      const images = message.parts.flatMap((part) => part.type === "image" ? [part.key] : []);
      return { ...blank, content: texts.join("\n"), images };
    }
    case "assistant": {
      const raw = message.raw === undefined ? null : JSON.stringify(message.raw);
      return { ...blank, content: message.text, tool_calls: message.calls, raw };
    }
    case "tool":
      return {
        ...blank,
        content: message.text,
        tool_call_id: message.call_id,
        step: message.step,
        not_run: message.not_run,
      };
  }
}
