/**
 * An episode of tool calls, `observe → call* → submit`: turns, budgets, the step log and the words around an answer.
 * A benchmark adds its state, its tools and its hidden score.
 */
import { applyAliases, type CallRules, contradiction, type NotRun, whyNotRun } from "./calls.ts";
import type { Budget, Episode, EpisodeOptions, EpisodeResult, TaskInfo } from "./environment.ts";
import { BenchError } from "./errors.ts";
import { imageKey } from "./hash.ts";
import { copyImage, type Image } from "./image.ts";
import { count } from "./numbers.ts";
import { type CallOutcome, neverRan, type Observation, type Prompts, type ToolSpec } from "./observation.ts";
import { receivedArguments } from "./received_arguments.ts";
import { SCHEMA_VERSION, type StepRecord } from "./records.ts";
import { isRefusal, type Refusal, refuse } from "./refusal.ts";
import { type HiddenPart, StepLog } from "./step_log.ts";
import type { Tool } from "./tool.ts";

/** Who ended the episode. */
export type SubmittedBy = "model" | "call_budget" | "outside";

/** A call that did what it asked for. */
export interface ToolAnswer {
  readonly text: string;
  readonly image?: Image;
}

/** What an episode is played with. */
export interface ToolEpisodeSetup<Context, Answer> {
  readonly task: TaskInfo;
  readonly options: EpisodeOptions;
  /** Tools as the model is told of them; published tasks bring their own. */
  readonly specs: readonly ToolSpec[];
  readonly prompts: Prompts;
  readonly tools: ReadonlyMap<string, Tool<Context, Answer>>;
  readonly callRules: CallRules;
  /** What may be used, by budget; `calls` among them. */
  readonly limits: Readonly<Record<string, number>> & { readonly calls: number };
  /** What is left is told in these words and this order, by budget. */
  readonly nouns: Readonly<Record<string, string>>;
  /** What is submitted: `scene`, `pose`. */
  readonly answer: string;
}

interface Step {
  text: string;
  image: Image | null;
  refusal: string | null;
  changed: boolean;
}

/**
 * A call that runs is one step and one call, refused or not; what else a tool costs is used only by a call that was
 * accepted. Hidden metrics are asked for when a state is first logged, and awaited by `steps` and `result` alone.
 */
export abstract class ToolEpisode<Context, Answer extends ToolAnswer> implements Episode {
  readonly id: string;
  readonly task: TaskInfo;
  readonly protocol: string;
  readonly tools: readonly ToolSpec[];
  readonly prompts: Prompts;

  readonly #setup: ToolEpisodeSetup<Context, Answer>;
  readonly #log: StepLog;
  readonly #used: Record<string, number>;
  #opened: Promise<Observation> | undefined;
  /** Hidden metrics of the state, asked for with the first step that shows it. */
  #hidden: Promise<HiddenPart> | undefined;
  /** Steps logged; the next one's number. */
  #steps = 0;
  #submittedBy: SubmittedBy | null = null;
  /** Settles when every call made so far has run. */
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(setup: ToolEpisodeSetup<Context, Answer>) {
    this.id = setup.options.id;
    this.task = setup.task;
    this.protocol = setup.options.protocol;
    this.tools = setup.specs;
    this.prompts = setup.prompts;
    this.#setup = setup;
    this.#log = new StepLog(setup.options.onStep);
    this.#used = Object.fromEntries(Object.keys(setup.limits).map((name) => [name, 0]));
  }

  /** The state in the published JSON shape. */
  abstract state(): unknown;

  /** The opening message and picture; asked for once. */
  protected abstract opening(): Promise<Observation>;

  /** What a tool may look at. */
  protected abstract context(): Context;

  /** Takes over what an accepted call changed; whether that is anything. */
  protected abstract take(answer: Answer): boolean;

  /** Hidden metrics of the state as it is. */
  protected abstract measure(): Promise<HiddenPart>;

  protected abstract rewardOf(score: number): number;

