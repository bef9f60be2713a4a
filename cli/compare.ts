/** `bench compare` on the command line. */
import { type Command, Option } from "commander";
import { finiteNumber, list } from "../eval/option_values.ts";
import { noteLine, printLine } from "../eval/terminal.ts";
import { benchmarkAndPlaces } from "./benchmark_and_places.ts";
import { checked, type CliContext } from "./context.ts";

export function addCompare(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("compare")
    .summary("two runs, paired by task: difference, interval, wins, and what could have been resolved")
    .description(
      "Compares B with A on the tasks that both have: the mean difference with its 95% interval, the tasks that B " +
        "is better on, and the smallest difference that so many tasks could have shown.\n\n" +
        "Each model and setting that both have is compared; where each side holds just one, these two are.",
    )
    .usage("[benchmark] <a> <b> [options]")
    .argument(
      "<places...>",
      "A and B: run folders, data sets or hf:// addresses, B also the same as A with --models or --settings; " +
        "before them splat or shadow (default: each that both have)",
    )
    .option("--models <list>", "only this model; or A's and B's: a,b", checked(list))
    .option("--settings <list>", "only this setting; or A's and B's", checked(list))
    .addOption(
      new Option("--format <name>", "how tables are written").choices(["text", "md", "csv", "json"])
        .default("text"),
    )
    .option("--json", "the same as --format json (docs/json_output.md)")
    .option(
      "--fail-under <points>",
      "exit 1 if a mean difference B − A is under this, e.g. -2",
      checked(finiteNumber),
    )
    .option("--skip-bad", "leave bad rows and files out, and say so")
    .addHelpText("after", EXAMPLES)
    .action(async (args: string[], { json, ...flags }: Flags) => {
      const { bench, places: [a, b] } = benchmarkAndPlaces(environments, "compare", args, 2);
      const { compareCommand, compareOptionsSchema } = await import("../analysis/compare_command.ts");
      const options = compareOptionsSchema.parse({
        ...flags,
        bench,
        ...(json ? { format: "json" } : {}),
      });
      done(await compareCommand([a, b], options, { print: printLine, notice: noteLine }));
    });
}

interface Flags {
  json?: boolean;
}

const EXAMPLES = `
Examples:
  bench compare runs/before runs/after --fail-under -2
  bench compare splatbench splatbench --models 'GPT-6.1 Sol,GPT-6 Astra' --settings medium_effort
  bench compare runs runs --models gpt-6-luna --settings medium_effort,max_effort`;
