/** `bench eval` on the command line. */
import type { Command } from "commander";
import {
  finiteNumber,
  jsonObject,
  list,
  plainName,
  scoreKind,
  something,
  variableName,
  webAddress,
  wholeNumber,
} from "../eval/option_values.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import { BUILTIN } from "../eval/models/policy_model.ts";
import { chosenBenchmarks } from "./chosen_benchmarks.ts";
import {
  checked,
  type CliContext,
  DATA_HELP,
  gravest,
  HAND_HELP,
  METRICS_HELP,
  openEnvironment,
  PROFILE_HELP,
  WEIGHTS_HELP,
} from "./context.ts";

export function addEval(
  bench: Command,
  context: CliContext,
  done: (code: number) => void,
): void {
  const { environments, loadSummarize } = context;
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
    .option("--data <where>", DATA_HELP, checked(something))
    .option(
      "--protocol <name>",
      "rules of the episodes: standard, early_submit_refused or one_shot",
      checked(plainName),
      "standard",
    )
    .option(
      "--runs <n>",
      "episodes of each task (default: 2 in SplatBench, 1 in ShadowBench)",
      checked(wholeNumber),
    )
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
    .option(
      "--api-key-env <name>",
      "environment variable with its key; NONE for no key",
      checked(variableName),
      "OPENAI_API_KEY",
    )
    .option("--extra-body <json>", "JSON object merged into every request", checked(jsonObject))
    .option("--max-tokens <n>", "most output tokens a turn", checked(wholeNumber), 32_000)
    .option(
      "--concurrency <n>",
      "most episodes at a time (default: 8 for policies, 4 for models)",
      checked(wholeNumber),
    )
    .option("--out <folder>", "where runs are kept", checked(something), "runs")
    .option("--profile <which>", PROFILE_HELP, checked(something))
    .option(
      "--metrics <kind>",
      `${METRICS_HELP}full for models)`,
      checked(scoreKind),
    )
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--hand <file>", HAND_HELP, checked(something))
    .option(
      "--device <name>",
      "auto, gpu, software, or part of an adapter's name",
      checked(something),
      "auto",
    )
    .option("--json", "print one JSON object a line instead of the table (docs/json_output.md)")
    .option(
      "--fail-under <n>",
      "exit 1 if a model's mean in the first column is under n",
      checked(finiteNumber),
    )
    .option("--retry-errors", "continue episodes that failed for infrastructure reasons")
    .addHelpText("after", EVAL_EXAMPLES)
    .action(async (benchmark: string | undefined, flags: unknown) => {
      const { evalCommand, evalOptionsSchema, metricsOf } = await import("../eval/eval_command.ts");
      const options = evalOptionsSchema.parse(flags);
      const summarize = await loadSummarize();
      using interrupt = stopOnInterrupt("Finishing the turns under way; Ctrl-C again stops at once");
      const stop = interrupt.signal;
      const policies = options.models.flatMap((model) =>
        model.startsWith(BUILTIN) ? [model.slice(BUILTIN.length)] : []
      );
      const codes: number[] = [];
      const wanted = { tasks: options.tasks, policies, data: options.data };
      for (const { name, tasks } of await chosenBenchmarks(context, benchmark, wanted)) {
        if (stop.aborted) break;
        const environment = await openEnvironment(environments, name, {
          ...options,
          metrics: metricsOf(options),
        });
        try {
          codes.push(await evalCommand(environment, { ...options, tasks }, summarize, stop));
        } finally {
          environment.close();
        }
      }
      done(gravest(codes));
    });
}

const EVAL_EXAMPLES = `
Examples:
  bench eval splat
  bench eval splat --models builtin:mean --tasks table__sculpt --runs 1
  bench eval shadow --models builtin:witness,builtin:climb --tasks dog,rabbit
  OPENAI_API_KEY=... bench eval splat --models gpt-6.1-sol --effort medium
  OPENROUTER_API_KEY=... bench eval splat --base-url https://openrouter.ai/api/v1 \\
      --api-key-env OPENROUTER_API_KEY --models claude-opus-5.5=anthropic/claude-opus-5.5 \\
      --extra-body '{"reasoning": {"effort": "medium"}}'
  bench eval splat --base-url http://localhost:8000/v1 --api-key-env NONE --models your-model
  bench eval splat --data hf://perpetual-research/splatbench --models builtin:mean
  bench eval splat --protocol one_shot --tasks 'table*,./my_tasks' --json > results.jsonl`;
