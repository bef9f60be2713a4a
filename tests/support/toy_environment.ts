/**
 * A benchmark small enough to check by hand: paint a 7 × 5 picture so that it matches a hidden pattern. It has all
 * that an `EnvironmentDefinition` can have (state, budgets, pictures, refusals, deferred hidden metrics, an automatic
 * submit that adds a step) and needs no device.
 */
import { applyAliases, type CallRules, whyNotRun } from "../../env/calls.ts";
import { sleep } from "../../env/clock.ts";
import type {
  EnvironmentDefinition,
  Episode,
  EpisodeOptions,
  EpisodeResult,
  TaskInfo,
} from "../../env/environment.ts";
import { type CallOutcome, neverRan, type Observation, type ToolSpec } from "../../env/observation.ts";
import { BenchError } from "../../env/errors.ts";
import { contentHash, imageKey } from "../../env/hash.ts";
import { blankImage, type Image } from "../../env/image.ts";
import type { Policy } from "../../env/policy.ts";
import { stream } from "../../env/random.ts";
import { type Metrics, SCHEMA_VERSION, type StepRecord } from "../../env/records.ts";

const WIDTH = 7;
const HEIGHT = 5;
const CALLS = 12;
const LOOKS = 4;

export interface ToyOptions {
  fingerprint?: string;
  profile?: Record<string, unknown>;
  device?: string;
  systemPrompt?: string;
  /** Added to every channel of every picture, as another device would. */
  pixelShift?: number;
  /** Added to every hidden metric. */
  metricShift?: number;
  /** How long a hidden metric takes. */
  metricMs?: number;
  /** How long a call takes. */
  callMs?: number;
  /** Whether an automatic submit adds no step, as in ShadowBench. */
  silentSubmit?: boolean;
  /** Makes a call fail as a bug or a lost device would. */
  breakCall?: (episode: string, step: number) => void;
}

export const TOY_TASKS: readonly TaskInfo[] = ["cross", "square", "stripe"].map((name, at) => ({
  id: name,
  title: name,
  source: "embedded",
  contentHash: contentHash(name),
  licence: "MIT",
  effortSubset: at < 2,
  protocols: name === "stripe" ? ["standard"] : ["standard", "one_call"],
}));

export const TOY_TOOLS: readonly ToolSpec[] = [
  {
    name: "paint",
    description: "Paints one cell black.",
    parameters: { type: "object", properties: { x: { type: "integer" }, y: { type: "integer" } } },
  },
  { name: "look", description: "Shows the picture.", parameters: { type: "object", properties: {} } },
  { name: "submit", description: "Ends the episode.", parameters: { type: "object", properties: {} } },
];

const DEFAULT_PROFILE = { paper: "white", pens: [1, 2] };

const RULES: CallRules = {
  arguments: { paint: ["x", "y", "column"], look: [], submit: [] },
  unknownNames: "never-run",
};

export function toyEnvironment(options: ToyOptions = {}): EnvironmentDefinition {
  const profile = options.profile ?? DEFAULT_PROFILE;
  return {
    id: "toy",
    title: "Toy",
    protocols: [
      { id: "standard", description: "Twelve calls." },
      { id: "one_call", description: "One call." },
    ],
    defaultRuns: 2,
    scoreKind: "full",
    columns: [
      { key: "match", title: "Match", digits: 2, higherIsBetter: true },
      { key: "painted", title: "Painted", digits: 0, higherIsBetter: false },
    ],
    policies: {
      sweep: () => Promise.resolve(sweep),
      random: (task, run) => Promise.resolve(randomPainter(task, run)),
    },
    baselines: { empty: () => Promise.resolve([]) },
    demoPolicies: ["sweep", "random"],
    findTasks: (selectors) => {
      if (selectors.length === 0) return Promise.resolve([...TOY_TASKS]);
      return Promise.resolve(selectors.map((selector) => {
        const task = TOY_TASKS.find((task) => task.id === selector);
        if (task !== undefined) return task;
        throw new BenchError({ what: `Cannot find the task ${selector}`, why: "no task has this id" });
      }));
    },
    setting: (protocol, effort) => protocol === "standard" ? `${effort}_effort` : protocol,
    episodeId: ({ model, task, run }) => `${model}__${task}__r${run}`,
    open: (task, episode) => Promise.resolve(new ToyEpisode(task, episode, options)),
    scoreStates: (task, states) =>
      Promise.resolve(
        states.map((state) => ({ score: null, metrics: measure(task, cellsOf(state), options) })),
      ),
    identity: () =>
      Promise.resolve({
        fingerprint: options.fingerprint ?? "toy-1",
        profile,
        defaultProfile: DEFAULT_PROFILE,
        profileHash: contentHash(profile),
        device: options.device ?? "abacus",
      }),
    close: () => {},
  };
}

