/** One SplatBench episode: `observe → call* → submit`. */
import { applyAliases, type NotRun, whyNotRun } from "../env/calls.ts";
import type {
  Budget,
  Episode,
  EpisodeOptions,
  EpisodeResult,
  ScoredState,
  TaskInfo,
} from "../env/environment.ts";
import {
  type CallOutcome,
  neverRan,
  type Observation,
  type Prompts,
  type ToolSpec,
} from "../env/observation.ts";
import { BenchError } from "../env/errors.ts";
import { imageKey } from "../env/hash.ts";
import type { Image } from "../env/image.ts";
import { SCHEMA_VERSION, type StepRecord } from "../env/records.ts";
import { type HiddenPart, StepLog } from "../env/step_log.ts";
import { openingSheet } from "./opening.ts";
import { promptsFor, toolSpecs } from "./prompts.ts";
import type { TaskVariant } from "./protocols.ts";
import { type PartError, partErrors } from "./reassembly/part_errors.ts";
import { type Scene, sceneToRows } from "./scene.ts";
import { reward } from "./score/splat_score.ts";
import type { Studio } from "./studio.ts";
import { count } from "../env/numbers.ts";
import { receivedArguments } from "../env/received_arguments.ts";
import { isRefusal, type Refusal, refuse } from "../env/refusal.ts";
import { CALL_RULES, TOOL_BY_NAME } from "./tools/table.ts";
import type { SplatTool, ToolResult } from "./tools/tool.ts";

/** Who ended the episode. */
type SubmittedBy = "model" | "call_budget" | "outside";

/**
 * A task in play. A call that runs is one step and one call, refused or not; a render is used only by a call that was
 * accepted. Hidden metrics are asked for when a scene is first logged, and awaited by `steps` and `result` alone.
 */
export class SplatEpisode implements Episode {
  readonly id: string;
  readonly task: TaskInfo;
  readonly protocol: string;
  readonly tools: readonly ToolSpec[];
  readonly prompts: Prompts;

  readonly #variant: TaskVariant;
  readonly #studio: Studio;
  readonly #log: StepLog;
  readonly #opening: Observation;
  #scene: Scene;
  /** Hidden metrics of the scene, asked for with the first step that shows it. */
  #hidden: Promise<ScoredState> | undefined;
  #nextId: number;
  /** Steps logged; the next one's number. */
  #steps = 0;
  #calls = 0;
  #renders = 0;
  #refusedEarlySubmit = false;
  #submittedBy: SubmittedBy | null = null;
  /** Settles when every call made so far has run. */
  #lastCall: Promise<unknown> = Promise.resolve();

  constructor(variant: TaskVariant, studio: Studio, options: EpisodeOptions) {
    this.id = options.id;
    this.task = variant.info;
    this.protocol = variant.protocol.id;
    this.tools = toolSpecs(variant);
    this.prompts = promptsFor(variant, studio.scoreKind);
    this.#variant = variant;
    this.#studio = studio;
    this.#log = new StepLog(options.onStep);
    this.#opening = { text: this.prompts.user, image: openingSheet(variant) };
    this.#scene = variant.start;
    this.#nextId = idAfter(variant.start, 1);
  }

  get done(): boolean {
    return this.#submittedBy !== null;
  }

