/** `bench fetch` on the command line. */
import { type Command, Option } from "commander";
import { EXIT } from "../env/errors.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import { list, something } from "../eval/option_values.ts";
import { noteLine, printLine, showStatus } from "../eval/terminal.ts";
import { checked } from "./context.ts";

export function addFetch(bench: Command, done: (code: number) => void): void {
  const fetch = bench.command("fetch")
    .summary("download what does not come with the program")
    .description(
      "Downloads data sets and weights, checks every byte, and continues where an earlier download stopped.\n\n" +
        "HF_TOKEN, HF_ENDPOINT and HF_HUB_OFFLINE mean what they mean to the hub's own tools.",
    )
    .helpCommand(false)
    .addHelpText("after", EXAMPLES);
  const run = async (work: (signal: AbortSignal) => Promise<string>) => {
    using interrupt = stopOnInterrupt("Stopping; the same command continues");
    try {
      printLine(await work(interrupt.signal));
    } catch (error) {
      // The person who stopped it knows why it failed.
      if (!interrupt.signal.aborted) throw error;
      done(EXIT.interrupted);
    }
  };
  fetch.command("weights")
    .summary("the weights behind LPIPS, kept in the cache for every later run")
    .addOption(new Option("--net <name>", "network").choices(["alex", "vgg", "squeeze"]).default("alex"))
    .action(async (flags: unknown) => {
      const { fetchCommand, fetchOptionsSchema } = await import("../splat/fetch_command.ts");
      const said = { say: noteLine, status: showStatus };
      await run((signal) => fetchCommand(fetchOptionsSchema.parse(flags), said, signal));
    });
  for (const name of ["splat", "shadow"] as const) {
    fetch.command(name)
      .summary(`the published ${name} data set`)
      .option("--config <list>", "only these tables, e.g. tasks,episodes (default: all files)", checked(list))
      .option("--split <list>", "only these settings, e.g. medium_effort (default: all)", checked(list))
      .option("--revision <name>", "branch, tag or commit (default: main)", checked(something))
      .option("--out <folder>", `where it goes (default: ${name}bench)`, checked(something))
      .action(async (flags: unknown) => {
        const { fetchDataCommand, fetchDataOptionsSchema } = await import("../tasks/fetch_data_command.ts");
        await run((signal) =>
          fetchDataCommand(name, fetchDataOptionsSchema.parse(flags), showStatus, signal)
        );
      });
  }
}

const EXAMPLES = `
Examples:
  bench fetch weights
  bench fetch splat --config tasks,episodes,steps --split medium_effort
  bench fetch shadow --out shadowbench`;
