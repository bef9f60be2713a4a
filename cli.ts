/**
 * The command line: what there is to run, in one place. Commands load when they are called; the one `catch` that
 * turns errors into exit codes is here.
 */
import { Argument, Command, CommanderError, InvalidArgumentError, Option } from "commander";
import type { EnvironmentDefinition } from "./env/environment.ts";
import { BenchError, EXIT } from "./env/errors.ts";
import type { BaselineTables } from "./eval/baselines_command.ts";
import {
  finiteNumber,
  jsonObject,
  list,
  plainName,
  scoreKind,
  webAddress,
  wholeNumber,
} from "./eval/option_values.ts";
import type { ScoreKind } from "./env/records.ts";
import type { Summarize } from "./eval/summarize.ts";
import { stopOnInterrupt } from "./eval/interrupt.ts";
import { noteLine, printLine, showStatus } from "./eval/terminal.ts";
import config from "./deno.json" with { type: "json" };

export interface EnvironmentOptions {
  /** `auto`, `gpu`, `software`, or part of an adapter's name. */
  device: string;
  /** A profile's name, the `profile` of a `run.json`, or null for the benchmark's own. */
  profile: unknown;
  /** Null for what a recorded profile says, or else for what is possible. */
  metrics: ScoreKind | null;
  /** File of LPIPS weights; null for those fetched before. */
  lpipsWeights: string | null;
}

/** What the commands work with. */
export interface CliContext {
  /** Benchmarks by the word on the command line. */
  environments: Readonly<Record<string, (options: EnvironmentOptions) => Promise<EnvironmentDefinition>>>;
  loadSummarize(): Promise<Summarize>;
  loadBaselineTables(): Promise<BaselineTables>;
}

/** A further benchmark is one more line in `environments`. */
export const CLI_CONTEXT: CliContext = {
  environments: {
    splat: async (options) => {
      const { openSplatEnvironment } = await import("./splat/open_environment.ts");
      return await openSplatEnvironment({ ...options, notice: noteLine });
    },
  },
  loadSummarize: async () => {
    const { summarizeEpisodes, summaryToJson } = await import("./analysis/summary.ts");
    const { summaryText } = await import("./analysis/summary_table.ts");
    return (episodes, columns) => {
      const rows = summarizeEpisodes(episodes, columns);
      const headline = rows.map(({ modelName, metrics }) => [modelName, metrics[0].interval?.mean ?? null]);
      return {
        table: summaryText(rows),
        rows: rows.map(summaryToJson),
        headline: Object.fromEntries(headline),
      };
    };
  },
  loadBaselineTables: async () => (await import("./analysis/baseline_table.ts")).baselineText,
};

/**
 * Runs one command line; a second Ctrl-C, and nothing else, ends the process from inside.
 *
 * @param args without the program's name
 * @returns the exit code
 */
export async function runCli(args: readonly string[], context: CliContext = CLI_CONTEXT): Promise<number> {
  let code: number = EXIT.fine;
  try {
    await program(context, (result) => code = result).parseAsync(args, { from: "user" });
  } catch (error) {
    return exitCodeOf(error);
  }
  return code;
}

function exitCodeOf(error: unknown): number {
  // Commander has said what is wrong; asking for help or the version is fine.
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
  if (error instanceof BenchError) {
    noteLine(`bench: ${error.message}`);
    return error.exitCode;
  }
  noteLine(`bench: unexpected error, please report it: ${error instanceof Error ? error.stack : error}`);
  return EXIT.infrastructure;
}

function program(context: CliContext, done: (code: number) => void): Command {
  const bench = new Command("bench")
    .description("Spatial benchmarks for language models: play, record, replay.")
    .version(config.version, "--version", "print the version")
    .helpOption("-h, --help", "print this help")
    .helpCommand(false)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => printLine(text.replace(/\n$/, "")),
      writeErr: (text) => noteLine(text.replace(/\n$/, "")),
    })
    .addHelpText("after", EXIT_CODES);
  addEval(bench, context, done);
  addReplay(bench, context, done);
  addBaselines(bench, context, done);
  addTasks(bench, context);
  addPlay(bench, context, done);
  addRescore(bench);
  addFetch(bench);
  return bench;
}

