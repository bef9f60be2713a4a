/** `bench export` on the command line. */
import { type Command, Option } from "commander";
import { EXIT } from "../env/errors.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import { something } from "../eval/option_values.ts";
import { noteLine, printLine } from "../eval/terminal.ts";
import { checked } from "./context.ts";

export function addExport(bench: Command, done: (code: number) => void): void {
  const command = bench.command("export")
    .summary("write runs in forms that other tools read")
    .helpCommand(false)
    .addHelpText("after", EXAMPLES);
  command.command("run")
    .summary("a run as a data set of the published layout")
    .argument("<runs>", "a run folder, or any other data set: a folder, a file or hf://org/name")
    .requiredOption("--out <folder>", "where it goes: a new or empty folder", checked(something))
    .addOption(
      new Option("--format <name>", "kind of files").choices(["parquet", "arrow", "jsonl", "csv"]).default(
        "parquet",
      ),
    )
    .addOption(
      new Option("--bench <name>", "which one, where a folder holds both").choices(["splat", "shadow"]),
    )
    .option(
      "--skip-bad",
      "leave out bad rows, and steps of bad episodes, instead of stopping at the first bad row",
    )
    .action(async (runs: string, flags: unknown) => {
      const { exportCommand, exportOptionsSchema } = await import("../tasks/export_command.ts");
      using interrupt = stopOnInterrupt("Stopping; nothing is kept");
      try {
        printLine(await exportCommand(runs, exportOptionsSchema.parse(flags), noteLine, interrupt.signal));
      } catch (error) {
        // The person who stopped it knows why it failed.
        if (!interrupt.signal.aborted) throw error;
        done(EXIT.interrupted);
      }
    });
}

const EXAMPLES = `
Examples:
  bench export run runs/splat --out my_data
  bench export run runs/splat/medium_effort --out tables --format csv`;
