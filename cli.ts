/**
 * The command line: what there is to run, in one place. Commands load when they are called; the one `catch` that
 * turns errors into exit codes is here.
 */
import { Command, CommanderError } from "commander";
import { addAnalyze } from "./cli/analyze.ts";
import { addBaselines } from "./cli/baselines.ts";
import { addCalibrate } from "./cli/calibrate.ts";
import { addCompare } from "./cli/compare.ts";
import type { CliContext } from "./cli/context.ts";
import { addEval } from "./cli/eval.ts";
import { addExport } from "./cli/export.ts";
import { addFetch } from "./cli/fetch.ts";
import { addPlay } from "./cli/play.ts";
import { addPrepare } from "./cli/prepare.ts";
import { addReplay } from "./cli/replay.ts";
import { addRescore } from "./cli/rescore.ts";
import { addTasks } from "./cli/tasks.ts";
import { BenchError, EXIT } from "./env/errors.ts";
import { noteLine, printLine } from "./eval/terminal.ts";
import config from "./deno.json" with { type: "json" };

export type { CliContext } from "./cli/context.ts";

/** A further benchmark is one more line in `environments`. */
export const CLI_CONTEXT: CliContext = {
  environments: {
    splat: async (options) => {
      const { openSplatEnvironment } = await import("./splat/open_environment.ts");
      return await openSplatEnvironment({ ...options, notice: noteLine });
    },
    shadow: async (options) => {
      const { openShadowEnvironment } = await import("./shadow/open_environment.ts");
      return openShadowEnvironment({ ...options, notice: noteLine });
    },
  },
  benchmarksOf: async (data) => {
    const { benchmarksOf } = await import("./tasks/data_tasks.ts");
    return await benchmarksOf(data);
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
    .description(
      "Spatial benchmarks for language models: SplatBench rebuilds objects of Gaussians, ShadowBench poses hands to cast " +
        "shadows. Play, record, replay, tabulate.",
    )
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
  addRescore(bench, context, done);
  addBaselines(bench, context, done);
  addAnalyze(bench, context, done);
  addCompare(bench, context, done);
  addCalibrate(bench, done);
  addTasks(bench, context);
  addPlay(bench, context, done);
  addFetch(bench, done);
  addExport(bench, done);
  addPrepare(bench, done);
  return bench;
}

const EXIT_CODES = `
Exit codes:
  0 fine · 1 differences found, or --fail-under missed · 2 wrong usage or bad data
  3 no device, or weights needed and missing · 4 episodes failed for infrastructure reasons, or a download
  130 interrupted

Examples:
  bench eval                                        the built-in policies on the embedded tasks
  bench eval splat --models gpt-6.1-sol --effort medium
  bench eval shadow --models builtin:climb --tasks dog
  bench play shadow dog                             you pose the hands
  bench replay runs --all
  bench analyze data/sample                         every table of a data set or of runs`;

if (import.meta.main) Deno.exit(await runCli(Deno.args));