function addEval(
  bench: Command,
  { environments, loadSummarize }: CliContext,
  done: (code: number) => void,
): void {
  bench.command("eval")
    .summary("play tasks with models or scripted policies, print the table")
    .description(
      "Plays tasks with models or scripted policies, and prints a table with 95% intervals over tasks.\n\n" +
        "Every step is on disk as it happens: the same command continues a run that was stopped or killed, and " +
        "plays only what is missing. With no --models the built-in policies play: no key, no network.",
    )
    .argument("[benchmark]", `${Object.keys(environments).join(" or ")} (default: every benchmark)`)
    .option(
      "--models <list>",
      "builtin:NAME, ID or NAME=ID of a model; comma list or repeated",
      checked(list),
    )
    .option(
      "--tasks <list>",
      "task ids, globs or folders; comma list or repeated (default: all)",
      checked(list),
    )
    .option("--protocol <name>", "rules of the episodes, e.g. one_shot", checked(plainName), "standard")
    .option("--runs <n>", "episodes of each task (default: the benchmark's own number)", checked(wholeNumber))
    .option(
      "--effort <level>",
      "reasoning effort; sent when given, and names the setting",
      checked(plainName),
    )
    .option(
      "--base-url <url>",
      "OpenAI-compatible endpoint",
      checked(webAddress),
      "https://api.openai.com/v1",
    )
    .option("--api-key-env <name>", "environment variable with its key; NONE for no key", "OPENAI_API_KEY")
    .option("--extra-body <json>", "JSON object merged into every request", checked(jsonObject))
    .option("--max-tokens <n>", "most output tokens a turn", checked(wholeNumber), 32_000)
    .option(
      "--concurrency <n>",
      "most episodes at a time (default: 8 for policies, 4 for models)",
      checked(wholeNumber),
    )
    .option("--out <folder>", "where runs are kept", "runs")
    .option("--profile <name>", "render conventions, e.g. inria (default: torch)", checked(plainName))
    .option(
      "--metrics <kind>",
      `${METRICS_HELP}full for models)`,
      checked(scoreKind),
    )
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--device <name>", "auto, gpu, software, or part of an adapter's name", "auto")
    .option("--json", "print one JSON object a line instead of the table (docs/json_output.md)")
    .option(
      "--fail-under <n>",
      "exit 1 if a model's mean in the first column is under n",
      checked(finiteNumber),
    )
    .option("--retry-errors", "continue episodes that failed for infrastructure reasons")
    .addHelpText("after", EVAL_EXAMPLES)
    .action(async (benchmark: string | undefined, flags: unknown) => {
      const { evalCommand, evalOptionsSchema, metricsOf } = await import("./eval/eval_command.ts");
      const options = evalOptionsSchema.parse(flags);
      const summarize = await loadSummarize();
      using interrupt = stopOnInterrupt("Finishing the turns under way; Ctrl-C again stops at once");
      const stop = interrupt.signal;
      const names = benchmark === undefined ? Object.keys(environments) : [benchmark];
      const codes: number[] = [];
      for (const name of names) {
        if (stop.aborted) break;
        const environment = await openEnvironment(environments, name, {
          ...options,
          metrics: metricsOf(options),
        });
        try {
          codes.push(await evalCommand(environment, options, summarize, stop));
        } finally {
          environment.close();
        }
      }
      done(gravest(codes));
    });
}

function addReplay(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("replay")
    .summary("play recorded calls again and name what comes out differently")
    .description(
      "Plays every recorded call through a fresh environment and compares acceptance, texts, states, hidden " +
        "metrics, budgets, pixels and the final record. Names the first difference of each episode.",
    )
    .argument("<runs...>", "folders at any level: a whole --out, a benchmark, a setting, an episode")
    .option("--episodes <glob>", "only episodes whose id matches")
    .option("--all", "list every difference")
    .option(
      "--profile <name>",
      "render conventions (default: those that the run recorded)",
      checked(plainName),
    )
    .option(
      "--metrics <kind>",
      `${METRICS_HELP}as recorded)`,
      checked(scoreKind),
    )
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--device <name>", "auto, gpu, software, or part of an adapter's name", "auto")
    .option("--json", "print one JSON object an episode (docs/json_output.md)")
    .addHelpText("after", REPLAY_EXAMPLES)
    .action(async (runs: string[], flags: unknown) => {
      const { replayCommand, replayOptionsSchema } = await import("./eval/replay_command.ts");
      const options = replayOptionsSchema.parse(flags);
      using interrupt = stopOnInterrupt("Finishing the episodes under way; Ctrl-C again stops at once");
      const { device, metrics, lpipsWeights } = options;
      const open = (name: string, profile: unknown) =>
        openEnvironment(environments, name, { device, profile, metrics, lpipsWeights });
      done(await replayCommand(open, { runs, ...options }, interrupt.signal));
    });
}

