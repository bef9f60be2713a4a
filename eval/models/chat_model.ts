/** A model behind an OpenAI-compatible Chat Completions endpoint. */
import OpenAI, { APIConnectionError, APIConnectionTimeoutError, APIError } from "openai";
import { z } from "zod";
import * as systemClock from "../../env/clock.ts";
import type { ToolSpec } from "../../env/observation.ts";
import { BenchError } from "../../env/errors.ts";
import { plainLine } from "../../env/plain_text.ts";
import {
  type ChatMessage,
  ContextOverflow,
  InfrastructureError,
  type Model,
  type ModelTurn,
  Stopped,
  type TurnSignals,
} from "../model.ts";
import { fetchWhole } from "./whole_answer.ts";
import { type Completion, completionSchema, readTurn, wireMessages, wireTools } from "./chat_wire.ts";
import { type Failure, judge } from "./endpoint_errors.ts";
import { Throttle } from "./throttle.ts";

export interface ChatModelOptions {
  /** Name in tables and folders. */
  name: string;
  /** What the endpoint calls it. */
  id: string;
  baseUrl: string;
  /** Null for servers that want none. */
  apiKey: string | null;
  /** Sent as `reasoning_effort`; null sends nothing. */
  effort: string | null;
  /** Merged into every request body, over our own fields. */
  extraBody: Readonly<Record<string, unknown>>;
  /** Most output tokens a turn. */
  maxTokens: number;
  /** Most requests at a time. */
  concurrency: number;
  /** Deadline of one attempt, headers and body together. */
  timeoutMs?: number;
  /** Told of every attempt that failed, in one line. */
  notice?: (line: string) => void;
  clock?: { now(): number; sleep(ms: number, signal?: AbortSignal): Promise<void>; jitter(): number };
}

const DEFAULT_TIMEOUT_MS = 600_000;
const MAX_ATTEMPTS = 8;
const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;
/** An endpoint that asks for more is not waited for. */
const LONGEST_TOLD_WAIT_MS = 2 * 3_600_000;

const realClock = { now: () => systemClock.epochMs(), sleep: systemClock.sleep, jitter: systemClock.jitter };

/** The endpoint as a `Model`: retries what can be retried, within one deadline an attempt. */
export function chatModel(options: ChatModelOptions): Model {
  const { name, id, baseUrl, effort, extraBody, maxTokens } = options;
  return new ChatModel(options, {
    id,
    base_url: baseUrl,
    effort,
    extra_body: extraBody,
    max_tokens: maxTokens,
    name,
  });
}

class ChatModel implements Model {
  readonly name: string;
  readonly #client: OpenAI;
  readonly #clock: NonNullable<ChatModelOptions["clock"]>;
  readonly #throttle: Throttle;
  /** Endpoints disagree on the name of the cap; settled once, by the first refusal. */
  #tokenParameter: "max_completion_tokens" | "max_tokens" = "max_completion_tokens";
  #tokenParameterSettled = false;
  #everSucceeded = false;

