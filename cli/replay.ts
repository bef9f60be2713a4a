/** `bench replay` on the command line. */
import type { Command } from "commander";
import { list, scoreKind, something } from "../eval/option_values.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import {
  checked,
  type CliContext,
  HAND_HELP,
  METRICS_HELP,
  recordedEnvironment,
  WEIGHTS_HELP,
} from "./context.ts";

export function addReplay(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("replay")
    .summary("play recorded calls again and name what comes out differently")
    .description(
      "Plays recorded calls in a fresh environment and compares acceptance, texts, states, hidden metrics, " +
        "budgets, pixels, the conversation and the final record. Shows the first difference of each episode.\n\n" +
        "Without --all or --episodes it replays the first episode of each setting.",
    )
    .argument("<where...>", "run folders at any level, data set folders, files of a table, or hf://org/name")
    .option("--episodes <globs>", "episodes whose id matches; comma list or repeated", checked(list))
    .option("--settings <list>", "only these settings, e.g. medium_effort", checked(list))
    .option("--all", "replay all episodes")
    .option("--out <folder>", "write pictures that differ: recorded, now and difference", checked(something))
    .option(
      "--profile <which>",
      "conventions: a name or a file (default: those that were recorded)",
      checked(something),
    )
    .option("--metrics <kind>", `${METRICS_HELP}as recorded)`, checked(scoreKind))
    .option("--lpips-weights <file>", WEIGHTS_HELP)
    .option(
      "--hand <file>",
      `${HAND_HELP}; what was recorded with one is replayed with it alone`,
      checked(something),
    )
    .option(
      "--device <name>",
      "auto, gpu, software, or part of an adapter's name",
      checked(something),
      "auto",
    )
    .option("--skip-bad", "leave out rows that cannot be read, and say so")
    .option("--json", "print one JSON object an episode, with every difference (docs/json_output.md)")
    .addHelpText("after", EXAMPLES)
    .action(async (where: string[], flags: unknown) => {
      const { replayCommand, replayOptionsSchema } = await import("../eval/replay_command.ts");
      const options = replayOptionsSchema.parse(flags);
      using interrupt = stopOnInterrupt("Finishing the episodes under way; Ctrl-C again stops at once");
      const open = recordedEnvironment(environments, options);
      done(await replayCommand(open, { where, ...options }, interrupt.signal));
    });
}

const EXAMPLES = `
Examples:
  bench replay runs --all
  bench replay runs/splat/medium_effort --episodes '*__table__sculpt__*'
  bench replay hf://perpetual-research/shadowbench --settings max_effort --out differing`;