function addBaselines(
  bench: Command,
  { environments, loadBaselineTables }: CliContext,
  done: (code: number) => void,
): void {
  bench.command("baselines")
    .summary("score the fixed points of each task")
    .description(
      "Scores the fixed points of each task, and compares them with recorded ones where there are any.",
    )
    .argument("[benchmark]", `${Object.keys(environments).join(" or ")} (default: every benchmark)`)
    .option(
      "--tasks <list>",
      "task ids, globs or folders; comma list or repeated (default: all)",
      checked(list),
    )
    .option("--profile <name>", "render conventions, e.g. inria (default: torch)", checked(plainName))
    .option("--metrics <kind>", `${METRICS_HELP}what is possible)`, checked(scoreKind))
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--device <name>", "auto, gpu, software, or part of an adapter's name", "auto")
    .option("--json", "print one JSON object a line instead of the tables (docs/json_output.md)")
    .action(async (benchmark: string | undefined, flags: unknown) => {
      const { baselinesCommand, baselinesOptionsSchema } = await import("./eval/baselines_command.ts");
      const options = baselinesOptionsSchema.parse(flags);
      const tables = await loadBaselineTables();
      using interrupt = stopOnInterrupt("Finishing the tasks under way; Ctrl-C again stops at once");
      const codes: number[] = [];
      for (const name of benchmark === undefined ? Object.keys(environments) : [benchmark]) {
        const environment = await openEnvironment(environments, name, options);
        try {
          codes.push(await baselinesCommand(environment, options, tables, interrupt.signal));
        } finally {
          environment.close();
        }
      }
      done(gravest(codes));
    });
}

function addTasks(bench: Command, { environments }: CliContext): void {
  const tasks = bench.command("tasks").summary("list tasks and show one").helpCommand(false);
  const withEnvironment = async (
    name: string,
    run: (environment: EnvironmentDefinition) => Promise<void>,
  ) => {
    // Nothing is scored here, so no weights are looked for.
    const options = { device: "auto", profile: null, metrics: "partial" as const, lpipsWeights: null };
    const environment = await openEnvironment(environments, name, options);
    try {
      await run(environment);
    } finally {
      environment.close();
    }
  };
  const names = Object.keys(environments);
  tasks.command("list")
    .summary("id, kind, title, licence, effort subset and source of each task")
    .argument("[benchmark]", `${names.join(" or ")} (default: every benchmark)`)
    .option("--tasks <list>", "task ids, globs or folders (default: all)", checked(list))
    .option("--json", "print one JSON object a line (docs/json_output.md)")
    .action(async (benchmark: string | undefined, flags: unknown) => {
      const { listOptionsSchema, listTasks } = await import("./eval/tasks_command.ts");
      const options = listOptionsSchema.parse(flags);
      for (const name of benchmark === undefined ? names : [benchmark]) {
        await withEnvironment(name, (environment) => listTasks(environment, options));
      }
    });
  tasks.command("show")
    .summary("what a model may know of a task, and its opening message")
    .argument("<task>", "id or file")
    .option("--benchmark <name>", `${names.join(" or ")}`, checked(plainName), names[0])
    .option("--sheet <file>", "write the opening picture as PNG")
    .option("--json", "print one JSON object (docs/json_output.md)")
    .action(async (task: string, flags: { benchmark: string }) => {
      const { showOptionsSchema, showTask } = await import("./eval/tasks_command.ts");
      const options = showOptionsSchema.parse(flags);
      await withEnvironment(flags.benchmark, (environment) => showTask(environment, task, options));
    });
}

