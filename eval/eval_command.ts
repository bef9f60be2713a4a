/** `bench eval`: from options to episodes, a table and an exit code. */
import { z } from "zod";
import type { EnvironmentDefinition } from "../env/environment.ts";
import { BenchError, EXIT } from "../env/errors.ts";
import { type EpisodeRecord, type ScoreKind, scoreKindSchema } from "../env/records.ts";
import { jsonLine } from "./json_output.ts";
import { BUILTIN, policyPlayer } from "./models/policy_model.ts";
import { planTasks } from "./plan.ts";
import { modelPlayer, type Player } from "./player.ts";
import { TextProgress } from "./progress.ts";
import { type EvalResult, runEval } from "./run_eval.ts";
import type { Summarize, Summary } from "./summarize.ts";
import { noteLine, printLine } from "./terminal.ts";

/** The options of the command as the command line gives them. */
export const evalOptionsSchema = z.object({
  /** `ID`, `NAME=ID` or `builtin:NAME`; none means the environment's demo. */
  models: z.array(z.string()).default([]),
  tasks: z.array(z.string()).default([]),
  /** Data set whose tasks are meant; absent for the embedded ones. */
  data: z.string().optional(),
  protocol: z.string(),
  /** Null where none is named: nothing is sent, and the setting is called `medium`. */
  effort: z.string().nullable().default(null),
  /** Null for the environment's own number. */
  runs: z.number().nullable().default(null),
  baseUrl: z.string(),
  /** Name of the environment variable, or `NONE`. */
  apiKeyEnv: z.string(),
  extraBody: z.record(z.string(), z.unknown()).default({}),
  maxTokens: z.number(),
  /** Null for a number that suits the players. */
  concurrency: z.number().nullable().default(null),
  out: z.string(),
  /** Name of the conventions to render and measure by; null for the benchmark's own. */
  profile: z.string().nullable().default(null),
  /** Null for full scores of models, and for what is possible where scripted policies play alone. */
  metrics: scoreKindSchema.nullable().default(null),
  /** File of LPIPS weights; null for those fetched before. */
  lpipsWeights: z.string().nullable().default(null),
  /** GLB file of a hand; null for the default hand. */
  hand: z.string().nullable().default(null),
  device: z.string(),
  json: z.boolean().default(false),
  failUnder: z.number().nullable().default(null),
  retryErrors: z.boolean().default(false),
});
export type EvalCommandOptions = z.infer<typeof evalOptionsSchema>;

/** Most policies at a time by default: they share the device's batches. */
const POLICY_CONCURRENCY = 8;
/** Most conversations with endpoints at a time by default. */
const ENDPOINT_CONCURRENCY = 4;
const DEFAULT_EFFORT = "medium";

/** The kind of score to open an environment with: models are graded in full unless the user says otherwise. */
export function metricsOf({ metrics, models }: EvalCommandOptions): ScoreKind | null {
  return metrics ?? (models.every((name) => name.startsWith(BUILTIN)) ? null : "full");
}

/**
 * Plays what the options ask for in one environment, and prints the summary.
 *
 * @returns the exit code
 */
export async function evalCommand(
  environment: EnvironmentDefinition,
  options: EvalCommandOptions,
  summarize: Summarize,
  stop: AbortSignal,
): Promise<number> {
  const { protocol, json } = options;
  const effort = options.effort ?? DEFAULT_EFFORT;
  const names = options.models.length > 0
    ? options.models
    : environment.demoPolicies.map((name) => BUILTIN + name);
  const concurrency = options.concurrency ??
    (names.every((name) => name.startsWith(BUILTIN)) ? POLICY_CONCURRENCY : ENDPOINT_CONCURRENCY);
  const tasks = await planTasks(environment, options.tasks, protocol, effort);
  const players = await Promise.all(names.map((name) => playerOf(environment, name, options, concurrency)));
  if (options.effort === null && names.some((name) => !name.startsWith(BUILTIN))) {
    noteLine(
      `No --effort given: none is sent, and the episodes are filed as ${
        environment.setting(protocol, effort)
      }`,
    );
  }
  const result = await runEval({
    environment,
    players,
    tasks,
    protocol,
    effort,
    runs: options.runs ?? environment.defaultRuns,
    concurrency,
    out: options.out,
    retryErrors: options.retryErrors,
    stop,
    progress: new TextProgress(environment.title, environment.columns[0]),
  });

  const summary = summarize(result.episodes, environment.columns);
  if (json) printJson(result, summary.rows);
  else if (result.episodes.length > 0) printLine(summary.table);
  noteLine(`${environment.title}: steps, pictures and transcripts are in ${result.folder}`);
  noteSilence(result.episodes);
  return verdict(environment, result, summary.headline, options.failUnder, stop.aborted);
}

