/** The lines of a transcript as a dialogue makes them, and the model's turn back from its line. */
import { imageKey } from "../env/hash.ts";
import { SCHEMA_VERSION } from "../env/records.ts";
import type { TranscriptLine, TranscriptMessage } from "../tasks/run_schema.ts";
import type { AssistantMessage, ChatMessage, ModelTurn } from "./model.ts";

/** What an answer to a call has beside its text. */
export type ToolResult = Pick<Extract<TranscriptMessage, { role: "tool" }>, "step" | "not_run">;

/** A turn and how long the player took. */
export interface TimedTurn extends ModelTurn {
  seconds: number;
}

/** What the environment's side says: the rules, the opening, pictures, requests to continue. */
export type PromptMessage = Extract<ChatMessage, { role: "system" | "user" }>;

export class Transcriber {
  #turn = 0;

  /** @param write takes each line as it arises */
  constructor(private readonly write: (line: TranscriptLine) => void) {}

  turn(turn: TimedTurn): void {
    this.#turn += 1;
    this.write({
      ...NO_TURN,
      turn: this.#turn,
      message: assistantLine(turn.message),
      usage: turn.usage,
      cost_usd: turn.costUsd,
      finish_reason: turn.finishReason,
      seconds: turn.seconds,
    });
  }

  message(message: PromptMessage): void {
    this.write({ ...NO_TURN, turn: this.#turn, message: promptLine(message) });
  }

  result(callId: string, text: string, { step, not_run }: ToolResult): void {
    const message = { role: "tool" as const, call_id: callId, text, step, not_run };
    this.write({ ...NO_TURN, turn: this.#turn, message });
  }
}

/** The turn that a line holds; null for the line of another message. */
export function turnOfLine(line: TranscriptLine): TimedTurn | null {
  const { message, usage, cost_usd, finish_reason, seconds = 0 } = line;
  if (message.role !== "assistant" || usage === null || finish_reason === null) return null;
  const calls = message.calls.map(({ cut_off, ...call }) => ({ ...call, cutOff: cut_off }));
  return { message: { ...message, calls }, usage, costUsd: cost_usd, finishReason: finish_reason, seconds };
}

const NO_TURN = { schema_version: SCHEMA_VERSION, usage: null, cost_usd: null, finish_reason: null } as const;

function promptLine(message: PromptMessage): TranscriptMessage {
  if (message.role === "system") return message;
  return {
    role: "user",
    parts: message.parts.map((part) =>
      part.type === "text" ? part : { type: "image" as const, key: imageKey(part.image) }
    ),
  };
}

function assistantLine({ role, text, calls, raw }: AssistantMessage): TranscriptMessage {
  return { role, text, raw, calls: calls.map(({ cutOff, ...call }) => ({ ...call, cut_off: cutOff })) };
}