function addPlay(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("play")
    .summary("play an episode yourself")
    .description(
      "You play: the opening and every answer are printed, pictures are written to disk, calls are read " +
        "from standard input, a terminal or a script. Rules and log are those of a model, whose name is human. Ctrl-D " +
        "leaves the episode; the same command goes on.",
    )
    .argument("<benchmark>", Object.keys(environments).join(" or "))
    .argument("<task>", "id or file")
    .option("--protocol <name>", "rules of the episode, e.g. one_shot", checked(plainName), "standard")
    .option("--runs <n>", "episodes of the task, one after the other", checked(wholeNumber), 1)
    .option("--out <folder>", "where runs are kept", "runs")
    .option("--pictures <folder>", "where the pictures of each episode are written", "pictures")
    .option("--profile <name>", "render conventions, e.g. inria (default: torch)", checked(plainName))
    .option("--metrics <kind>", `${METRICS_HELP}what is possible)`, checked(scoreKind))
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--device <name>", "auto, gpu, software, or part of an adapter's name", "auto")
    .action(async (benchmark: string, task: string, flags: unknown) => {
      const { playCommand, playOptionsSchema } = await import("./eval/play_command.ts");
      const { terminalConsole } = await import("./eval/play/terminal_console.ts");
      const options = playOptionsSchema.parse(flags);
      using interrupt = stopOnInterrupt("Leaving; Ctrl-C again stops at once");
      const environment = await openEnvironment(environments, benchmark, options);
      const console = terminalConsole();
      try {
        done(await playCommand(environment, task, options, console, interrupt.signal));
      } finally {
        console.close();
        environment.close();
      }
    });
}

/** `deno task rescore` is there already; the command behind it is not. */
function addRescore(bench: Command): void {
  bench.command("rescore", { hidden: true })
    .argument("[runs...]")
    .allowUnknownOption()
    .action(() => {
      throw new BenchError({
        what: "Cannot rescore",
        why: "the command comes with a later version",
        fix: "`bench replay` renders a run again and compares its scores",
      });
    });
}

function addFetch(bench: Command): void {
  bench.command("fetch")
    .summary("download what does not come with the program")
    .description("Downloads the weights behind LPIPS, checks them and keeps them for every later run.")
    .addArgument(new Argument("<what>", "what to download").choices(["weights"]))
    .addOption(new Option("--net <name>", "network").choices(["alex", "vgg", "squeeze"]).default("alex"))
    .action(async (_what: string, flags: unknown) => {
      const { fetchCommand, fetchOptionsSchema } = await import("./splat/fetch_command.ts");
      using interrupt = stopOnInterrupt("Stopping; the same command continues");
      const said = { say: noteLine, status: showStatus };
      printLine(await fetchCommand(fetchOptionsSchema.parse(flags), said, interrupt.signal));
    });
}

async function openEnvironment(
  environments: CliContext["environments"],
  name: string,
  options: EnvironmentOptions,
): Promise<EnvironmentDefinition> {
  if (Object.hasOwn(environments, name)) return await environments[name](options);
  throw new BenchError({
    what: `Cannot run the benchmark ${JSON.stringify(name)}`,
    why: "there is no such benchmark",
    fix: `There is ${Object.keys(environments).join(" and ")}`,
  });
}

/** An option's reader as commander wants it. */
function checked<Value>(
  read: (text: string, before?: Value) => Value,
): (text: string, before?: Value) => Value {
  return (text, before) => {
    try {
      return read(text, before);
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
    }
  };
}

/** Trouble with the infrastructure leaves results missing, which is graver than a result that is too low. */
function gravest(codes: readonly number[]): number {
  return Math.max(...codes, EXIT.fine);
}

const METRICS_HELP = "full (PSNR, SSIM, LPIPS) or partial (PSNR, SSIM) (default: ";
const WEIGHTS_HELP = "LPIPS weights (default: those of `bench fetch weights`)";

const EXIT_CODES = `
Exit codes:
  0 fine · 1 differences found, or --fail-under missed · 2 wrong usage or bad data
  3 no device, or weights needed and missing · 4 episodes failed for infrastructure reasons · 130 interrupted

Examples:
  bench eval                                        the built-in policies on the embedded tasks
  bench eval splat --models gpt-6.1-sol --effort medium
  bench replay runs`;

const EVAL_EXAMPLES = `
Examples:
  bench eval splat
  bench eval splat --models builtin:mean --tasks table__sculpt --runs 1
  OPENAI_API_KEY=... bench eval splat --models gpt-6.1-sol --effort medium
  OPENROUTER_API_KEY=... bench eval splat --base-url https://openrouter.ai/api/v1 \\
      --api-key-env OPENROUTER_API_KEY --models claude-opus-5.5=anthropic/claude-opus-5.5 \\
      --extra-body '{"reasoning": {"effort": "medium"}}'
  bench eval splat --base-url http://localhost:8000/v1 --api-key-env NONE --models your-model
  bench eval splat --protocol one_shot --tasks 'table*,./my_tasks' --json > results.jsonl`;

const REPLAY_EXAMPLES = `
Examples:
  bench replay runs
  bench replay runs/splat/medium_effort --episodes '*__table__sculpt__*' --all`;

if (import.meta.main) Deno.exit(await runCli(Deno.args));
