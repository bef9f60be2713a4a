/** Messages of a `transcripts` row as our own runs write them, and the model's turn back from its message. */
import { z } from "zod";
import { NOT_RUN_REASONS } from "../env/calls.ts";
import type { MessageRow } from "../tasks/transcript_rows.ts";
import type { TimedTurn } from "./transcriber.ts";

const count = z.number().int().nonnegative().nullable();

const messageSchema = z.object({
  role: z.enum(["system", "user", "assistant", "tool"]),
  content: z.string().nullable(),
  images: z.array(z.string()),
  tool_calls: z.array(
    z.object({ id: z.string(), name: z.string(), arguments: z.string(), cut_off: z.boolean() }),
  ),
  tool_call_id: z.string().nullable(),
  step: count,
  not_run: z.enum(NOT_RUN_REASONS).nullable(),
  turn: z.number().int().nonnegative(),
  finish_reason: z.string().nullable(),
  input_tokens: count,
  cached_input_tokens: count,
  output_tokens: count,
  reasoning_tokens: count,
  cost_usd: z.number().nullable(),
  seconds: z.number().nullable(),
  raw: z.string().nullable().refine(isJson),
});

function isJson(text: string | null): boolean {
  try {
    if (text !== null) JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** Null where some message is of another form. */
export function ownMessages(messages: readonly unknown[]): readonly MessageRow[] | null {
  const own = z.array(messageSchema).safeParse(messages);
  return own.success && own.data.length > 0 ? own.data : null;
}

/** The turn that a message holds; null for the message of another. */
export function turnOfMessage(message: MessageRow): TimedTurn | null {
  const { role, finish_reason, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens } = message;
  if (role !== "assistant" || finish_reason === null) return null;
  const calls = message.tool_calls.map(({ cut_off, ...call }) => ({ ...call, cutOff: cut_off }));
  const raw: unknown = message.raw === null ? undefined : JSON.parse(message.raw);
  return {
    message: { role: "assistant", text: message.content, calls, raw },
    usage: {
      input_tokens: input_tokens ?? 0,
      cached_input_tokens: cached_input_tokens ?? 0,
      output_tokens: output_tokens ?? 0,
      reasoning_tokens: reasoning_tokens ?? 0,
    },
    costUsd: message.cost_usd,
    finishReason: finish_reason,
    seconds: message.seconds ?? 0,
  };
}