  constructor(
    private readonly options: ChatModelOptions,
    readonly settings: Readonly<Record<string, unknown>>,
  ) {
    this.name = options.name;
    this.#clock = options.clock ?? realClock;
    this.#throttle = new Throttle(options.concurrency, this.#clock);
    this.#client = new OpenAI({
      baseURL: options.baseUrl,
      // The client insists on a key; servers without keys ignore it.
      apiKey: options.apiKey ?? "none",
      organization: null,
      project: null,
      ...(options.apiKey === null ? { defaultHeaders: { Authorization: null } } : {}),
      maxRetries: 0,
      fetch: fetchWhole,
      timeout: options.timeoutMs ?? DEFAULT_TIMEOUT_MS,
    });
  }

  async respond(
    messages: readonly ChatMessage[],
    tools: readonly ToolSpec[],
    signals: TurnSignals,
  ): Promise<ModelTurn> {
    const wire = await wireMessages(messages);
    for (let attempt = 1;; attempt++) {
      const outcome = await this.#waiting(signals, (signal) =>
        this.#throttle.run(() => {
          // What was stopped in the queue must not start a request.
          signal.throwIfAborted();
          return this.#attempt(wire, tools, signals.abort);
        }, signal));
      if ("choices" in outcome) {
        this.#everSucceeded = true;
        this.#throttle.succeeded();
        return readTurn(outcome);
      }
      signals.abort.throwIfAborted();
      await this.#waiting(signals, (signal) => this.#recover(outcome, attempt, signal));
    }
  }

  /** Runs what may wait; a wait that `stop` ends throws `Stopped`. */
  async #waiting<T>({ abort, stop }: TurnSignals, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    try {
      return await run(AbortSignal.any([abort, stop]));
    } catch (error) {
      if (stop.aborted && !abort.aborted && error === stop.reason) throw new Stopped();
      throw error;
    }
  }

  async #attempt(
    messages: unknown[],
    tools: readonly ToolSpec[],
    signal: AbortSignal,
  ): Promise<Completion | Failure> {
    const { id, effort, maxTokens, extraBody } = this.options;
    const body = {
      model: id,
      messages,
      tools: wireTools(tools),
      [this.#tokenParameter]: maxTokens,
      ...(effort === null ? {} : { reasoning_effort: effort }),
      ...extraBody,
    };
    try {
      const deadline = AbortSignal.timeout(this.options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
      const sent = this.#client.post<unknown>("/chat/completions", {
        body,
        signal: AbortSignal.any([signal, deadline]),
      });
      const { data, response } = await sent.withResponse();
      return readAnswer(data, response.status);
    } catch (error) {
      return describeFailure(error);
    }
  }

  /** Waits, or changes what has to change, before the next attempt; throws when there is no use in one. */
  async #recover(failure: Failure, attempt: number, signal: AbortSignal): Promise<void> {
    const verdict = judge(failure, this.#clock.now());
    const why = `${this.options.baseUrl}: ${verdict.why}`;
    switch (verdict.kind) {
      case "context":
        throw new ContextOverflow(why);
      case "token-parameter":
        if (this.#tokenParameterSettled) throw this.#hopeless(why);
        this.#tokenParameterSettled = true;
        this.#tokenParameter = "max_tokens";
        return;
      case "fatal":
        throw new BenchError({ what: `Cannot use model ${this.name}`, why, fix: verdict.fix });
      case "refused":
        throw this.#hopeless(why);
      case "retry": {
        if (attempt >= MAX_ATTEMPTS) {
          throw new InfrastructureError(`gave up after ${attempt} attempts: ${why}`);
        }
        const backOff = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1)) *
          (0.5 + this.#clock.jitter());
        const wait = verdict.afterMs ?? backOff;
        if (wait > LONGEST_TOLD_WAIT_MS) {
          const hours = Math.round(wait / 3_600_000);
          throw new InfrastructureError(`gave up: ${why}; it asks to wait for ${hours} h`);
        }
        this.options.notice?.(
          `${this.name}: attempt ${attempt} of ${MAX_ATTEMPTS} failed (${verdict.why}); next in ${
            seconds(wait)
          }`,
        );
        // Every episode of this model waits out a rate limit; other failures are this request's own.
        if (failure.status === 429 || failure.status === 529) this.#throttle.overloaded(wait);
        else await this.#clock.sleep(wait, signal);
        return;
      }
    }
  }

  /** A refusal before anything ever worked is a wrong set-up; later it is one episode's bad luck. */
  #hopeless(why: string): Error {
    if (this.#everSucceeded) return new InfrastructureError(why);
    return new BenchError({
      what: `Cannot use model ${this.name}`,
      why,
      fix: "Check --base-url (it usually ends in /v1), the model id, --effort and --extra-body",
    });
  }
}

function readAnswer(answer: unknown, status: number): Completion | Failure {
  if (answer === undefined || answer === null || answer === "") {
    return { status, message: "the answer is empty", headers: null };
  }
  if (typeof answer === "string") return notJson(answer, status);
  const completion = completionSchema.safeParse(answer);
  if (completion.success) {
    const [choice] = completion.data.choices;
    if (choice.finish_reason === "error" || choice.finish_reason === "abort") {
      return { status: 0, message: `finish_reason "${choice.finish_reason}"`, headers: null };
    }
    return completion.data;
  }
  // OpenRouter reports failures of its providers as a 200 with an error in the body.
  const reported = z.looseObject({ error: z.looseObject({ code: z.unknown(), message: z.unknown() }) })
    .safeParse(answer);
  if (reported.success) {
    const { code, message } = reported.data.error;
    const status = Number(code);
    return { status: status >= 400 && status < 600 ? status : 0, message: oneLine(message), headers: null };
  }
  const [{ path, message }] = completion.error.issues;
  const where = path.join(".") || "it";
  return { status: 0, message: `the answer is not a chat completion (${where}: ${message})`, headers: null };
}

/** A body that began as JSON broke off; any other is a web page, most often, and will be one again. */
function notJson(text: string, status: number): Failure {
  if (text.trimStart().startsWith("{")) return { status: 0, message: "the answer breaks off", headers: null };
  const start = JSON.stringify(oneLine(text).slice(0, 80));
  return { status, message: `the answer is not JSON but ${start}`, headers: null };
}

function describeFailure(error: unknown): Failure {
  if (error instanceof APIConnectionTimeoutError) {
    return { status: 0, message: "no answer in time", headers: null };
  }
  if (error instanceof APIConnectionError) {
    return {
      status: 0,
      message: oneLine(error.cause instanceof Error ? error.cause.message : error.message),
      headers: null,
    };
  }
  if (error instanceof APIError && typeof error.status === "number") {
    return { status: error.status, message: oneLine(error.message), headers: error.headers ?? null };
  }
  // A deadline in the middle of the body, or a body that is not JSON.
  return { status: 0, message: oneLine(error instanceof Error ? error.message : error), headers: null };
}

function oneLine(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value) ?? "unknown error";
  return plainLine(text).slice(0, 300);
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;