  /** Why a call is refused before its arguments are looked at; null when it is not. */
  protected refusalBefore(_tool: Tool<Context, Answer>): Refusal | null {
    return null;
  }

  /** Text of the step that a submit which nobody called adds, without its full stop; null adds none. */
  protected automaticSubmit(_how: string): string | null {
    return null;
  }

  /** What there is to tell at the end, besides who submitted. */
  protected details(): Record<string, unknown> {
    return {};
  }

  get done(): boolean {
    return this.#submittedBy !== null;
  }

  get budgets(): Readonly<Record<string, Budget>> {
    const { limits } = this.#setup;
    const entries = Object.entries(limits).map(([name, limit]) => [name, { used: this.#used[name], limit }]);
    return Object.fromEntries(entries);
  }

  /** Calls that ran so far. */
  protected get calls(): number {
    return this.#used.calls;
  }

  async observe(): Promise<Observation> {
    return givenOut(await this.#opening());
  }

  call(tool: string, args: unknown): Promise<CallOutcome> {
    // Copied now: the caller may change what it passed while the call waits for its turn.
    const received = receivedArguments(args);
    return this.#inTurn(() => this.#call(tool, received));
  }

  submit(): Promise<void> {
    return this.#inTurn(async () => {
      await this.#opening();
      if (!this.done) this.#submitFor("outside", this.automaticSubmit("Submitted from outside"));
    });
  }

  async steps(): Promise<readonly StepRecord[]> {
    await this.#lastCall;
    await this.#opened;
    return await this.#log.records();
  }

  async result(): Promise<EpisodeResult> {
    await this.#lastCall;
    if (!this.done) {
      throw new BenchError({
        what: `Cannot give the result of ${this.id}`,
        why: "the episode has not ended",
        fix: "Call submit first",
      });
    }
    await this.#log.records();
    const { hidden_score: score, hidden } = await this.#measured();
    return {
      score,
      metrics: hidden,
      reward: score === null ? null : this.rewardOf(score),
      finalState: this.state(),
      details: { submitted_by: this.#submittedBy, ...this.details() },
    };
  }

  /** Hidden metrics of the state as it is. */
  hidden(): Promise<HiddenPart> {
    return this.#inTurn(() => this.#measured());
  }

  #opening(): Promise<Observation> {
    return this.#opened ??= this.#open();
  }

  async #open(): Promise<Observation> {
    const opening = await this.opening();
    this.#addStep("reset", {}, { ...opening, refusal: null, changed: true });
    return opening;
  }

  /** One call at a time, in the order made: budgets and state are those that the calls before it left. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastCall.then(work);
    this.#lastCall = turn.catch(() => {});
    return turn;
  }

  async #call(name: string, received: unknown): Promise<CallOutcome> {
    await this.#opening();
    const { callRules, tools } = this.#setup;
    const notRun = whyNotRun(name, received, this.done, callRules);
    if (notRun !== null) return this.#neverRan(notRun);
    const tool = tools.get(name);
    const step = tool === undefined
      ? refusedStep(noSuchTool(name, [...tools.keys()]))
      : await this.#run(tool, received);
    this.#used.calls++;
    return this.#finish(tool?.name ?? toolName(name), received, step);
  }

  async #run(tool: Tool<Context, Answer>, received: unknown): Promise<Step> {
    const refusal = this.refusalBefore(tool) ?? this.#overBudget(tool);
    if (refusal !== null) return refusedStep(refusal);
    const twice = isRecord(received) ? contradiction(received, tool.aliases) : null;
    if (twice !== null) {
      const [first, second] = twice;
      return refusedStep(
        refuse("bad_value", `arguments: ${first} and ${second} are one, and differ; give one`),
      );
    }
    const args = isRecord(received) ? applyAliases(received, tool.aliases) : received;
    const outcome = await tool.run(args, this.context());
    if (isRefusal(outcome)) return refusedStep(outcome);
    for (const [budget, amount] of Object.entries(tool.cost)) this.#used[budget] += amount;
    const changed = this.take(outcome);
    if (changed) this.#hidden = undefined;
    if (tool.endsEpisode) this.#submittedBy = "model";
    const { text, image = null } = outcome;
    return { text, image, refusal: null, changed };
  }

  #overBudget({ cost }: Tool<Context, Answer>): Refusal | null {
    const { limits } = this.#setup;
    const over = Object.entries(cost).find(([name, amount]) => this.#used[name] + amount > limits[name]);
    if (over === undefined) return null;
    const [name] = over;
    return refuse(`no_${name}_left`, `no ${name} are left (the limit is ${limits[name]})`);
  }

  /** Logs the call, ends the episode where it was the last, and tells the model what is left. */
  #finish(tool: string, received: unknown, answered: Step): CallOutcome {
    const { limits, answer } = this.#setup;
    const outOfCalls = !this.done && this.calls >= limits.calls;
    const automatic = outOfCalls ? this.automaticSubmit("Submitted because no calls are left") : null;
    const { text, image, refusal } = answered;
    const notes = [
      this.#left(),
      ...(outOfCalls ? [`No calls are left, so the ${answer} was submitted as it is.`] : []),
    ];
    const response = `${text}${refusal === null ? "\n" : " "}${notes.join(" ")}`;
    // Where the end is no step of its own, the last call is the end.
    if (outOfCalls && automatic === null) this.#submittedBy = "call_budget";
    const step = this.#addStep(tool, received, { ...answered, text: response });
    if (automatic !== null) this.#submitFor("call_budget", automatic);
    return {
      ...givenOut({ text: response, image }),
      accepted: refusal === null,
      done: this.done,
      step,
      refusal,
      notRun: null,
    };
  }

