/** `bench fetch` on the command line. */
import { Argument, type Command, Option } from "commander";
import { EXIT } from "../env/errors.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import { noteLine, printLine, showStatus } from "../eval/terminal.ts";

export function addFetch(bench: Command, done: (code: number) => void): void {
  bench.command("fetch")
    .summary("download what does not come with the program")
    .description("Downloads the weights behind LPIPS, checks them and keeps them for every later run.")
    .addArgument(new Argument("<what>", "what to download").choices(["weights"]))
    .addOption(new Option("--net <name>", "network").choices(["alex", "vgg", "squeeze"]).default("alex"))
    .action(async (_what: string, flags: unknown) => {
      const { fetchCommand, fetchOptionsSchema } = await import("../splat/fetch_command.ts");
      using interrupt = stopOnInterrupt("Stopping; the same command continues");
      const said = { say: noteLine, status: showStatus };
      try {
        printLine(await fetchCommand(fetchOptionsSchema.parse(flags), said, interrupt.signal));
      } catch (error) {
        // The person who stopped it knows why it failed.
        if (!interrupt.signal.aborted) throw error;
        done(EXIT.interrupted);
      }
    });
}
