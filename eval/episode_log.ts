/**
 * The log of an episode under way. What an earlier process recorded is checked, what is new is appended: a killed
 * episode goes on by playing its recorded turns again, with the very code that plays new ones.
 */
import { canonicalJson, imageKey } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import { SCHEMA_VERSION, type StepRecord } from "../env/records.ts";
import type { EpisodeFolder, RecordedPlay } from "../tasks/run_folder.ts";
import type { TranscriptLine, TranscriptMessage } from "../tasks/run_schema.ts";
import type { AssistantMessage, ChatMessage, ModelTurn } from "./model.ts";

/** The recorded part of an episode does not repeat: it cannot be continued. */
export class RecordingMismatch extends Error {
  override readonly name = "RecordingMismatch";
}

/** What an answer to a call has beside its text. */
export type ToolResult = Pick<Extract<TranscriptMessage, { role: "tool" }>, "step" | "not_run">;

/** A turn and how long the player took. */
export interface TimedTurn extends ModelTurn {
  seconds: number;
}

export class EpisodeLog {
  #messages = 0;
  #steps = 0;
  #turn = 0;
  #mismatch: RecordingMismatch | null = null;

  constructor(private readonly folder: EpisodeFolder, private readonly recorded: RecordedPlay) {}

  /** Whether recorded messages are still to be played again. */
  get replaying(): boolean {
    return this.#messages < this.recorded.transcript.length;
  }

  /** The next turn if it is recorded. */
  recordedTurn(): TimedTurn | null {
    if (!this.replaying) return null;
    const { message, usage, cost_usd, finish_reason, seconds = 0 } = this.recorded.transcript[this.#messages];
    if (message.role !== "assistant" || usage === null || finish_reason === null) {
      throw new RecordingMismatch(`message ${this.#messages} is not the model's turn`);
    }
    const calls = message.calls.map(({ cut_off, ...call }) => ({ ...call, cutOff: cut_off }));
    return { message: { ...message, calls }, usage, costUsd: cost_usd, finishReason: finish_reason, seconds };
  }

  /** The model's turn, written before its calls run. */
  turn(turn: TimedTurn): void {
    this.#turn += 1;
    this.#line({
      ...NO_TURN,
      turn: this.#turn,
      message: assistantLine(turn.message),
      usage: turn.usage,
      cost_usd: turn.costUsd,
      finish_reason: turn.finishReason,
      seconds: turn.seconds,
    });
  }

  /** A system or user message. */
  message(message: Extract<ChatMessage, { role: "system" | "user" }>): void {
    this.#line({ ...NO_TURN, turn: this.#turn, message: promptLine(message) });
  }

  /** The answer to a call, written after it ran. */
  result(callId: string, text: string, { step, not_run }: ToolResult): void {
    const message = { role: "tool" as const, call_id: callId, text, step, not_run };
    this.#line({ ...NO_TURN, turn: this.#turn, message });
  }

  /** A step with its hidden metrics and the picture that the model received. */
  async step(step: StepRecord, image: Image | null): Promise<void> {
    this.#steps += 1;
    if (step.step >= this.recorded.steps.length) return await this.folder.appendStep(step, image);
    if (canonicalJson(this.recorded.steps[step.step]) !== canonicalJson(step)) {
      this.#mismatch ??= new RecordingMismatch(`step ${step.step} (${step.tool}) comes out differently`);
    }
    await this.folder.storeImage(step.image, image);
  }

  /** @throws RecordingMismatch if anything checked so far differs from what is recorded */
  check(): void {
    if (this.#mismatch !== null) throw this.#mismatch;
  }

  /** @throws RecordingMismatch if more is recorded than was played, too */
  checkEnd(): void {
    this.check();
    if (this.replaying) throw new RecordingMismatch(`it ends before message ${this.#messages}`);
    if (this.#steps < this.recorded.steps.length) {
      throw new RecordingMismatch(`it ends before step ${this.#steps}`);
    }
  }

  #line(line: TranscriptLine): void {
    if (!this.replaying) return this.folder.appendMessage(line);
    const recorded = this.recorded.transcript[this.#messages];
    if (canonicalJson(recorded) !== canonicalJson(line)) {
      const { role } = line.message;
      this.#mismatch ??= new RecordingMismatch(`message ${this.#messages} (${role}) comes out differently`);
    }
    this.#messages += 1;
  }
}

const NO_TURN = { schema_version: SCHEMA_VERSION, usage: null, cost_usd: null, finish_reason: null } as const;

function promptLine(message: Extract<ChatMessage, { role: "system" | "user" }>): TranscriptMessage {
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
