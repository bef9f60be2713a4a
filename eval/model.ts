/** What `eval` asks of a model, be it an endpoint or a scripted policy. */
import type { ToolSpec } from "../env/observation.ts";
import type { RawCall } from "../env/calls.ts";
import type { Image } from "../env/image.ts";
import type { Usage } from "../env/records.ts";

/** One piece of a message. */
export type Part = { type: "text"; text: string } | { type: "image"; image: Image };

/** A call of a turn. */
export interface ModelCall extends RawCall {
  /** The endpoint's; the driver replaces one that is empty or was given before. */
  id: string;
}

/** A model's turn as it goes back into the next request. */
export interface AssistantMessage {
  role: "assistant";
  text: string | null;
  calls: readonly ModelCall[];
  /** The endpoint's message as it came, for the transcript and for fields that must be sent back unchanged. */
  raw: unknown;
}

/** Tool results are text only; their pictures follow in one user message, as Chat Completions demands. */
export type ChatMessage =
  | { role: "system"; text: string }
  | { role: "user"; parts: readonly Part[] }
  | AssistantMessage
  | { role: "tool"; callId: string; text: string };

export interface ModelTurn {
  message: AssistantMessage;
  /** Why generation stopped, in the endpoint's words. */
  finishReason: string;
  usage: Usage;
  /** Null when neither reported nor priced. */
  costUsd: number | null;
}

/** What may cut a turn short. */
export interface TurnSignals {
  /** Drops the request under way. */
  abort: AbortSignal;
  /** Lets the request under way finish, but waits for no other: the turn throws `Stopped`. */
  stop: AbortSignal;
}

export interface Model {
  readonly name: string;
  /** Everything that can change its answers, secrets excluded: written to `run.json`, compared on resume. */
  readonly settings: Readonly<Record<string, unknown>>;
  /**
   * The next turn.
   *
   * @throws InfrastructureError when the endpoint failed for good: the episode is a row with status `error`
   * @throws ContextOverflow when the conversation no longer fits: the episode ends as it stands
   * @throws Stopped when `stop` was aborted while no request was under way
   * @throws BenchError when no request to it can ever succeed (key, model name): the run stops
   */
  respond(
    messages: readonly ChatMessage[],
    tools: readonly ToolSpec[],
    signals: TurnSignals,
  ): Promise<ModelTurn>;
}

/** The endpoint, not the model, failed; never scored as 0. */
export class InfrastructureError extends Error {
  override readonly name = "InfrastructureError";
}

/** The conversation outgrew the model's context. */
export class ContextOverflow extends Error {
  override readonly name = "ContextOverflow";
}

/** Not an error: the person asked to stop, and no request was under way. */
export class Stopped extends Error {
  override readonly name = "Stopped";
}
