/** `bench replay` and `bench rescore` on the command line. */
import type { Command } from "commander";
import { BenchError } from "../env/errors.ts";
import type { ScoreKind } from "../env/records.ts";
import { plainName, scoreKind, something } from "../eval/option_values.ts";
import { stopOnInterrupt } from "../eval/interrupt.ts";
import {
  checked,
  type CliContext,
  HAND_HELP,
  METRICS_HELP,
  openEnvironment,
  WEIGHTS_HELP,
} from "./context.ts";

export function addReplay(bench: Command, { environments }: CliContext, done: (code: number) => void): void {
  bench.command("replay")
    .summary("play recorded calls again and name what comes out differently")
    .description(
      "Plays every recorded turn in a fresh environment and compares acceptance, texts, states, hidden " +
        "metrics, budgets, pixels, the transcript and the final record. Names the first difference of each episode.",
    )
    .argument("<runs...>", "folders at any level: a whole --out, a benchmark, a setting, an episode")
    .option("--episodes <glob>", "only episodes whose id matches", checked(something))
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
    .option("--json", "print one JSON object an episode (docs/json_output.md)")
    .addHelpText("after", REPLAY_EXAMPLES)
    .action(async (runs: string[], flags: unknown) => {
      const { replayCommand, replayOptionsSchema } = await import("../eval/replay_command.ts");
      const options = replayOptionsSchema.parse(flags);
      using interrupt = stopOnInterrupt("Finishing the episodes under way; Ctrl-C again stops at once");
      const { device, metrics, lpipsWeights, hand } = options;
      const open = (name: string, profile: unknown, recorded: ScoreKind) =>
        openEnvironment(environments, name, {
          device,
          profile,
          metrics: metrics ?? recorded,
          lpipsWeights,
          hand,
        });
      done(await replayCommand(open, { runs, ...options }, interrupt.signal));
    });
}

/** `deno task rescore` is there already; the command behind it is not. */
export function addRescore(bench: Command): void {
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

const REPLAY_EXAMPLES = `
Examples:
  bench replay runs
  bench replay runs/splat/medium_effort --episodes '*__table__sculpt__*' --all`;
