/** `bench play` on the command line. */
import type { Command } from "commander";
import { plainName, scoreKind, something, wholeNumber } from "../eval/option_values.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import {
  checked,
  type CliContext,
  HAND_HELP,
  METRICS_HELP,
  openEnvironment,
  PROFILE_HELP,
  WEIGHTS_HELP,
} from "./context.ts";

export function addPlay(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("play")
    .summary("play an episode yourself")
    .description(
      "You play: the opening and every answer are printed, pictures are written to disk, calls are read " +
        "from standard input, a terminal or a script. Rules and log are those of a model, whose name is human. quit " +
        "or Ctrl-D leaves the episode; the same command goes on.",
    )
    .argument("<benchmark>", Object.keys(environments).join(" or "))
    .argument("<task>", "id or file")
    .option("--protocol <name>", "rules of the episode, e.g. one_shot", checked(plainName), "standard")
    .option("--runs <n>", "episodes of the task, one after the other", checked(wholeNumber), 1)
    .option("--out <folder>", "where runs are kept", "runs")
    .option("--pictures <folder>", "where the pictures of each episode are written", "pictures")
    .option("--profile <which>", PROFILE_HELP, checked(something))
    .option("--metrics <kind>", `${METRICS_HELP}what is possible)`, checked(scoreKind))
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option("--hand <file>", HAND_HELP, checked(something))
    .option("--device <name>", "auto, gpu, software, or part of an adapter's name", "auto")
    .addHelpText("after", EXAMPLES)
    .action(async (benchmark: string, task: string, flags: unknown) => {
      const { playCommand, playOptionsSchema } = await import("../eval/play_command.ts");
      const { terminalConsole } = await import("../eval/play/terminal_console.ts");
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

const EXAMPLES = `
Examples:
  bench play shadow dog
  bench play splat table__sculpt --pictures seen`;
