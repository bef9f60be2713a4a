/**
 * The conversation of an episode: turns, calls, answers, pictures, and how it ends. Whoever plays it says where turns
 * come from and where messages go; a new episode, a continued one and a replay are the same dialogue.
 */
import { decodeCall, MAX_CALLS_NOT_RUN_IN_A_ROW, MAX_CONTINUE_REQUESTS } from "../env/calls.ts";
import type { Episode } from "../env/environment.ts";
import { type CallOutcome, neverRan, type Observation } from "../env/observation.ts";
import type { PolicyCall } from "../env/policy.ts";
import type { EndedBy } from "../env/records.ts";
import { EpisodeTally } from "./episode_record.ts";
import { type ChatMessage, ContextOverflow, type ModelCall, type Part } from "./model.ts";
import type { Conversation } from "./player.ts";
import type { PromptMessage, TimedTurn, ToolResult } from "./transcriber.ts";

/** Where the messages of a dialogue go, as they arise. */
export interface DialogueLog {
  message(message: PromptMessage): void;
  /** The model's turn, before its calls run. */
  turn(turn: TimedTurn): void;
  /** The answer to a call, after it ran. */
  result(callId: string, text: string, result: ToolResult): void;
  /** Called before each call; throws where the dialogue must not go on. */
  check(): void;
}

/** What a turn without a call is answered with. */
export const CONTINUE_REQUEST =
  "You made no tool call. Continue with a tool call; call submit when you are done.";

export class Dialogue {
  readonly tally = new EpisodeTally();
  readonly #messages: ChatMessage[] = [];
  readonly #history: { call: PolicyCall; outcome: CallOutcome }[] = [];
  #continueRequests = 0;
  #notRunInARow = 0;

  /** @param nextTurn the model's next turn; throws as `Model.respond` does */
  constructor(
    private readonly episode: Episode,
    private readonly log: DialogueLog,
    private readonly nextTurn: (conversation: Conversation) => Promise<TimedTurn>,
  ) {}

  /** Plays to the end; an episode that is not done by then is left for `submit()`. */
  async play(): Promise<EndedBy> {
    const { episode } = this;
    const opening = await episode.observe();
    this.#say({ role: "system", text: episode.prompts.system });
    this.#say({ role: "user", parts: openingParts(opening) });
    try {
      for (;;) {
        const calls = await this.#turn(opening);
        const end = calls.length > 0 ? await this.#answer(calls) : this.#askToContinue();
        if (end !== null) return end;
      }
    } catch (error) {
      if (error instanceof ContextOverflow) return "context_overflow";
      throw error;
    }
  }

  async #turn(opening: Observation): Promise<readonly ModelCall[]> {
    const turn = await this.nextTurn({
      opening,
      tools: this.episode.tools,
      messages: this.#messages,
      history: this.#history,
    });
    this.log.turn(turn);
    this.tally.turn(turn);
    this.#messages.push(turn.message);
    return turn.message.calls;
  }

  /** Runs the calls of a turn in the order issued; their answers follow one another, the pictures come after. */
  async #answer(calls: readonly ModelCall[]): Promise<EndedBy | null> {
    let end: EndedBy | null = null;
    const pictures: Part[] = [];
    for (const call of calls) {
      this.log.check();
      const outcome = await this.#call(call);
      this.log.result(call.id, outcome.text, { step: outcome.step, not_run: outcome.notRun });
      this.#messages.push({ role: "tool", callId: call.id, text: outcome.text });
      if (outcome.image !== null) {
        pictures.push({ type: "text", text: `Picture from ${call.name} (call ${outcome.step}):` });
        pictures.push({ type: "image", image: outcome.image });
      }
      if (end !== null) continue;
      if (outcome.done) {
        end = call.name === "submit" && outcome.accepted ? "submit" : "budget";
      } else if (this.#notRunInARow > MAX_CALLS_NOT_RUN_IN_A_ROW) {
        return "calls_not_run";
      }
    }
    if (end === null && pictures.length > 0) this.#say({ role: "user", parts: pictures });
    return end;
  }

  async #call(call: ModelCall): Promise<CallOutcome> {
    const decoded = decodeCall(call);
    if ("reason" in decoded) {
      this.#notRunInARow += 1;
      this.tally.notRun(decoded.reason);
      return neverRan(decoded, this.episode.done);
    }
    const outcome = await this.episode.call(call.name, decoded.args);
    this.#history.push({ call: { name: call.name, arguments: argumentsOf(decoded.args) }, outcome });
    if (outcome.notRun === null) this.#notRunInARow = 0;
    else {
      this.#notRunInARow += 1;
      this.tally.notRun(outcome.notRun);
    }
    return outcome;
  }

  #askToContinue(): EndedBy | null {
    if (this.#continueRequests >= MAX_CONTINUE_REQUESTS) return "no_calls";
    this.#continueRequests += 1;
    this.#say({ role: "user", parts: [{ type: "text", text: CONTINUE_REQUEST }] });
    return null;
  }

  #say(message: PromptMessage): void {
    this.log.message(message);
    this.#messages.push(message);
  }
}

function openingParts({ text, image }: Observation): Part[] {
  const parts: Part[] = [{ type: "text", text }];
  if (image !== null) parts.push({ type: "image", image });
  return parts;
}

/** Arguments as a policy sees them: always an object, as it sent one. */
function argumentsOf(args: unknown): Record<string, unknown> {
  return typeof args === "object" && args !== null && !Array.isArray(args) ? { ...args } : {};
}