class ToyEpisode implements Episode {
  readonly id: string;
  readonly protocol: string;
  readonly tools = TOY_TOOLS;
  done = false;
  #cells: readonly number[] = [];
  #used = { calls: 0, looks: 0 };
  #steps: StepRecord[] = [];
  #logged: Promise<void> = Promise.resolve();
  #opening: Observation | null = null;

  constructor(
    readonly task: TaskInfo,
    private readonly episode: EpisodeOptions,
    private readonly options: ToyOptions,
  ) {
    this.id = episode.id;
    this.protocol = episode.protocol;
  }

  get prompts() {
    return { system: this.options.systemPrompt ?? "You paint.", user: `Paint the ${this.task.id}.` };
  }

  get budgets() {
    return {
      calls: { used: this.#used.calls, limit: this.protocol === "one_call" ? 1 : CALLS },
      looks: { used: this.#used.looks, limit: LOOKS },
    };
  }

  observe(): Promise<Observation> {
    if (this.#opening === null) {
      const image = draw(pattern(this.task), this.options);
      this.#opening = {
        text: `Paint the ${this.task.id}. The picture has ${WIDTH} × ${HEIGHT} cells.`,
        image,
      };
      this.#log("reset", null, { accepted: true, refusal: null, ...this.#opening }, true);
    }
    return Promise.resolve(this.#opening);
  }

  async call(tool: string, args: unknown): Promise<CallOutcome> {
    const notRun = whyNotRun(tool, args, this.done, RULES);
    if (notRun !== null) return neverRan(notRun, this.done);
    this.options.breakCall?.(this.id, this.#steps.length);
    if (this.options.callMs !== undefined) await sleep(this.options.callMs);
    this.#used.calls += 1;
    const before = this.#cells;
    const answer = this.#run(tool, args);
    const step = this.#log(tool, args, answer, this.#cells !== before);
    if (!this.done && this.#used.calls >= this.budgets.calls.limit) await this.submit();
    return { ...answer, done: this.done, step, notRun: null };
  }

  submit(): Promise<void> {
    if (this.done) return Promise.resolve();
    this.done = true;
    if (!this.options.silentSubmit) {
      this.#log("submit", {}, { text: "Submitted.", image: null, accepted: true, refusal: null }, false);
    }
    return Promise.resolve();
  }

  state(): unknown {
    return [...this.#cells];
  }

  async steps(): Promise<readonly StepRecord[]> {
    await this.#logged;
    return this.#steps;
  }

  async result(): Promise<EpisodeResult> {
    await this.#logged;
    if (!this.done) throw new Error("the episode goes on");
    const metrics = measure(this.task, this.#cells, this.options);
    return {
      score: null,
      metrics,
      reward: null,
      finalState: [...this.#cells],
      details: {},
    };
  }

  #run(tool: string, args: unknown): Observation & { accepted: boolean; refusal: string | null } {
    const refuse = (refusal: string, text: string) => ({ text, image: null, accepted: false, refusal });
    if (typeof args !== "object" || args === null) return refuse("bad_value", "Refused: no arguments.");
    if (tool === "submit") {
      this.done = true;
      return { text: "Submitted.", image: null, accepted: true, refusal: null };
    }
    if (tool === "look") {
      if (this.#used.looks >= LOOKS) return refuse("over_budget", "Refused: no looks left.");
      this.#used.looks += 1;
      const { match } = measure(this.task, this.#cells, this.options);
      const text = `Match ${match.toFixed(2)}, ${LOOKS - this.#used.looks} looks left.`;
      return { text, image: draw(this.#cells, this.options), accepted: true, refusal: null };
    }
    const { x, y } = applyAliases({ ...args }, { column: "x" });
    const inside = typeof x === "number" && typeof y === "number" && x >= 0 && x < WIDTH && y >= 0 &&
      y < HEIGHT;
    if (!inside) return refuse("bad_value", `Refused: x and y must be cells of ${WIDTH} × ${HEIGHT}.`);
    this.#cells = [...this.#cells, y * WIDTH + x];
    return { text: `Painted (${x}, ${y}).`, image: null, accepted: true, refusal: null };
  }

  /** Logs a step now and hands it over once its hidden metrics are there, a moment later. */
  #log(
    tool: string,
    args: unknown,
    answer: Observation & { accepted: boolean; refusal: string | null },
    changed: boolean,
  ): number {
    const cells = this.#cells;
    const record: StepRecord = {
      schema_version: SCHEMA_VERSION,
      episode_id: this.id,
      step: this.#steps.length,
      tool,
      arguments: args,
      accepted: answer.accepted,
      refusal: answer.refusal,
      response: answer.text,
      image: answer.image === null ? null : imageKey(answer.image),
      state: changed ? [...cells] : null,
      hidden_score: null,
      score_before_peeks: null,
      hidden: {},
      budgets: { calls: this.budgets.calls.limit - this.#used.calls, looks: LOOKS - this.#used.looks },
      done: this.done,
    };
    this.#steps.push(record);
    this.#logged = this.#logged.then(async () => {
      if (this.options.metricMs !== undefined) await sleep(this.options.metricMs);
      record.hidden = measure(this.task, cells, this.options);
      await this.episode.onStep?.(record, answer.image);
    });
    this.#logged.catch(() => {});
    return record.step;
  }
}

/** Paints every third cell, looking now and then; two calls in its second turn. */
const sweep: Policy = ({ history }) => {
  const n = history.length;
  if (n >= 9) return Promise.resolve([{ name: "submit", arguments: {} }]);
  if (n % 4 === 3) return Promise.resolve([{ name: "look", arguments: {} }]);
  const paint = (cell: number) => ({
    name: "paint",
    arguments: { x: (3 * cell) % WIDTH, y: Math.floor((3 * cell) / WIDTH) },
  });
  return Promise.resolve(n === 1 ? [paint(n), paint(n + 1)] : [paint(n)]);
};

function randomPainter(task: TaskInfo, run: number): Policy {
  return ({ history }) => {
    const draws = stream(0, "painter", task.id, run, history.length);
    if (history.length % 3 === 2) return Promise.resolve([{ name: "look", arguments: {} }]);
    // One column too many, so that some calls are refused.
    const args = { x: draws.integer(0, WIDTH + 1), y: draws.integer(0, HEIGHT) };
    return Promise.resolve([{ name: "paint", arguments: args }]);
  };
}

function pattern(task: TaskInfo): number[] {
  const draws = stream(7, "pattern", task.id);
  return Array.from({ length: 6 }, () => draws.integer(0, WIDTH * HEIGHT));
}

function measure(task: TaskInfo, cells: readonly number[], { metricShift = 0 }: ToyOptions): Metrics {
  const wanted = new Set(pattern(task));
  const painted = new Set(cells);
  const right = Array.from({ length: WIDTH * HEIGHT }, (_, at) => wanted.has(at) === painted.has(at));
  return {
    match: right.filter(Boolean).length / (WIDTH * HEIGHT) + metricShift,
    painted: painted.size + metricShift,
  };
}

function draw(cells: readonly number[], { pixelShift = 0 }: ToyOptions): Image {
  const image = blankImage(WIDTH, HEIGHT, [200, 220, 240]);
  for (const cell of cells) image.data.set([10, 20, 30], 3 * cell);
  return { ...image, data: image.data.map((value) => value + pixelShift) };
}

function cellsOf(state: unknown): number[] {
  return Array.isArray(state) ? state.filter((cell) => typeof cell === "number") : [];
}