  get budgets(): Readonly<Record<string, Budget>> {
    const { calls, renders, gaussians } = this.#variant.limits;
    return {
      calls: { used: this.#calls, limit: calls },
      renders: { used: this.#renders, limit: renders },
      gaussians: { used: this.#scene.length, limit: gaussians },
    };
  }

  observe(): Promise<Observation> {
    if (this.#steps === 0) {
      const { text, image } = this.#opening;
      this.#addStep("reset", {}, { text, image, refusal: null, changed: true, done: false });
    }
    return Promise.resolve(this.#opening);
  }

  call(tool: string, args: unknown): Promise<CallOutcome> {
    // Copied now: the caller may change what it passed while the call waits for its turn.
    const received = receivedArguments(args);
    return this.#inTurn(() => this.#call(tool, received));
  }

  submit(): Promise<void> {
    return this.#inTurn(async () => {
      await this.observe();
      if (!this.done) this.#submitFor("outside", "Submitted from outside");
    });
  }

  state(): unknown {
    return sceneToRows(this.#scene);
  }

  async steps(): Promise<readonly StepRecord[]> {
    await this.#lastCall;
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
    const { score, metrics } = await this.#scored();
    return {
      score,
      metrics,
      reward: score === null ? null : reward(score),
      finalState: this.state(),
      details: { submitted_by: this.#submittedBy, ...this.#partErrors() },
    };
  }

  #partErrors(): { part_errors?: PartError[] } {
    const { parts } = this.#variant;
    return parts.length === 0 ? {} : { part_errors: partErrors(this.#variant, this.#scene) };
  }

  /** One call at a time, in the order made: budgets, ids and the scene are those that the calls before it left. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastCall.then(work);
    this.#lastCall = turn.catch(() => {});
    return turn;
  }

  async #call(tool: string, received: unknown): Promise<CallOutcome> {
    await this.observe();
    const notRun = whyNotRun(tool, received, this.done, CALL_RULES);
    const known = TOOL_BY_NAME.get(tool);
    if (notRun !== null || known === undefined) return this.#neverRan(notRun);
    const outcome = await this.#run(known, received);
    this.#calls++;
    return isRefusal(outcome)
      ? this.#finish(known, received, {
        text: `Refused: ${outcome.text}.`,
        image: null,
        refusal: outcome.refused,
      })
      : this.#accept(known, received, outcome);
  }

  async #run(tool: SplatTool, received: unknown): Promise<ToolResult | Refusal> {
    const { limits, protocol } = this.#variant;
    if (tool.endsEpisode && this.#calls + 1 < protocol.refuseSubmitBefore && !this.#refusedEarlySubmit) {
      this.#refusedEarlySubmit = true;
      return refuse(
        "early_submit",
        "it is early to submit; the score comes from views you have not seen, so look at the scene from other " +
          "angles and improve it (a further submit will be taken)",
      );
    }
    const context = {
      task: this.#variant,
      scene: this.#scene,
      nextId: this.#nextId,
      painter: this.#studio,
    };
    if (this.#renders + (tool.cost.renders ?? 0) > limits.renders) {
      return refuse("no_renders_left", `no renders are left (the limit is ${limits.renders})`);
    }
    return await tool.run(isRecord(received) ? applyAliases(received, tool.aliases) : received, context);
  }

  #accept(tool: SplatTool, received: unknown, { text, image, scene }: ToolResult): CallOutcome {
    this.#renders += tool.cost.renders ?? 0;
    if (scene !== undefined) {
      this.#scene = scene;
      this.#nextId = idAfter(scene, this.#nextId);
      this.#hidden = undefined;
    }
    if (tool.endsEpisode) this.#submittedBy = "model";
    return this.#finish(tool, received, {
      text,
      image: image ?? null,
      refusal: null,
      changed: scene !== undefined,
    });
  }

  /** Logs the call, ends the episode where it was the last, and tells the model what is left. */
  #finish(
    tool: SplatTool,
    received: unknown,
    { text, image, refusal, changed = false }: {
      text: string;
      image: Image | null;
      refusal: string | null;
      changed?: boolean;
    },
  ): CallOutcome {
    const outOfCalls = !this.done && this.#calls >= this.#variant.limits.calls;
    const notes = [
      this.#left(),
      ...(outOfCalls ? ["No calls are left, so the scene was submitted as it is."] : []),
    ];
    const response = `${text}${refusal === null ? "\n" : " "}${notes.join(" ")}`;
    const step = this.#addStep(tool.name, received, {
      text: response,
      image,
      refusal,
      changed,
      done: this.done,
    });
    if (outOfCalls) this.#submitFor("call_budget", "Submitted because no calls are left");
    return {
      text: response,
      image,
      accepted: refusal === null,
      done: this.done,
      step,
      refusal,
      notRun: null,
    };
  }

  #submitFor(by: SubmittedBy, words: string): void {
    this.#submittedBy = by;
    const text = `${words}: ${count(this.#scene.length, "Gaussian")}. ${this.#left()}`;
    this.#addStep("submit", {}, { text, image: null, refusal: null, changed: false, done: true });
  }

  #neverRan(notRun: NotRun | null): CallOutcome {
    const { reason, text } = notRun ?? { reason: "unknown_tool", text: "Not run: there is no such tool." };
    return neverRan({ reason, text: `${text} ${this.#left()}` }, this.done);
  }

  #addStep(
    tool: string,
    args: unknown,
    { text, image, refusal, changed, done }: {
      text: string;
      image: Image | null;
      refusal: string | null;
      changed: boolean;
      done: boolean;
    },
  ): number {
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
      done,
    } as const;
    this.#log.add(visible, this.#scored().then(hiddenPart), image);
    return step;
  }

  #budgetsLeft(): Record<string, number> {
    return Object.fromEntries(
      Object.entries(this.budgets).map(([name, { used, limit }]) => [name, limit - used]),
    );
  }

  #left(): string {
    const { calls, renders, gaussians } = this.#budgetsLeft();
    return `Left: ${count(calls, "call")}, ${count(renders, "render")}, ${count(gaussians, "Gaussian")}.`;
  }

  #scored(): Promise<ScoredState> {
    return this.#hidden ??= this.#studio.score(this.#scene);
  }
}

function hiddenPart({ score, metrics }: ScoredState): HiddenPart {
  return { hidden: metrics, hidden_score: score, score_before_peeks: null };
}

function idAfter(scene: Scene, atLeast: number): number {
  return scene.reduce((next, { id }) => Math.max(next, id + 1), atLeast);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
