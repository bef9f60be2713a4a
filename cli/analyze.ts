/** `bench analyze` on the command line. */
import { type Command, Option } from "commander";
import { list, something } from "../eval/option_values.ts";
import { noteLine, printLine } from "../eval/terminal.ts";
import { benchmarkAndPlaces } from "./benchmark_and_places.ts";
import { checked, type CliContext, FORCE_HELP } from "./context.ts";

export function addAnalyze(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("analyze")
    .summary("every table, interval and plot from recorded episodes")
    .description(
      "Makes every table from the episodes of a data set: no device, no endpoint, no environment.\n\n" +
        "Where the data hold tables of tasks and steps, the tables that need them are made, too.",
    )
    .usage("[benchmark] <data> [options]")
    .argument(
      "<data...>",
      "run folder, folder of a data set, file of episodes, or hf://org/name[@revision]; before it splat or shadow (default: each that is there)",
    )
    .addOption(
      new Option("--format <name>", "how tables are written")
        .choices(["text", "md", "csv", "json", "arrow", "parquet"]).default("text"),
    )
    .option("--json", "the same as --format json (docs/json_output.md)")
    .option("--table <list>", "only these tables; comma list or repeated (default: all)", checked(list))
    .option(
      "--out <folder>",
      "write a file for each table, and the leaderboard config, instead of printing",
      checked(something),
    )
    .option("--force", FORCE_HELP)
    .option("--plots", "write plots as SVG and PNG into --out, too")
    .addOption(
      new Option("--against <what>", "print ours, theirs and the difference; exit 1 where they differ")
        .choices(["published"]),
    )
    .option("--profile <file>", "make intervals as `bench calibrate intervals` found", checked(something))
    .option("--skip-bad", "leave bad rows and files out, and say so")
    .addHelpText("after", EXAMPLES)
    .action(async (args: string[], { json, ...flags }: Flags) => {
      const { bench, places: [data] } = benchmarkAndPlaces(environments, "analyze", args, 1);
      const { analyzeCommand, analyzeOptionsSchema } = await import("../analysis/analyze_command.ts");
      const options = analyzeOptionsSchema.parse({
        ...flags,
        bench,
        ...(json ? { format: "json" } : {}),
      });
      done(await analyzeCommand(data, options, { print: printLine, notice: noteLine }));
    });
}

interface Flags {
  json?: boolean;
}

const EXAMPLES = `
Examples:
  bench analyze runs
  bench analyze splat runs
  bench analyze splatbench --against published
  bench analyze shadowbench --table moves,knowledge --format md
  bench analyze hf://perpetual-research/splatbench --out tables --format csv --plots`;