  #submitFor(by: SubmittedBy, text: string | null): void {
    this.#submittedBy = by;
    if (text === null) return;
    this.#addStep("submit", {}, {
      text: `${text}. ${this.#left()}`,
      image: null,
      refusal: null,
      changed: false,
    });
  }

  #neverRan({ reason, text }: NotRun): CallOutcome {
    return neverRan({ reason, text: `${text} ${this.#left()}` }, this.done);
  }

  #addStep(tool: string, args: unknown, { text, image, refusal, changed }: Step): number {
    const step = this.#steps++;
    const visible = {
      schema_version: SCHEMA_VERSION,
      episode_id: this.id,
      step,
      tool,
      arguments: args,
      accepted: refusal === null,
      refusal,
      response: text,
      image: image === null ? null : imageKey(image),
      state: changed ? this.state() : null,
      budgets: this.#budgetsLeft(),
      done: this.done,
    } as const;
    this.#log.add(visible, this.#measured(), image);
    return step;
  }

  #budgetsLeft(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.budgets).map(([name, { used, limit }]) => [name, limit - used]),
    );
  }

  #left(): string {
    const left = this.#budgetsLeft();
    const told = Object.entries(this.#setup.nouns).map(([name, noun]) => count(left[name], noun));
    return `Left: ${told.join(", ")}.`;
  }

  #measured(): Promise<HiddenPart> {
    return this.#hidden ??= this.measure();
  }
}

/** The log and the shelves of pictures keep theirs, whatever its receiver does to it. */
function givenOut({ text, image }: Observation): Observation {
  return { text, image: image === null ? null : copyImage(image) };
}

function refusedStep({ refused, text }: Refusal): Step {
  return { text: `Refused: ${text}.`, image: null, refusal: refused, changed: false };
}

function noSuchTool(name: unknown, known: readonly string[]): Refusal {
  const said = typeof name === "string" ? JSON.stringify(toolName(name)) : `that is ${typeof name}`;
  return refuse("unknown_tool", `there is no tool ${said}; the tools are ${known.join(", ")}`);
}

/** As the log holds it: a model may send any text for a name, and a script what is no text. */
function toolName(name: unknown): string {
  if (typeof name !== "string") return typeof name;
  return name.length > 60 ? `${name.slice(0, 60)}…` : name;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