async function playerOf(
  environment: EnvironmentDefinition,
  model: string,
  options: EvalCommandOptions,
  concurrency: number,
): Promise<Player> {
  if (model.startsWith(BUILTIN)) return policyPlayer(environment, model.slice(BUILTIN.length));
  const equals = model.indexOf("=");
  const name = equals < 0 ? model : model.slice(0, equals);
  const id = model.slice(equals + 1);
  if (name === "" || id === "") {
    throw new BenchError({
      what: `Cannot use the model ${JSON.stringify(model)}`,
      why: "a model is ID, or NAME=ID",
      fix: `Scripted ones are ${
        Object.keys(environment.policies).map((known) => BUILTIN + known).join(", ")
      }`,
    });
  }
  const { chatModel } = await import("./models/chat_model.ts");
  const { baseUrl, effort, extraBody, maxTokens } = options;
  const apiKey = readApiKey(options.apiKeyEnv, baseUrl);
  const endpoint = { baseUrl, apiKey, effort, extraBody, maxTokens, concurrency };
  return modelPlayer(chatModel({ name, id, ...endpoint, notice: noteLine }));
}

function readApiKey(variable: string, baseUrl: string): string | null {
  if (variable === "NONE") return null;
  const key = Deno.env.get(variable)?.trim();
  if (key) return key;
  throw new BenchError({
    what: `Cannot use ${baseUrl}`,
    why: `the environment variable ${variable} holds no key`,
    fix: "Set it, name another with --api-key-env, or give NONE for a server that wants no key",
  });
}

function printJson({ episodes, missing }: EvalResult, rows: Summary["rows"]): void {
  for (const { final_state: _, curve: __, ...episode } of episodes) {
    printLine(jsonLine({ kind: "episode", ...episode }));
  }
  for (const row of rows) printLine(jsonLine({ ...row, missing_episodes: missing }));
}

/** A server whose tool calls are not parsed looks like a model that says nothing but words. */
function noteSilence(episodes: readonly EpisodeRecord[]): void {
  const complete = episodes.filter(({ status }) => status === "complete");
  for (const [model, played] of Map.groupBy(complete, (episode) => episode.model_name)) {
    const silent = played.filter(({ calls }) => calls === 0).length;
    if (silent === 0) continue;
    noteLine(
      `${model}: ${silent} of ${played.length} episodes ended without one tool call that ran; ` +
        "does the endpoint parse tool calls? Their transcript.jsonl shows what was said",
    );
  }
}

/** Says what went wrong, and which exit code that is. */
function verdict(
  environment: EnvironmentDefinition,
  { episodes, missing, unreadable }: EvalResult,
  headline: Readonly<Record<string, number | null>>,
  failUnder: number | null,
  stopped: boolean,
): number {
  if (stopped && missing > 0) {
    noteLine(
      `Stopped with ${missing} ${missing === 1 ? "episode" : "episodes"} to play; the same command continues`,
    );
    return EXIT.interrupted;
  }
  for (const line of unreadable) noteLine(`bench: ${line}`);
  const failed = episodes.filter((episode) => episode.status === "error");
  if (failed.length > 0) {
    for (const { episode_id, error } of failed.slice(0, LISTED_FAILURES)) {
      noteLine(`failed: ${episode_id}: ${error}`);
    }
    const more = failed.length > LISTED_FAILURES
      ? ` (${failed.length - LISTED_FAILURES} more not listed)`
      : "";
    noteLine(
      `${failed.length} of ${episodes.length} episodes failed and have no score${more}; ` +
        "the same command with --retry-errors continues them",
    );
    return EXIT.infrastructure;
  }
  if (unreadable.length > 0) {
    noteLine(`${unreadable.length} of ${episodes.length + missing} episodes cannot be read and are left out`);
    return EXIT.usage;
  }
  return failUnder === null ? EXIT.fine : judge(environment, headline, failUnder);
}

const LISTED_FAILURES = 10;

function judge(
  environment: EnvironmentDefinition,
  headline: Readonly<Record<string, number | null>>,
  failUnder: number,
): number {
  const [{ title, digits }] = environment.columns;
  const missed = Object.entries(headline).filter(([, mean]) => mean === null || mean < failUnder);
  for (const [model, mean] of missed) {
    noteLine(
      `${model}: ${title} ${
        mean === null ? "is missing" : `${mean.toFixed(digits + 1)} is under ${failUnder}`
      }`,
    );
  }
  return missed.length > 0 ? EXIT.differences : EXIT.fine;
}
